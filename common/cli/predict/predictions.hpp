// SPDX-License-Identifier: MIT
// The student's predictions with their outcomes, and the counters of passing kernels: kept in
// predictions.json in the state folder (docs/predictions.md). No verdict depends on it.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "cli/predict/questions.hpp"
#include "measure/run.hpp"

namespace cli {

// The figure with which an answer was last compared.
struct Outcome {
  double value = 0;                    // of the same kind as the answer
  std::string choice = {};             // the letter that is right; empty where nothing was to choose
  double of = 0;                       // the figure itself
  std::optional<double> against = {};  // and what it was divided by
  bool right = false;
  std::string at = {};  // UTC, "2026-11-20T17:00:00Z"

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
  std::optional<facts::Counters> counted(const CountedRun& run) const;
  void set_counted(const CountedRun& run, facts::Counters counters);

 private:
  static std::optional<Predictions> read(const std::string& path);  // nothing: it is damaged
  static Predictions read_or_put_aside(const std::string& path);    // precondition: the lock is held
  void save() const;                                                // throws facts::MachineError

  std::string path_;
  std::map<std::string, std::map<std::string, Prediction>> predictions_;  // by lab and question
  std::map<std::string, facts::Counters> counted_;                        // by run_key()
};

}  // namespace cli
