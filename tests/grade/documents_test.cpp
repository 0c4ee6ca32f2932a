// SPDX-License-Identifier: MIT
#include "grade/documents.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "grade/settings.hpp"
#include "support/contains.hpp"

namespace {

using Json = nlohmann::ordered_json;

const std::vector<workbook::ExerciseInfo> exercises{{.lab = "01_a", .name = "x", .file = "x.cu"},
                                                    {.lab = "02_b", .name = "y", .file = "y.cu"}};
const grade::Points points;
const grade::Scheme scheme{workbook::here(), exercises, points};

Json made(const std::string& name) {
  return {{"submission", name},
          {"note", nullptr},
          {"sandbox", false},
          {"files", Json::array({{{"path", "01_a/x.cu"}, {"bytes", 7}, {"sha256", "abc"}}})},
          {"left_out", Json::array({{{"path", "01_a/a\nb"}, {"why", "it is a link"}}})},
          {"exercises", Json::array({{{"lab", "01_a"},
                                      {"exercise", "x"},
                                      {"verdict", "pass"},
                                      {"diagnosis", nullptr},
                                      {"text", "pass: 5 cases\n"}},
                                     {{"lab", "02_b"},
                                      {"exercise", "y"},
                                      {"verdict", "race"},
                                      {"diagnosis", "missing_barrier"},
                                      {"further", Json::array()},
                                      {"text", "race: a < b & \"c\"\n  labs/02_b/y.cu:3\n"}}})}};
}

}  // namespace

TEST_CASE("a row of the gradebook") {
  CHECK(grade::csv_header(scheme) == "submission,01_a/x,02_b/y,points\r\n");
  CHECK(grade::csv_row(made("anna"), scheme) == "anna,pass,race,85\r\n");
  CHECK(grade::csv_row(made("=a \"b\"\n"), scheme) == "\"'=a \"\"b\"\"\n\",pass,race,85\r\n");
}

TEST_CASE("a suite of JUnit") {
  CHECK(grade::junit_suite(made("a\n<b>"), scheme) ==
        "  <testsuite name=\"a\\x0A&lt;b&gt;\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\">\n"
        "    <testcase classname=\"a\\x0A&lt;b&gt;\" name=\"01_a/x\"/>\n"
        "    <testcase classname=\"a\\x0A&lt;b&gt;\" name=\"02_b/y\">\n"
        "      <failure type=\"race\" message=\"race (missing_barrier)\">race: a &lt; b &amp; &quot;c&quot;\n"
        "  labs/02_b/y.cu:3\n</failure>\n"
        "    </testcase>\n"
        "  </testsuite>\n");
}

TEST_CASE("Gradescope's document") {
  const Json document = Json::parse(grade::gradescope_document(made("anna"), scheme));
  CHECK(document.at("score") == 85);
  REQUIRE(document.at("tests").size() == 2);
  CHECK(document.at("tests").at(0) == Json{{"name", "01_a/x"},
                                           {"score", 50.0},
                                           {"max_score", 50.0},
                                           {"status", "passed"},
                                           {"output", "pass: 5 cases\n"},
                                           {"output_format", "text"},
                                           {"visibility", "visible"}});
  CHECK(document.at("tests").at(1).at("score") == 35);
  CHECK(document.at("tests").at(1).at("status") == "failed");
}

TEST_CASE("the page says what was judged, with which files, and that there was no sandbox") {
  const std::string page = grade::feedback_page(made("<anna>"), scheme);
  CHECK(contains(page, "<h1>&lt;anna&gt;</h1>"));
  CHECK(contains(page, "<p>Judged without a sandbox.</p>"));
  CHECK(contains(page, "<h2>85 of 100 points</h2>"));
  CHECK(contains(page,
                 "<td class=\"words\">race (missing_barrier)</td><td>35</td><td>50</td><td "
                 "class=\"prose\">correct, edges</td>"));
  CHECK(contains(page, "<pre>race: a &lt; b &amp; &quot;c&quot;\n  labs/02_b/y.cu:3\n</pre>"));
  CHECK(contains(page, "<td>7</td><td class=\"words\">abc</td>"));
  CHECK(contains(page, "<p>Not taken: <code>01_a/a\\x0Ab</code>: it is a link</p>"));
  CHECK_FALSE(contains(page, "speed"));
  Json sandboxed = made("anna");
  sandboxed["sandbox"] = true;
  CHECK_FALSE(contains(grade::feedback_page(sandboxed, scheme), "sandbox"));
}

TEST_CASE("speed that has points stands on the page and in Gradescope's document, other speed nowhere") {
  Json result = made("anna");
  result["exercises"][0]["speed"] = {{"share", 0.5},         {"ms", 0.25},         {"solution_ms", 0.125},
                                     {"gpu", "NVIDIA H200"}, {"binning", "bytes"}, {"input", "letters"},
                                     {"length", 67108864},   {"elements", "bytes"}};
  result["exercises"][1]["speed"] = {{"share", 0.0}, {"message", "it takes more than 10 seconds"}};
  grade::Points with_speed;
  with_speed.shares = {40, 20, 10, 10, 20};
  const grade::Scheme fast{workbook::here(), exercises, with_speed};
  const std::string sentence =
      "Speed: 0.25 ms for 67,108,864 bytes of letters on an NVIDIA H200, the solution 0.125 ms: "
      "50 % of its speed.";
  const std::string page = grade::feedback_page(result, fast);
  CHECK(contains(page, "<p>" + sentence + "</p>"));
  CHECK(contains(page, "correct, edges, race_free, technique, 50 % of speed"));
  result["exercises"][0]["speed"]["share"] = 1.0;
  CHECK(contains(grade::feedback_page(result, fast), "the solution 0.125 ms: no slower.</p>"));
  result["exercises"][0]["speed"]["share"] = 0.5;
  CHECK(contains(page,
                 "<p>Speed: there is no time of this kernel on the GPU: it takes more than 10 seconds</p>"));
  CHECK(grade::csv_row(result, fast) == "anna,pass,race,75\r\n");
  CHECK(Json::parse(grade::gradescope_document(result, fast)).at("tests").at(0).at("output") ==
        "pass: 5 cases\n" + sentence + "\n");
  CHECK_FALSE(contains(grade::feedback_page(result, scheme), "peed"));
  CHECK_FALSE(contains(grade::gradescope_document(result, scheme), "Speed"));
}
