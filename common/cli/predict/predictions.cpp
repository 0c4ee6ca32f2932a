// SPDX-License-Identifier: MIT
#include "cli/predict/predictions.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/command_line.hpp"
#include "facts/errors.hpp"
#include "facts/words.hpp"
#include "os/files.hpp"
#include "problems/problem.hpp"
#include "report/terminal/terminal.hpp"

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
  if (run.exercise.lab.empty()) throw Malformed("a run needs an exercise and a length");
  const problems::Problem& problem = *problems::find_problem(run.exercise.problem);
  run.variant = json.value(problem.variant_option(), run.variant);
  run.input = json.value("input", run.input);
  run.length = json.value("length", run.length);
  if (run.length == 0) throw Malformed("a run needs an exercise and a length");
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
  question.why = json.value("why", "");
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

namespace {

// All that rounds to a decimal number: "0.50" is [0.495, 0.505).
Range rounding_range(std::string text) {
  std::erase(text, ',');
  const std::size_t exponent = std::min(text.find_first_of("eE"), text.size()), point = text.find('.');
  const double shift = exponent < text.size() ? std::strtod(text.c_str() + exponent + 1, nullptr) : 0;
  const auto decimals = static_cast<double>(point < exponent ? exponent - point - 1 : 0);
  const double value = std::strtod(text.c_str(), nullptr), half = std::pow(10, shift - decimals) / 2;
  return {value - half, value + half};
}

}  // namespace

Range accepted_range(const Question& question, const std::string& answer) {
  const double value = value_of_answer(question, answer).value();
  if (question.kind == QuestionKind::choice) {
    const Choice& choice = question.choices[static_cast<std::size_t>(value)];
    return {choice.from, choice.to};
  }
  const bool is_count =
      question.kind == QuestionKind::number && question.per.empty() && question.figure != time_figure;
  if (is_count) return {value, std::nextafter(value, std::numeric_limits<double>::infinity())};
  const std::size_t slash = answer.find('/');
  if (slash == std::string::npos) return rounding_range(answer);
  const std::string above = answer.substr(0, slash), below = answer.substr(slash + 1);
  const double numerator = std::strtod(above.c_str(), nullptr),
               denominator = std::strtod(below.c_str(), nullptr);
  if (numerator > denominator) {
    const Range range = rounding_range(above);
    return {range.from / denominator, range.to / denominator};
  }
  const Range range = rounding_range(below);
  return {numerator / range.to, numerator / range.from};
}

