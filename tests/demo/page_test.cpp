// SPDX-License-Identifier: MIT
// The page and the drawing hold the frames, whole and escaped.
#include "demo/page.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "demo/svg.hpp"
#include "made.hpp"

using Json = nlohmann::json;

namespace {

// A cell's entries in the page, with those that are left out at its end: text, label, series, look, share,
// mark.
void check_cell(const Json& shown, const demo::Cell& cell) {
  const auto entry = [&](std::size_t i, const Json& without) {
    return shown.size() > i ? shown[i] : without;
  };
  CHECK(shown[0] == cell.text);
  CHECK(entry(1, "") == cell.label);
  CHECK(entry(2, 0) == cell.series);
  CHECK(entry(3, 0) == static_cast<int>(cell.look));
  CHECK(entry(4, 0).get<double>() == cell.share);
  CHECK(entry(5, "") == (cell.mark ? cell.mark->word : ""));
}

void check_scenes(const Json& json, const demo::Demonstration& demonstration) {
  std::vector<const demo::Scene*> scenes;  // that a page can show
  for (const demo::Scene& scene : demonstration.scenes) {
    if (!scene.follow) scenes.push_back(&scene);
  }
  REQUIRE(json.at("scenes").size() == scenes.size());
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const Json& shown = json.at("scenes")[i];
    CHECK(shown.at("title") == scenes[i]->title);
    CHECK(shown.at("source") == scenes[i]->source);
    CHECK(shown.at("frames") == Json(scenes[i]->frames));
    CHECK(shown.at("open") == scenes[i]->open);
  }
  REQUIRE(json.at("sources").size() == demonstration.sources.size());
  for (std::size_t i = 0; i < demonstration.sources.size(); ++i) {
    CHECK(json.at("sources")[i].at("lines") == Json(demonstration.sources[i].lines));
    CHECK(json.at("sources")[i].at("numbers") == Json(demonstration.sources[i].numbers));
  }
}

void check_choices(const Json& shown, const std::vector<demo::Choice>& choices) {
  REQUIRE(shown.size() == choices.size());
  for (std::size_t i = 0; i < choices.size(); ++i)
    CHECK(shown[i] == Json::array({choices[i].label, choices[i].frame, choices[i].key}));
}

}  // namespace

TEST_CASE("a page holds every frame of its demonstration, needs nothing else, and is small") {
  for (const demo::Entry& entry : demo::demonstrations()) {
    CAPTURE(entry.name);
    const demo::Demonstration& demonstration = made(std::string(entry.name));
    const std::string page = demo::page(demonstration);
    CHECK(page.size() < 1'000'000);
    CHECK(page.find("://") == page.npos);
    const Json json = frames_in(page);
    REQUIRE(json.at("frames").size() == demonstration.frames.size());
    check_scenes(json, demonstration);
    for (std::size_t i = 0; i < demonstration.frames.size(); ++i) {
      const demo::Frame& frame = demonstration.frames[i];
      const Json& shown = json.at("frames")[i];
      CHECK(shown.at("caption") == frame.caption);
      CHECK(shown.at("line") == frame.line);
      CHECK(shown.value("finding", "") == frame.finding);
      check_choices(shown.value("next", Json::array()), frame.next);
      REQUIRE(shown.at("panels").size() == frame.panels.size());
      for (std::size_t p = 0; p < frame.panels.size(); ++p) {
        REQUIRE(shown.at("panels")[p].at("cells").size() == frame.panels[p].cells.size());
        for (std::size_t c = 0; c < frame.panels[p].cells.size(); ++c)
          check_cell(shown.at("panels")[p].at("cells")[c], frame.panels[p].cells[c]);
      }
    }
  }
}

TEST_CASE("what a kernel's text holds ends no element of the page") {
  demo::Demonstration demonstration{
      .name = "n", .title = "t < u", .question = "</script><b>", .notes = {"<i>"}};
  demonstration.sources = {{"f.cu", {"if (a < b) </script>"}, {1}}};
  demonstration.frames = {
      {.caption = "<!-- c", .panels = {{.title = "p", .cells = {{.text = "</script>"}}}}}};
  demonstration.scenes = {{"s", 0, {0}, false}};
  const std::string page = demo::page(demonstration);
  CHECK(page.find("<b>") == page.npos);
  CHECK(page.find("<i>") == page.npos);
  CHECK(page.find("<!-- c") == page.npos);
  const Json json = frames_in(page);
  CHECK(json.at("question") == "</script><b>");
  CHECK(json.at("frames")[0].at("panels")[0].at("cells")[0][0] == "</script>");
  const std::string svg = demo::svg(demonstration);
  CHECK(svg.find("<i>") == svg.npos);
}

TEST_CASE("a drawing holds the frames that are worth printing, each once") {
  const std::string svg = demo::svg(made("race"));
  CHECK(svg.starts_with("<svg xmlns="));
  CHECK(svg.ends_with("</svg>\n"));
  CHECK(svg.find("3 threads in turns. ") != svg.npos);
  CHECK(svg.find("! race: two threads change histo[1] without an atomic") != svg.npos);
  CHECK(svg.find("writes 1 ! race") != svg.npos);
  CHECK(svg.find("You choose") == svg.npos);
  std::size_t last_frames = 0;
  for (std::size_t at = 0; (at = svg.find("Time goes down", at)) != svg.npos; ++at) ++last_frames;
  CHECK(last_frames == 7);
}
