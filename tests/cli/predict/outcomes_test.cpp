// SPDX-License-Identifier: MIT
#include "cli/predict/outcomes.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "temporary_folder.hpp"

using cli::CountedRun;
using cli::Figure;
using cli::FigureOrReason;
using cli::Outcome;
using cli::Question;
using cli::QuestionKind;

namespace {

const workbook::ExerciseInfo lab_03{"03_privatization", "histogram", "histogram.cu", true, "histogram"};
const workbook::ExerciseInfo lab_04{"04_shared_memory", "histogram", "histogram.cu", true, "histogram"};

Question question_of_kind(QuestionKind kind) {
  Question question{.name = "q",
                    .subject = "atomics",
                    .kind = kind,
                    .figure = "global_atomics",
                    .of = {lab_04, "bytes", "same", 9}};
  if (kind == QuestionKind::choice) question.choices = {{"fewer", 0, 1}, {"more", 1, 10}};
  return question;
}

Question against_lab_03(Question question) {
  question.against = CountedRun{lab_03, "bytes", "same", 9};
  return question;
}

// Lab 04's figure and lab 03's; a counter to divide by is 4.
cli::FigureOf figures(double of, double against = 0) {
  return [=](const CountedRun& run, const std::string& figure) -> FigureOrReason {
    return Figure::exact(figure == "warps" ? 4 : run.exercise.lab == lab_04.lab ? of : against);
  };
}

// What is told of an answer.
std::string told(const Question& question, const std::string& answer, const cli::FigureOf& figure_of) {
  return cli::outcome_text(question, answer, cli::outcome_of(question, answer, figure_of));
}

struct Asking {
  TemporaryFolder folder;
  workbook::Workbook workbook{};

  Asking() {
    workbook.source_root = workbook.build_root = folder.path();
    workbook.exercises = {lab_03, lab_04};
    folder.write("labs/04_shared_memory/questions.json", R"({"questions": [
      {"name": "one", "text": "?", "subject": "one", "kind": "number", "figure": "warps",
       "of": {"exercise": "04", "binning": "bytes", "input": "same", "length": 9}},
      {"name": "two", "text": "?", "subject": "two", "kind": "number", "figure": "time_ms",
       "of": {"exercise": "04", "binning": "bytes", "input": "same", "length": 9}}]})");
  }

  void predict(const std::string& question, const std::string& answer) const {
    cli::Predictions::change(workbook, [&](cli::Predictions& kept) {
      kept.set(lab_04.lab, question, {answer, "2026-11-20T17:00:00Z"});
    });
  }
};

}  // namespace

TEST_CASE("a count is exact or wrong") {
  const Question question = question_of_kind(QuestionKind::number);
  CHECK(told(question, "1,000", figures(1000)) == "atomics: you said 1,000; counted 1,000: right");
  CHECK(told(question, "1000", figures(1001)) == "atomics: you said 1000; counted 1,001: off by 1");
  CHECK(told(question, "1e3", figures(1000)) == "atomics: you said 1e3; counted 1,000: right");
  CHECK(told(question, "1e3", figures(1400)) == "atomics: you said 1e3; counted 1,400: off by 400");
  CHECK(told(question, "1000", figures(32000)) ==
        "atomics: you said 1000; counted 32,000: off by a factor of 32");
  CHECK(told(question, "0", figures(0)) == "atomics: you said 0; counted 0: right");
  CHECK(told(question, "0", figures(3)) == "atomics: you said 0; counted 3: off by 3");
}

TEST_CASE("a factor is right if what came out rounds to it") {
  const Question question = against_lab_03(question_of_kind(QuestionKind::factor));
  CHECK(told(question, "0.5", figures(549, 1000)) ==
        "atomics: you said 0.5; counted 549 against 1,000, so 0.549: right");
  CHECK(told(question, "0.5", figures(450, 1000)) ==
        "atomics: you said 0.5; counted 450 against 1,000, so 0.45: right");
  CHECK(told(question, "0.5", figures(550, 1000)) ==
        "atomics: you said 0.5; counted 550 against 1,000, so 0.55: off by 0.05");
  CHECK(told(question, "0.50", figures(549, 1000)) ==
        "atomics: you said 0.50; counted 549 against 1,000, so 0.549: off by 0.049");
  CHECK(told(question, "5e-1", figures(549, 1000)) ==
        "atomics: you said 5e-1; counted 549 against 1,000, so 0.549: right");
  CHECK(told(question, "1", figures(60, 100)) ==
        "atomics: you said 1; counted 60 against 100, so 0.6: right");
  CHECK(told(question, "2", figures(9, 0)) ==
        "atomics: you said 2; there is nothing to compare with: the other figure is 0");
}

