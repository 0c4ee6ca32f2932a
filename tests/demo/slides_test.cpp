// SPDX-License-Identifier: MIT
// The deck: what is taken from a chapter, and that it holds every demonstration.
#include "demo/slides.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "made.hpp"

using Json = nlohmann::json;

namespace {

constexpr const char* chapter_text =
    "# Lab 99: a topic\n\n## Goal\n\nYou write a kernel.\nIt is short.\n\n## The idea\n\nNo key point.\n\n"
    "```\n**no** drawing\n```\n\n"
    "**Two barriers.** The first protects `a. B` from *it*. See [lab 01](../01.md)! 3 of 4 do.\n\n"
    "- **Contiguous**: thread t takes\n  a piece.\n- An item.\n\n**Little's law** is the key.\n\n"
    "## Check\n\n**Not** here; `build/lab demo race` shows it, and `build/lab demo race --auto` too.\n";

}  // namespace

TEST_CASE("a chapter's key points are the paragraphs of its idea that begin with bold words") {
  const demo::Chapter chapter = demo::read_chapter(chapter_text);
  CHECK(chapter.title == "Lab 99: a topic");
  CHECK(chapter.goal == "You write a kernel. It is short.");
  REQUIRE(chapter.points.size() == 3);
  CHECK(chapter.points[0].title == "Two barriers");
  CHECK(chapter.points[0].sentences == std::vector<std::string>{"The first protects `a. B` from *it*.",
                                                                "See [lab 01](../01.md)!", "3 of 4 do."});
  CHECK(chapter.points[1].title == "Contiguous");
  CHECK(chapter.points[1].sentences == std::vector<std::string>{"thread t takes a piece."});
  CHECK(chapter.points[2].sentences == std::vector<std::string>{"Little's law is the key."});
  CHECK(chapter.demonstrations == std::vector<std::string>{"race"});
}

TEST_CASE("notes are the demonstration's section of the lecturer's guide") {
  const std::string guide = "# G\n\n### race\n\nAsk:\nwhat?\n\n> This.\n\n### other\n\nNo.\n";
  CHECK(demo::notes_for(guide, "race") == "Ask: what?\n\n> This.");
  CHECK(demo::notes_for(guide, "banks").empty());
}

TEST_CASE("slides show a chapter, then what it names, then what no chapter has named") {
  const std::string page = demo::slides({demo::read_chapter(chapter_text)}, {made("histogram"), made("race")},
                                        "\n### race\n\nAsk.\n");
  CHECK(page.find("://") == page.npos);
  const Json data = frames_in(page);
  const Json& slides = data.at("slides");
  CHECK(slides[0].at("title") == "Lab 99: a topic");
  CHECK(slides[1].at("points") ==
        Json{"The first protects <code>a. B</code> from <em>it</em>.", "See lab 01!", "3 of 4 do."});
  CHECK(slides[4].at("demo") == 0);
  CHECK(slides[4].at("notes").get<std::string>().starts_with("Ask.\n\nMade from a run of "));
  CHECK(data.at("demos").size() == 2);
  CHECK(data.at("demos")[0].at("frames").size() == made("race").frames.size());
  // Each scene that a page can show is a slide.
  std::size_t scenes = 0;
  for (const demo::Scene& scene : made("race").scenes) scenes += !scene.follow;
  CHECK(data.at("demos")[0].at("scenes").size() == scenes);
  CHECK(slides.size() == 4 + scenes + made("histogram").scenes.size());
  CHECK(slides.back().at("demo") == 1);
}

TEST_CASE("what does not fit on a slide is left to its notes") {
  std::string text = "# T\n\n## The idea\n\n**Long.**";
  for (int i = 0; i < 20; ++i) text += " Sentence number " + std::to_string(i) + " says so little as this.";
  const Json slide = frames_in(demo::slides({demo::read_chapter(text)}, {}, "")).at("slides")[1];
  const std::size_t shown = slide.at("points").size();
  CHECK(shown > 5);
  CHECK(shown < 20);
  CHECK(slide.at("notes").get<std::string>().starts_with("Sentence number " + std::to_string(shown) + " "));
}
