// SPDX-License-Identifier: MIT
// The student's progress, which the `lab` program keeps between its runs. Nothing depends
// on it: if the file is missing or damaged, nothing is remembered.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "judge/check.hpp"
#include "workbook/workbook.hpp"

namespace cli {

// The shortest median of the kernel's own time, and what it was measured on: others are comparable with it
// only there.
struct BestTime {
  double time_ms = 0;
  std::string backend, input, variant;
  std::uint64_t length = 0;  // in elements

  bool is_comparable(const BestTime& other) const {
    return backend == other.backend && input == other.input && variant == other.variant &&
           length == other.length;
  }
};

struct ExerciseProgress {
  std::string verdict;                // of the last check; empty: never checked
  std::string fingerprint;            // of the file that was checked
  unsigned attempts = 0;              // checks of the student's own file
  unsigned hints = 0;                 // hints shown
  std::optional<BestTime> best = {};  // of a file that had passed

  // The shorter of two comparable times stays; where they are not, the newer one.
  void consider(BestTime time);
};

class Progress {
 public:
  // The progress in this workbook.
  static Progress load(const workbook::Workbook& workbook);

  // Loads, changes an exercise's entry and writes; another program that does the same waits, so that neither
  // change is lost. Throws nothing: where it cannot be written, `edit` is called all the same
  // and nothing is remembered.
  static void change(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise,
                     const std::function<void(ExerciseProgress&)>& edit);

  ExerciseProgress& of(const workbook::ExerciseInfo& exercise) {
    return all_[exercise.lab + "/" + exercise.name];
  }

 private:
  void save() const;  // throws facts::MachineError

  std::string path_;
  std::map<std::string, ExerciseProgress> all_;
};

enum class State { missing, not_started, changed, failing, passed };

// How far the student is with an exercise. `missing`: there is no file; `changed`: the file is not the one
// that was checked last.
State state_of(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise,
               const ExerciseProgress& progress);

// The same as a word: of a failing exercise its verdict.
std::string state_name(State state, const ExerciseProgress& progress);

// The first exercise that is not passed; with `after`, the next one after it, or else the first before it.
// nullopt if all are passed.
std::optional<workbook::ExerciseInfo> next_exercise(const workbook::Workbook& workbook,
                                                    const workbook::ExerciseInfo* after = nullptr);

// A hash of a file's contents; empty for a file that cannot be read.
std::string fingerprint_of(const std::string& path);

}  // namespace cli