TEST_CASE("of a fraction the larger number is rounded") {
  const Question question = against_lab_03(question_of_kind(QuestionKind::factor));
  CHECK(told(question, "1/150", figures(7168, 1077241)) ==
        "atomics: you said 1/150; counted 7,168 against 1,077,241, so 0.00665: right");
  CHECK(told(question, "1/151", figures(7168, 1077241)) ==
        "atomics: you said 1/151; counted 7,168 against 1,077,241, so 0.00665: off by 3.15e-05");
  CHECK(told(question, "1/100", figures(7168, 1077241)) ==
        "atomics: you said 1/100; counted 7,168 against 1,077,241, so 0.00665: off by a factor of 1.5");
  CHECK(told(question, "1/4", figures(100, 349)) ==
        "atomics: you said 1/4; counted 100 against 349, so 0.287: off by 0.0365");
  CHECK(told(question, "7/2", figures(370, 100)) ==
        "atomics: you said 7/2; counted 370 against 100, so 3.7: right");
}

TEST_CASE("afterwards the question says why") {
  Question question = question_of_kind(QuestionKind::number);
  question.why = "It is so.";
  CHECK(told(question, "1", figures(1)) == "atomics: you said 1; counted 1: right\n    It is so.");
  CHECK(told(question, "3", figures(1)) ==
        "atomics: you said 3; counted 1: off by a factor of 3\n    It is so.");
  Question choice = against_lab_03(question_of_kind(QuestionKind::choice));
  choice.why = "It is so.";
  CHECK(told(choice, "a", figures(2, 2)) ==
        "atomics: you said a) fewer; counted 2 against 2, so 1: b) more\n    It is so.");
}

TEST_CASE("of the choices that one is right in whose range the figure lies") {
  const Question question = against_lab_03(question_of_kind(QuestionKind::choice));
  CHECK(told(question, "A", figures(1, 2)) ==
        "atomics: you said a) fewer; counted 1 against 2, so 0.5: right");
  CHECK(told(question, "a", figures(2, 2)) ==
        "atomics: you said a) fewer; counted 2 against 2, so 1: b) more");
  CHECK(told(question, "b", figures(20, 2)) ==
        "atomics: you said b) more; counted 20 against 2, so 10: none of the answers");
  const auto outcome = cli::outcome_of(question, "b", figures(4, 2));
  CHECK(std::get<Outcome>(outcome) ==
        Outcome{.value = 2, .choice = "b", .of = 4, .against = 2, .right = true});
}

TEST_CASE("a figure may be one for each of something else") {
  Question question = question_of_kind(QuestionKind::number);
  question.per = "warps";
  CHECK(told(question, "32", figures(128)) == "atomics: you said 32; counted 32: right");
  CHECK(told(question, "32", figures(129)) == "atomics: you said 32; counted 32.2: right");
}

TEST_CASE("a time is measured, and what is not known is not guessed") {
  Question question = against_lab_03(question_of_kind(QuestionKind::factor));
  question.figure = cli::time_figure;
  CHECK(told(question, "0.5", figures(0.9264, 1.978)) ==
        "atomics: you said 0.5; measured 0.9264 ms against 1.978 ms, so 0.468: right");
  const auto timed = [](const Figure& of, const Figure& against) -> cli::FigureOf {
    return [=](const CountedRun& run, const std::string&) -> FigureOrReason {
      return run.exercise.lab == lab_04.lab ? of : against;
    };
  };
  CHECK(told(question, "1.0", timed({1.06, 1.055, 1.065}, {1, 0.995, 1.005})) ==
        "atomics: you said 1.0; measured 1.06 ms against 1 ms, so 1.06, but 1.05 to 1.07 is possible: it "
        "cannot be told here");
  CHECK(told(question, "1.0", timed({1.06, 1.03, 1.065}, {1, 0.995, 1.005})) ==
        "atomics: you said 1.0; measured 1.06 ms against 1 ms, so 1.06, but 1.02 to 1.07 is possible: it "
        "cannot be told here");
  CHECK(told(question, "0.9", timed({1.06, 1.03, 1.065}, {1, 0.995, 1.005})) ==
        "atomics: you said 0.9; measured 1.06 ms against 1 ms, so 1.06: off by 0.16");
  const cli::FigureOf none = [](const CountedRun&, const std::string&) -> FigureOrReason {
    return std::string("needs a GPU");
  };
  CHECK(told(question, "0.5", none) == "atomics: you said 0.5; needs a GPU");
}

