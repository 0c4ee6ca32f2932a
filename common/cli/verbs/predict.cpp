// SPDX-License-Identifier: MIT
#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/command_line.hpp"
#include "cli/messages.hpp"
#include "cli/predict/outcomes.hpp"
#include "cli/speech.hpp"
#include "facts/errors.hpp"
#include "measure/records.hpp"

namespace cli {

namespace {

struct PredictOptions {
  std::string lab;
  std::optional<std::string> answers;  // of its kind "a,0.5,,b"; without it they are asked for
  bool json = false;
};

std::string trimmed(const std::string& text) {
  constexpr const char* blank = " \t\r";
  const std::size_t begin = text.find_first_not_of(blank);
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

// Who knows what came out predicts no more: the answer that was given before stands.
bool is_settled(const std::optional<Prediction>& earlier) { return earlier && earlier->outcome; }

// Answers are kept one by one, so that those before an interruption stay.
void keep_answer(const std::string& lab, const Question& question, const std::string& answer) {
  Predictions::change(workbook::here(), [&](Predictions& kept) {
    kept.set(lab, question.name, {answer, measure::time_now()});
  });
}

void print_question(const Question& question, std::size_t number, std::size_t count,
                    const std::optional<Prediction>& earlier) {
  say("\n{} of {}: {}\n  ({})\n", number, count, question.text, about(workbook::here(), question));
  for (std::size_t i = 0; i < question.choices.size(); ++i) {
    say("  {}) {}\n", static_cast<char>('a' + i), question.choices[i].text);
  }
  if (!earlier) return;
  if (earlier->outcome) {
    say("already answered ({}): {}\n", earlier->at,
        outcome_text(question, earlier->answer, *earlier->outcome));
  } else {
    say("you said {} ({})\n", answer_text(question, earlier->answer), earlier->at);
  }
}

// The next line of standard input; nullopt at its end, which on a terminal is Ctrl-D: more may follow.
std::optional<std::string> read_line() {
  std::string line;
  if (std::getline(std::cin, line)) return trimmed(line);
  fmt::print("\n");
  std::cin.clear();
  std::clearerr(stdin);
  return std::nullopt;
}

// The answer; nullopt if the question is skipped. At a terminal the question is repeated until it is
// answered; a pipe might give wrong answers for ever, or end after one: UsageError.
std::optional<std::string> ask(const Question& question, std::size_t number) {
  constexpr int most_refused = 3;
  const bool at_terminal = isatty(STDIN_FILENO);
  std::string refused;
  for (int times = 0; at_terminal || times < most_refused; ++times) {
    fmt::print("{}: ", accepted_answers(question));
    std::fflush(stdout);
    const std::optional<std::string> line = read_line();
    if (!line && times > 0 && !at_terminal) break;
    if (!line || line->empty()) return std::nullopt;
    if (value_of_answer(question, *line)) return line;
    say("\"{}\" does not answer this question; an empty line skips it\n", *line);
    refused = *line;
  }
  throw facts::UsageError(
      fmt::format("standard input holds no answer to question {}: its last line was \"{}\", an answer is {}; "
                  "what was answered before is kept",
                  number, refused, accepted_answers(question)));
}

void ask_all(const std::string& lab, const std::vector<Question>& questions) {
  const Predictions kept = Predictions::load(workbook::here());
  std::size_t number = 0;
  for (const Question& question : questions) {
    const std::optional<Prediction> earlier = kept.of(lab, question);
    print_question(question, ++number, questions.size(), earlier);
    if (is_settled(earlier)) continue;
    if (const auto answer = ask(question, number)) keep_answer(lab, question, *answer);
  }
}

// All are looked at before the first is kept.
void take_answers(const std::string& lab, const std::vector<Question>& questions, const std::string& words) {
  std::vector<std::string> answers;
  std::istringstream stream(words);
  for (std::string word; std::getline(stream, word, ',');) answers.push_back(trimmed(word));
  if (answers.size() > questions.size()) {
    throw facts::UsageError(fmt::format("--answers \"{}\": {} answers for {} questions", words,
                                        answers.size(), questions.size()));
  }
  const Predictions kept = Predictions::load(workbook::here());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].empty()) continue;
    if (!value_of_answer(questions[i], answers[i])) {
      throw facts::UsageError(fmt::format("--answers: \"{}\" does not answer question {}; expected {}",
                                          answers[i], i + 1, accepted_answers(questions[i])));
    }
    const std::optional<Prediction> earlier = kept.of(lab, questions[i]);
    if (is_settled(earlier) && earlier->answer != answers[i]) {
      throw facts::UsageError(fmt::format(
          "--answers: question {} was already answered with {} ({}), before its outcome was known; "
          "that stands",
          i + 1, answer_text(questions[i], earlier->answer), earlier->at));
    }
  }
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (!answers[i].empty() && !is_settled(kept.of(lab, questions[i])))
      keep_answer(lab, questions[i], answers[i]);
  }
}

