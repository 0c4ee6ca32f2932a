// SPDX-License-Identifier: MIT
// What the `lab` program remembers between its runs. It is kept in the build folder, written whole and put in place at
// once, and nothing depends on it: a file that is missing or damaged only means that nothing is remembered.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "judge/check.hpp"
#include "judge/workbook.hpp"

namespace cli {

struct ExerciseProgress {
  std::string verdict;      // of the last check; empty: never checked
  std::string fingerprint;  // of the file that was checked
  unsigned attempts = 0;    // checks of the student's own file
  unsigned hints = 0;       // hints shown
};

class Progress {
 public:
  // What is remembered for this workbook.
  static Progress load(const judge::Workbook& workbook);

  // Throws nothing: where the build folder cannot be written, nothing is remembered.
  void save() const;

  ExerciseProgress& of(const judge::ExerciseInfo& exercise) { return all_[exercise.lab + "/" + exercise.name]; }

 private:
  std::string path_;
  std::map<std::string, ExerciseProgress> all_;
};

enum class State { not_started, changed, failing, passed };

// Where the student stands with an exercise; `changed`: the file is not the one that was checked last.
State state_of(const judge::Workbook& workbook, const judge::ExerciseInfo& exercise, const ExerciseProgress& progress);

// Names a file's contents; empty for a file that cannot be read.
std::string fingerprint_of(const std::string& path);

}  // namespace cli
