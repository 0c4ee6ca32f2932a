// SPDX-License-Identifier: MIT
#include "grade/points.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "facts/errors.hpp"

namespace {

using Json = nlohmann::ordered_json;

const std::vector<workbook::ExerciseInfo> shared_labs{{.lab = "01_a", .name = "x", .file = "x.cu"},
                                                      {.lab = "02_b", .name = "y", .file = "y.cu"},
                                                      {.lab = "02_b", .name = "z", .file = "z.cu"}};

// The parts that are earned, as a word: "correct edges ...".
std::string parts_of(const std::string& verdict, const std::string& diagnosis = "",
                     const Json& further = Json::array()) {
  const Json json{{"verdict", verdict},
                  {"diagnosis", diagnosis.empty() ? Json() : Json(diagnosis)},
                  {"further", further}};
  const std::vector<double> has = grade::earned(json);
  std::string words;
  for (std::size_t i = 0; i < grade::parts; ++i) {
    if (has[i] == 1)
      words += (words.empty() ? "" : " ") + std::string(grade::name_of(static_cast<grade::Part>(i)));
  }
  return words;
}

std::string complaint(const std::string& text) {
  try {
    grade::points_from(text, "points.txt", shared_labs);
  } catch (const facts::UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a verdict earns the parts that it shows") {
  CHECK(parts_of("pass") == "correct edges race_free technique");
  CHECK(parts_of("technique") == "correct edges race_free");
  CHECK(parts_of("wrong_answer", "tail_missed") == "correct race_free");
  CHECK(parts_of("wrong_answer", "past_the_end") == "correct race_free");
  CHECK(parts_of("wrong_answer", "overflow") == "correct race_free");
  CHECK(parts_of("out_of_bounds") == "correct race_free");
  CHECK(parts_of("race", "missing_barrier") == "correct edges");
  CHECK(parts_of("uninitialised") == "correct edges");
  CHECK(parts_of("divergent_barrier") == "correct edges");
  for (const char* verdict : {"wrong_answer", "missing", "not_started", "build_error", "forbidden",
                              "protocol", "limit", "timeout", "crash", "launch_error", "unavailable"})
    CHECK(parts_of(verdict).empty());
  CHECK(parts_of("wrong_answer", "lost_updates").empty());
}

TEST_CASE("a count without an atomic is right by luck, and earns nothing") {
  CHECK(parts_of("race", "missing_atomic").empty());
}

TEST_CASE("what was found behind the verdict counts too") {
  const Json wrong = Json::array({{{"verdict", "wrong_answer"}, {"diagnosis", nullptr}}});
  const Json tail = Json::array({{{"verdict", "wrong_answer"}, {"diagnosis", "tail_missed"}}});
  CHECK(parts_of("out_of_bounds", "", wrong).empty());
  CHECK(parts_of("race", "missing_barrier", tail) == "correct");
  // A case that this machine cannot judge takes nothing away.
  CHECK(parts_of("pass", "", Json::array({{{"verdict", "unavailable"}, {"diagnosis", nullptr}}})) ==
        "correct edges race_free technique");
}

TEST_CASE("the file of points says what was written to it") {
  grade::Points points;
  points.total = 60;
  points.shares = {40, 30, 15, 10, 5};
  points.weights["02_b/y"] = 2.5;
  const grade::Points read =
      grade::points_from(grade::points_text(points, shared_labs), "points.txt", shared_labs);
  CHECK(read.total == 60);
  CHECK(read.shares == points.shares);
  CHECK(read.weight_of(shared_labs[0]) == 1);
  CHECK(read.weight_of(shared_labs[1]) == 2.5);
}

TEST_CASE("a mistake in the file of points is told with its line") {
  CHECK(complaint("total=10\nweight.02_b/w=1\n") ==
        "points.txt:2: nothing is called \"weight.02_b/w\"; there are total, correct, edges, race_free, "
        "technique, speed and weight.LAB/EXERCISE");
  CHECK(complaint("total=ten\n") == "points.txt:1: a line has to be KEY=NUMBER, such as total=100");
  CHECK(complaint("total=-1\n") == "points.txt:1: a line has to be KEY=NUMBER, such as total=100");
  CHECK(complaint("total\n") == "points.txt:1: a line has to be KEY=NUMBER, such as total=100");
  CHECK(complaint("correct=60\n") ==
        "points.txt: correct, edges, race_free, technique and speed add up to 110, not to 100");
  CHECK(complaint("# nothing\n\n total = 5 # five\n").empty());
}

TEST_CASE("points are shared by the weights") {
  grade::Points points;
  points.weights["02_b/z"] = 2;
  CHECK(grade::most_points(points, shared_labs[0], shared_labs) == 25);
  CHECK(grade::most_points(points, shared_labs[2], shared_labs) == 50);
  const Json technique{{"verdict", "technique"}, {"diagnosis", nullptr}, {"further", Json::array()}};
  CHECK(grade::earned_points(points, shared_labs[2], technique, 50) == doctest::Approx(42.5));
  CHECK(grade::points_number(14.285714) == "14.29");
  CHECK(grade::points_number(42.5) == "42.5");
  CHECK(grade::points_number(100) == "100");
  CHECK(grade::points_number(0) == "0");
}

TEST_CASE("speed earns the part of the solution's speed that is reached") {
  grade::Points points;
  points.shares = {40, 20, 10, 10, 20};
  Json judged{{"verdict", "pass"}, {"diagnosis", nullptr}, {"further", Json::array()}};
  CHECK(grade::earned_points(points, shared_labs[0], judged, 50) == doctest::Approx(40));
  judged["speed"] = {{"share", 0.25}};
  CHECK(grade::earned_points(points, shared_labs[0], judged, 50) == doctest::Approx(42.5));
  // What is wrong has no points, however fast it is.
  judged["verdict"] = "wrong_answer";
  CHECK(grade::earned_points(points, shared_labs[0], judged, 50) == 0);
}

TEST_CASE("an exercise without a kernel has no speed: the other parts have its share") {
  grade::Points points;
  points.shares = {40, 20, 10, 10, 20};
  workbook::ExerciseInfo on_cpu = shared_labs[0];
  on_cpu.launched = false;
  Json judged{{"verdict", "pass"}, {"diagnosis", nullptr}, {"further", Json::array()}};
  CHECK(grade::earned_points(points, on_cpu, judged, 50) == doctest::Approx(50));
  judged["verdict"] = "technique";
  CHECK(grade::earned_points(points, on_cpu, judged, 50) == doctest::Approx(43.75));
  points.shares = {0, 0, 0, 0, 100};
  CHECK(grade::earned_points(points, on_cpu, judged, 50) == 50);
}
