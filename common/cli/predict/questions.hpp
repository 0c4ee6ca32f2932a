// SPDX-License-Identifier: MIT
// The questions that a lab asks before its first run, from questions.json in the lab's folder
// (docs/predictions.md describes it). A question never holds its answer: it names the figure that will
// decide, a counter or a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "workbook/workbook.hpp"

namespace cli {

// A run that gives figures: an exercise over an input.
struct CountedRun {
  workbook::ExerciseInfo exercise;
  std::string variant, input;
  std::uint64_t length = 0;

  bool operator==(const CountedRun& other) const { return key() == other.key(); }
  bool operator<(const CountedRun& other) const { return key() < other.key(); }

 private:
  std::tuple<std::string, std::string, std::string, std::string, std::uint64_t> key() const {
    return {exercise.lab, exercise.name, variant, input, length};
  }
};

// It is right if the figure lies in [from, to).
struct Choice {
  std::string text;
  double from, to;
};

enum class QuestionKind {
  choice,  // a letter
  number,  // the figure
  factor,  // the figure as a multiple of what it is set against
};

// The time of a run in milliseconds. Other figures are the problem's (reference.hpp), or counters.
constexpr const char* time_figure = "time_ms";

struct Question {
  std::string name;     // under which its answer is kept
  std::string text;     // what is asked
  std::string subject;  // the same in a few words
  QuestionKind kind;
  std::vector<Choice> choices;
  std::string figure;  // of the run `of`
  std::string per;     // a counter of the same run to divide it by; empty: none
  CountedRun of;
  std::optional<CountedRun> against;  // a run whose figure to divide it by
};

// The questions in a lab's file. Throws MachineError, which names `path` and what is wrong.
std::vector<Question> read_questions(const workbook::Workbook& workbook, const std::string& text,
                                     const std::string& path);

// The questions of a lab, or none if its folder has no such file. Throws as above.
std::vector<Question> questions_of(const workbook::Workbook& workbook, const std::string& lab);

// The value of an answer: the index of the choice, the number or the factor; nullopt if it does not answer
// the question.
std::optional<double> value_of_answer(const Question& question, const std::string& answer);

// "a, b or c", or a description of the answers that are accepted.
std::string accepted_answers(const Question& question);

// "b) fewer", "32,768", "0.5".
std::string answer_text(const Question& question, const std::string& answer);

std::string_view name_of(QuestionKind kind);

}  // namespace cli
