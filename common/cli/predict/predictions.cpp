// SPDX-License-Identifier: MIT
#include "cli/predict/predictions.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "os/files.hpp"

namespace cli {

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
    kept.counted_ = json.at("counted").get<std::map<std::string, facts::Counters>>();
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
  nlohmann::json json{{"predictions", nlohmann::json::object()}, {"counted", counted_}};
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

std::optional<facts::Counters> Predictions::counted(const CountedRun& run) const {
  const auto found = counted_.find(run_key(run));
  return found == counted_.end() ? std::nullopt : std::optional(found->second);
}

void Predictions::set_counted(const CountedRun& run, facts::Counters counters) {
  counted_[run_key(run)] = std::move(counters);
}

}  // namespace cli