std::string about(const workbook::Workbook& workbook, const Question& question) {
  const CountedRun& of = question.of;
  const problems::Problem& problem = *problems::find_problem(of.exercise.problem);
  std::string text = question.figure == time_figure ? "the time" : question.figure;
  if (!question.per.empty()) text += " for each of " + question.per;
  text += fmt::format(" of lab {}, {} {} of {}, {} {}", workbook.short_name(of.exercise),
                      facts::separated(of.length), problem.elements(), of.input, problem.variant_option(),
                      of.variant);
  if (!question.against) return text;
  std::vector<std::string> other;
  const CountedRun& against = *question.against;
  if (!against.exercise.is_same(of.exercise)) other.push_back("lab " + workbook.short_name(against.exercise));
  if (against.length != of.length)
    other.push_back(fmt::format("{} {}", facts::separated(against.length), problem.elements()));
  if (against.input != of.input) other.push_back(against.input);
  if (against.variant != of.variant) other.push_back(against.variant);
  return text + ", against " + join(other);
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

namespace {

std::string path_in(const workbook::Workbook& workbook) { return workbook.state_file("predictions.json"); }

// If the lock cannot be had, nothing can be written either.
os::FileLock locked(const workbook::Workbook& workbook) {
  return {workbook.state_file(".predictions.lock"), O_RDWR | O_CREAT};
}

std::string run_key(const CountedRun& run) {
  return fmt::format("{}/{} {} {} {}", run.exercise.lab, run.exercise.name, run.variant, run.input,
                     run.length);
}

nlohmann::json json_of(const Prediction& prediction) {
  nlohmann::json json{{"answer", prediction.answer}, {"at", prediction.at}, {"outcome", nullptr}};
  if (prediction.outcome) json["outcome"] = json_of(*prediction.outcome);
  return json;
}

Prediction prediction_of(const nlohmann::json& json) {
  Prediction prediction{json.at("answer"), json.at("at")};
  if (const nlohmann::json& outcome = json.at("outcome"); !outcome.is_null()) {
    prediction.outcome = Outcome{outcome.at("value"), outcome.at("choice"), outcome.at("of"),
                                 std::nullopt,        outcome.at("right"),  outcome.at("at")};
    if (!outcome.at("against").is_null()) prediction.outcome->against = outcome.at("against").get<double>();
    prediction.outcome->of_length = outcome.value("of_length", std::uint64_t{0});
    prediction.outcome->against_length = outcome.value("against_length", std::uint64_t{0});
    if (const auto estimated = outcome.find("estimated"); estimated != outcome.end()) {
      prediction.outcome->gpu = estimated->at("gpu");
      prediction.outcome->low = estimated->at("low");
      prediction.outcome->high = estimated->at("high");
    }
  }
  return prediction;
}

// Renames the damaged file, so that this is reported once.
void put_aside(const std::string& path) {
  const std::string aside = path + ".damaged";
  if (std::rename(path.c_str(), aside.c_str()) == 0) {
    fmt::print(stderr, "lab: {} is damaged, no prediction is remembered; it was put aside as {}\n", path,
               aside);
  } else {
    fmt::print(stderr, "lab: {} is damaged, no prediction is remembered\n", path);
  }
}

}  // namespace

nlohmann::ordered_json json_of(const Outcome& outcome) {
  nlohmann::ordered_json json{{"value", outcome.value}, {"choice", outcome.choice}, {"of", outcome.of},
                              {"against", nullptr},     {"right", outcome.right},   {"at", outcome.at}};
  if (outcome.against) json["against"] = *outcome.against;
  if (outcome.of_length > 0) json["of_length"] = outcome.of_length;
  if (outcome.against_length > 0) json["against_length"] = outcome.against_length;
  if (!outcome.gpu.empty())
    json["estimated"] = {{"gpu", outcome.gpu}, {"low", outcome.low}, {"high", outcome.high}};
  return json;
}

std::optional<Predictions> Predictions::read(const std::string& path) {
  Predictions kept;
  kept.path_ = path;
  const std::optional<std::string> text = os::read_file(path);
  if (!text) return kept;
  try {
    const nlohmann::json json = nlohmann::json::parse(*text);
    for (const auto& [lab, questions] : json.at("predictions").get_ref<const nlohmann::json::object_t&>()) {
      for (const auto& [question, entry] : questions.get_ref<const nlohmann::json::object_t&>()) {
        kept.predictions_[lab][question] = prediction_of(entry);
      }
    }
    const nlohmann::json lengths = json.value("lengths", nlohmann::json::object());
    for (const auto& [run, counters] : json.at("counted").get_ref<const nlohmann::json::object_t&>()) {
      const auto length = lengths.find(run);
      kept.counted_[run] = {counters.get<facts::Counters>(),
                            length == lengths.end() ? 0 : length->get<std::uint64_t>()};
    }
    return kept;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

Predictions Predictions::read_or_put_aside(const std::string& path) {
  if (auto kept = read(path)) return std::move(*kept);
  put_aside(path);
  Predictions none;
  none.path_ = path;
  return none;
}

Predictions Predictions::load(const workbook::Workbook& workbook) {
  const std::string path = path_in(workbook);
  if (auto kept = read(path)) return std::move(*kept);
  // Another program may have put the damaged file aside meanwhile and written a whole one, which must stay.
  const os::FileLock lock = locked(workbook);
  return read_or_put_aside(path);
}

void Predictions::save() const {
  nlohmann::json json{{"predictions", nlohmann::json::object()},
                      {"counted", nlohmann::json::object()},
                      {"lengths", nlohmann::json::object()}};
  for (const auto& [run, counted] : counted_) {
    json["counted"][run] = counted.counters;
    if (counted.length > 0) json["lengths"][run] = counted.length;
  }
  for (const auto& [lab, questions] : predictions_) {
    for (const auto& [question, prediction] : questions)
      json["predictions"][lab][question] = json_of(prediction);
  }
  os::write_file(path_, json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void Predictions::change(const workbook::Workbook& workbook, const std::function<void(Predictions&)>& edit) {
  const os::FileLock lock = locked(workbook);
  Predictions kept = read_or_put_aside(path_in(workbook));
  edit(kept);
  kept.save();
}

std::optional<Prediction> Predictions::of(const std::string& lab, const Question& question) const {
  const auto questions = predictions_.find(lab);
  if (questions == predictions_.end()) return std::nullopt;
  const auto found = questions->second.find(question.name);
  if (found == questions->second.end() || !value_of_answer(question, found->second.answer))
    return std::nullopt;
  return found->second;
}

void Predictions::set(const std::string& lab, const std::string& question, Prediction prediction) {
  predictions_[lab][question] = std::move(prediction);
}

CountedRun run_of_case(const workbook::ExerciseInfo& exercise, const problems::Case& what) {
  const std::uint64_t usual = problems::reference_of(exercise.problem).technique_length();
  const bool is_usual = what.length >= usual && what.length - usual <= usual / 1000;
  return {exercise, what.variant, what.input, is_usual ? usual : what.length};
}

std::optional<KeptCounters> Predictions::counted(const CountedRun& run) const {
  const auto found = counted_.find(run_key(run));
  if (found == counted_.end()) return std::nullopt;
  KeptCounters counted = found->second;
  // A file of an earlier version holds no lengths.
  if (counted.length == 0) counted.length = run.length;
  return counted;
}

void Predictions::set_counted(const CountedRun& run, KeptCounters counted) {
  counted_[run_key(run)] = counted;
}

}  // namespace cli