nlohmann::ordered_json question_json(const Question& question, const std::optional<Prediction>& prediction) {
  nlohmann::ordered_json json{{"question", question.name},
                              {"text", question.text},
                              {"subject", question.subject},
                              {"kind", name_of(question.kind)},
                              {"choices", nlohmann::ordered_json::array()},
                              {"answer", nullptr},
                              {"at", nullptr},
                              {"outcome", nullptr},
                              {"about", about(workbook::here(), question)},
                              {"why", nullptr}};
  for (const Choice& choice : question.choices) json["choices"].push_back(choice.text);
  if (!prediction) return json;
  json["answer"] = prediction->answer;
  json["at"] = prediction->at;
  if (const auto& outcome = prediction->outcome) {
    json["outcome"] = json_of(*outcome);
    if (!question.why.empty()) json["why"] = question.why;
    if (outcome->choice.empty()) json["outcome"]["choice"] = nullptr;
  }
  return json;
}

void print_json(const std::string& lab, const std::vector<Question>& questions) {
  const Predictions kept = Predictions::load(workbook::here());
  nlohmann::ordered_json json{{"lab", lab}, {"questions", nlohmann::ordered_json::array()}};
  for (const Question& question : questions)
    json["questions"].push_back(question_json(question, kept.of(lab, question)));
  fmt::print("{}\n", dumped(json));
}

void print_summary(const std::string& asked_for, const std::string& lab,
                   const std::vector<Question>& questions) {
  const Predictions kept = Predictions::load(workbook::here());
  std::size_t answered = 0;
  for (const Question& question : questions) answered += kept.of(lab, question).has_value();
  say("\n{} of {} answered\n  next: solve it, then: {}\n", answered, questions.size(),
      lab_command("check " + asked_for));
}

int predict(const PredictOptions& options) {
  const workbook::Workbook& workbook = workbook::here();
  const std::vector<workbook::ExerciseInfo> exercises = find_exercises(options.lab);
  const std::string& lab = exercises.front().lab;
  const std::vector<Question> questions = questions_about(workbook, exercises);
  if (questions.empty())
    throw facts::MachineError(fmt::format(
        "no questions in {}", workbook.shortened(workbook.lab_file(exercises.front(), "questions.json"))));
  if (options.answers) take_answers(lab, questions, *options.answers);
  if (options.json) {
    print_json(lab, questions);
    return ExitCode::fine;
  }
  if (!options.answers) {
    say("lab {} asks {} questions; an empty line or Ctrl-D skips one\n", lab, questions.size());
    ask_all(lab, questions);
  }
  print_summary(options.lab, lab, questions);
  return ExitCode::fine;
}

}  // namespace

void add_predict(CommandLine& line) {
  auto [verb, options] = line.add<PredictOptions>(
      "predict", "the lab's questions before the run; lab check sets the answers against what comes out",
      predict);
  verb.add_option("LAB", options.lab, lab_words())->required();
  verb.add_option("--answers", options.answers,
                  "the answers, such as a,0.5,b; one that is empty skips its question");
  verb.add_flag("--json", options.json, "what was predicted, and what came of it, as one JSON document");
}

}  // namespace cli
