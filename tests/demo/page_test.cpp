// SPDX-License-Identifier: MIT
// The page and the drawing hold the frames, whole and escaped.
#include "demo/page.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "demo/svg.hpp"
#include "made.hpp"

using Json = nlohmann::json;

TEST_CASE("a page holds every frame of its demonstration, needs nothing else, and is small") {
  for (const demo::Entry& entry : demo::demonstrations()) {
    CAPTURE(entry.name);
    const demo::Demonstration& demonstration = made(std::string(entry.name));
    const std::string page = demo::page(demonstration);
    CHECK(page.size() < 1'000'000);
    CHECK(page.find("://") == page.npos);
    const Json json = frames_in(page);
    REQUIRE(json.at("frames").size() == demonstration.frames.size());
    CHECK(json.at("scenes").size() ==
          static_cast<std::size_t>(std::ranges::count_if(
              demonstration.scenes, [](const demo::Scene& scene) { return !scene.follow; })));
    for (std::size_t i = 0; i < demonstration.frames.size(); ++i) {
      const demo::Frame& frame = demonstration.frames[i];
      const Json& shown = json.at("frames")[i];
      CHECK(shown.at("caption") == frame.caption);
      CHECK(shown.at("line") == frame.line);
      CHECK(shown.value("finding", "") == frame.finding);
      REQUIRE(shown.at("panels").size() == frame.panels.size());
      for (std::size_t p = 0; p < frame.panels.size(); ++p) {
        REQUIRE(shown.at("panels")[p].at("cells").size() == frame.panels[p].cells.size());
        for (std::size_t c = 0; c < frame.panels[p].cells.size(); ++c) {
          const Json& cell = shown.at("panels")[p].at("cells")[c];
          const auto& mark = frame.panels[p].cells[c].mark;
          CHECK(cell[0] == frame.panels[p].cells[c].text);
          CHECK((cell.size() > 5 ? cell[5].get<std::string>() : "") == (mark ? mark->word : ""));
        }
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
