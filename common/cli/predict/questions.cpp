// SPDX-License-Identifier: MIT
#include "cli/predict/questions.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/selection.hpp"
#include "facts/errors.hpp"
#include "os/files.hpp"
#include "problems/problem.hpp"
#include "report/terminal/table.hpp"

namespace cli {

namespace {

// Turned into a MachineError with the file's name.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

QuestionKind kind_of(const std::string& name) {
  for (const QuestionKind kind : {QuestionKind::choice, QuestionKind::number, QuestionKind::factor}) {
    if (name == name_of(kind)) return kind;
  }
  throw Malformed(fmt::format("no kind of question is called \"{}\"", name));
}

// Keys that a run leaves out are taken from `run`, the one with which it is compared.
CountedRun run_of(const workbook::Workbook& workbook, const nlohmann::json& json, CountedRun run) {
  if (const auto exercise = json.find("exercise"); exercise != json.end()) {
    const auto found = workbook.find(exercise->get<std::string>());
    if (found.size() != 1)
      throw Malformed(fmt::format("\"{}\" is not one exercise", exercise->get<std::string>()));
    run.exercise = found.front();
  }
  const problems::Problem& problem = *problems::find_problem(run.exercise.problem);
  run.variant = json.value(problem.variant_option(), run.variant);
  run.input = json.value("input", run.input);
  run.length = json.value("length", run.length);
  if (run.exercise.lab.empty() || run.length == 0) throw Malformed("a run needs an exercise and a length");
  if (!problem.find_variant(run.variant))
    throw Malformed(fmt::format("no {} is called \"{}\"", problem.variant_option(), run.variant));
  if (!problem.has_input(run.input)) throw Malformed(fmt::format("no input is called \"{}\"", run.input));
  return run;
}

Question question_of(const workbook::Workbook& workbook, const nlohmann::json& json) {
  Question question{.name = json.at("name"),
                    .text = json.at("text"),
                    .subject = json.at("subject"),
                    .kind = kind_of(json.at("kind")),
                    .figure = json.at("figure"),
                    .per = json.value("per", ""),
                    .of = run_of(workbook, json.at("of"), {})};
  if (json.contains("against")) question.against = run_of(workbook, json.at("against"), question.of);
  for (const nlohmann::json& choice : json.value("choices", nlohmann::json::array())) {
    question.choices.push_back({choice.at("text"), choice.value("from", 0.0),
                                choice.value("to", std::numeric_limits<double>::infinity())});
  }
  constexpr std::size_t letters = 26;
  const bool has_choices = question.choices.size() >= 2 && question.choices.size() <= letters;
  if (has_choices != (question.kind == QuestionKind::choice))
    throw Malformed("choices belong to a question of that kind, two at least");
  if (question.kind == QuestionKind::factor && !question.against)
    throw Malformed("a factor is set against another run");
  return question;
}

// A number all of which is used, above or equal to 0; strtod alone takes "", " 1", "nan" and "0x10".
std::optional<double> plain_number(const std::string& text) {
  if (text.empty() || text.find_first_not_of("0123456789.eE+-") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (*end != '\0' || !std::isfinite(value) || std::signbit(value)) return std::nullopt;
  return value;
}

// A number in which thousands may be parted: "1,048,579".
std::optional<double> number_of(std::string text) {
  std::erase(text, ',');
  return plain_number(text);
}

// "0.5" or "1/2".
std::optional<double> factor_of(const std::string& text) {
  const std::size_t slash = text.find('/');
  const auto above = plain_number(text.substr(0, slash));
  const auto below = slash == std::string::npos ? std::optional(1.0) : plain_number(text.substr(slash + 1));
  if (!above || !below || *above == 0 || *below == 0) return std::nullopt;
  const double value = *above / *below;
  return std::isnormal(value) ? std::optional(value) : std::nullopt;
}

// "b", "B" or "b)"
std::optional<double> choice_of(const std::string& text, std::size_t choices) {
  if (text.empty() || text.size() > 2 || (text.size() == 2 && text[1] != ')')) return std::nullopt;
  const int index = (text[0] | 0x20) - 'a';
  if (index < 0 || static_cast<std::size_t>(index) >= choices) return std::nullopt;
  return index;
}

}  // namespace

std::string_view name_of(QuestionKind kind) {
  return kind == QuestionKind::choice ? "choice" : kind == QuestionKind::number ? "number" : "factor";
}

std::vector<Question> read_questions(const workbook::Workbook& workbook, const std::string& text,
                                     const std::string& path) {
  try {
    std::vector<Question> questions;
    std::set<std::string> names;
    const nlohmann::json document = nlohmann::json::parse(text);
    for (const nlohmann::json& json : document.at("questions")) {
      questions.push_back(question_of(workbook, json));
      if (!names.insert(questions.back().name).second)
        throw Malformed(fmt::format("two questions are called \"{}\"", questions.back().name));
    }
    return questions;
  } catch (const nlohmann::json::exception& error) {
    throw facts::MachineError(fmt::format("{}: {}", workbook.shortened(path), error.what()));
  } catch (const Malformed& error) {
    throw facts::MachineError(fmt::format("{}: {}", workbook.shortened(path), error.what()));
  }
}

std::vector<Question> questions_of(const workbook::Workbook& workbook, const std::string& lab) {
  const std::string path = workbook.lab_file({lab, "", "", true}, "questions.json");
  const std::optional<std::string> text = os::read_file(path);
  return text ? read_questions(workbook, *text, path) : std::vector<Question>{};
}

std::optional<double> value_of_answer(const Question& question, const std::string& answer) {
  switch (question.kind) {
    case QuestionKind::choice:
      return choice_of(answer, question.choices.size());
    case QuestionKind::number:
      return number_of(answer);
    default:
      return factor_of(answer);
  }
}

std::string accepted_answers(const Question& question) {
  if (question.kind == QuestionKind::number) return "a number, such as 1000 or 1e6";
  if (question.kind == QuestionKind::factor) return "a factor above 0, such as 2, 0.5 or 1/4";
  std::vector<std::string> letters;
  for (std::size_t i = 0; i < question.choices.size(); ++i)
    letters.emplace_back(1, static_cast<char>('a' + i));
  return join(letters, " or ");
}

std::string answer_text(const Question& question, const std::string& answer) {
  const std::optional<double> value = value_of_answer(question, answer);
  if (!value || question.kind != QuestionKind::choice) return answer;
  const auto index = static_cast<std::size_t>(*value);
  return fmt::format("{}) {}", static_cast<char>('a' + index), question.choices[index].text);
}

}  // namespace cli
