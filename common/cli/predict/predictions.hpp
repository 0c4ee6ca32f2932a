// SPDX-License-Identifier: MIT
// The questions that a lab asks before its first run, from questions.json in the lab's folder; and the
// student's predictions with their outcomes and the counters of passing kernels, kept in predictions.json in
// the state folder (docs/predictions.md describes both). A question never holds its answer: it names the
// figure that will decide, a counter or a time. No verdict depends on a prediction.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "measure/run.hpp"
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

// The run that a check's case stands for. The length of the longest is drawn anew for each check, and differs
// from the one that questions name and labs are compared by in a thousandth at most, which no factor shows.
CountedRun run_of_case(const workbook::ExerciseInfo& exercise, const problems::Case& what);

// The counters of a run, and the length at which they were counted, which may be a thousandth more than its
// own.
struct KeptCounters {
  facts::Counters counters;
  std::uint64_t length = 0;

  bool operator==(const KeptCounters&) const = default;
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
  std::string why;                    // it comes out so: a sentence for afterwards; empty: none
};

// The questions in a lab's file. Throws MachineError, which names `path` and what is wrong.
std::vector<Question> read_questions(const workbook::Workbook& workbook, const std::string& text,
                                     const std::string& path);

// The questions of a lab, or none if its folder has no such file. Throws as above.
std::vector<Question> questions_of(const workbook::Workbook& workbook, const std::string& lab);

// The value of an answer: the index of the choice, the number or the factor; nullopt if it does not answer
// the question.
std::optional<double> value_of_answer(const Question& question, const std::string& answer);

// The figures for which an answer is right, [from, to): of a choice its own, of a count the number itself,
// else all that round to the number at as many digits, of a fraction in its larger part. Precondition:
// value_of_answer() has a value.
struct Range {
  double from, to;
};
Range accepted_range(const Question& question, const std::string& answer);

// The run by which a question is decided: "global_atomics of lab 04, 1,048,579 bytes of letters, ..., against
// lab 03"
std::string about(const workbook::Workbook& workbook, const Question& question);

// "a, b or c", or a description of the answers that are accepted.
std::string accepted_answers(const Question& question);

// "b) fewer", "32,768", "0.5".
std::string answer_text(const Question& question, const std::string& answer);

std::string_view name_of(QuestionKind kind);

// The figure with which an answer was last compared.
struct Outcome {
  double value = 0;                    // of the same kind as the answer
  std::string choice = {};             // the letter that is right; empty where nothing was to choose
  double of = 0;                       // the figure itself
  std::optional<double> against = {};  // and what it was divided by
  bool right = false;
  std::string at = {};  // UTC, "2026-11-20T17:00:00Z"
  // The lengths at which they were counted, where these are others than the question's; else 0.
  std::uint64_t of_length = 0, against_length = 0;
  // Of times that were not measured but estimated: the GPU's name, and the range of `value`.
  std::string gpu = {};
  double low = 0, high = 0;

  bool operator==(const Outcome&) const = default;
};

nlohmann::ordered_json json_of(const Outcome& outcome);

struct Prediction {
  std::string answer;  // as it was given
  std::string at;      // UTC
  std::optional<Outcome> outcome = {};

  bool operator==(const Prediction&) const = default;
};

class Predictions {
 public:
  // The predictions for this workbook; none if the file is damaged, which is renamed and reported on standard
  // error.
  static Predictions load(const workbook::Workbook& workbook);

  // Loads, changes and writes; another program that does the same waits, so that neither change is lost. What
  // was there stays where `edit` throws, and where the state folder cannot be written: MachineError.
  static void change(const workbook::Workbook& workbook, const std::function<void(Predictions&)>& edit);

  // The prediction for a question of a lab; nullopt if there is none, or none that answers it.
  std::optional<Prediction> of(const std::string& lab, const Question& question) const;
  void set(const std::string& lab, const std::string& question, Prediction prediction);

  // The counters of a run of the student's kernel that passed.
  std::optional<KeptCounters> counted(const CountedRun& run) const;
  void set_counted(const CountedRun& run, KeptCounters counted);

 private:
  static std::optional<Predictions> read(const std::string& path);  // nothing: it is damaged
  static Predictions read_or_put_aside(const std::string& path);    // precondition: the lock is held
  void save() const;                                                // throws facts::MachineError

  std::string path_;
  std::map<std::string, std::map<std::string, Prediction>> predictions_;  // by lab and question
  std::map<std::string, KeptCounters> counted_;                           // by run_key()
};

}  // namespace cli