TEST_CASE("a time that is estimated is told as such, with its range, and never as measured") {
  Question question = against_lab_03(question_of_kind(QuestionKind::factor));
  question.figure = cli::time_figure;
  const cli::FigureOf estimated = [](const CountedRun& run, const std::string&) -> FigureOrReason {
    Figure figure = run.exercise.lab == lab_04.lab ? Figure{2, 1.6, 2.5} : Figure{4, 3.2, 5};
    figure.gpu = "NVIDIA H200";
    return figure;
  };
  // Two errors of a quarter that have nothing to do with each other: exp(sqrt(2) ln 1.25) = 1.371.
  const std::string figures =
      "estimated for an NVIDIA H200, not measured: 2 ms against 4 ms, so 0.5 (probably 0.365 to 0.686)";
  CHECK(told(question, "0.5", estimated) ==
        "atomics: you said 0.5; " + figures + ": right, as far as an estimate can tell");
  CHECK(told(question, "0.6", estimated) ==
        "atomics: you said 0.6; " + figures + ": right, as far as an estimate can tell");
  CHECK(told(question, "2", estimated) == "atomics: you said 2; " + figures + ": off by a factor of 4");
  Question choice = against_lab_03(question_of_kind(QuestionKind::choice));
  choice.figure = cli::time_figure;
  CHECK(told(choice, "a", estimated) ==
        "atomics: you said a) fewer; " + figures + ": right, as far as an estimate can tell");
  CHECK(told(choice, "b", estimated) == "atomics: you said b) more; " + figures + ": a) fewer");
  choice.choices = {{"fewer", 0, 0.6}, {"more", 0.6, 10}};
  CHECK(told(choice, "a", estimated) ==
        "atomics: you said a) fewer; " + figures + ": an estimate cannot tell");
  const auto outcome = std::get<Outcome>(cli::outcome_of(question, "2", estimated));
  CHECK(outcome.gpu == "NVIDIA H200");
  CHECK(cli::json_of(outcome).at("estimated").at("gpu") == "NVIDIA H200");
  CHECK(cli::json_of(outcome).at("estimated").at("high") == doctest::Approx(0.6857).epsilon(0.001));
}

TEST_CASE("outcomes are told and kept for what was predicted, and for nothing else") {
  const Asking asking;
  const cli::FigureOf figure_of = [](const CountedRun&, const std::string& figure) -> FigureOrReason {
    return figure == cli::time_figure ? FigureOrReason(std::string("needs a GPU")) : Figure::exact(10);
  };
  CHECK(cli::set_against(asking.workbook, {lab_04}, figure_of).empty());
  asking.predict("one", "20");
  asking.predict("two", "3");
  CHECK(cli::set_against(asking.workbook, {lab_04}, figure_of) ==
        "  one: you said 20; counted 10: off by a factor of 2\n"
        "  two: you said 3; needs a GPU\n");
  const auto questions = cli::questions_about(asking.workbook, {lab_04});
  REQUIRE(questions.size() == 2);
  const cli::Predictions kept = cli::Predictions::load(asking.workbook);
  const auto one = kept.of(lab_04.lab, questions[0]), two = kept.of(lab_04.lab, questions[1]);
  REQUIRE(one);
  REQUIRE(one->outcome);
  CHECK(one->answer == "20");
  CHECK(one->at == "2026-11-20T17:00:00Z");
  CHECK(one->outcome->value == 10);
  CHECK_FALSE(one->outcome->right);
  CHECK(one->outcome->at.size() == 20);
  REQUIRE(two);
  CHECK_FALSE(two->outcome);
}

TEST_CASE("an answer that was given while figures were counted keeps its place") {
  const Asking asking;
  asking.predict("one", "20");
  const cli::FigureOf meanwhile = [&](const CountedRun&, const std::string&) -> FigureOrReason {
    asking.predict("one", "10");
    return Figure::exact(10);
  };
  CHECK(cli::set_against(asking.workbook, {lab_04}, meanwhile) ==
        "  one: you said 20; counted 10: off by a factor of 2\n");
  const auto kept = cli::Predictions::load(asking.workbook)
                        .of(lab_04.lab, cli::questions_about(asking.workbook, {lab_04}).front());
  REQUIRE(kept);
  CHECK(kept->answer == "10");
  CHECK_FALSE(kept->outcome);
}

TEST_CASE("the questions about an exercise are those whose figures are its own") {
  const workbook::Workbook& workbook = workbook::here();
  const auto names = [&](const std::string& lab) {
    std::vector<std::string> result;
    for (const Question& question : cli::questions_about(workbook, workbook.find(lab)))
      result.push_back(question.name);
    return result;
  };
  CHECK(names("05/contiguous") ==
        std::vector<std::string>{"contiguous_global_atomics", "contiguous_sectors"});
  CHECK(names("05/interleaved") ==
        std::vector<std::string>{"interleaved_shared_atomics", "interleaved_time"});
  CHECK(names("05").size() == 4);
}
