// SPDX-License-Identifier: MIT
// Tells when an exercise's files were saved. It looks at them again and again instead of asking the system
// for notifications: those do not come from every file system (network, WSL's /mnt), and editors that replace
// files end them.
#pragma once

#include <chrono>
#include <string>

#include "workbook/workbook.hpp"

namespace cli {

struct Snapshot {
  std::string files;     // names, sizes, times and contents; equal if nothing was saved in between
  bool complete = true;  // the exercise's own file is there
};

// The state of the exercise's file and of the sources beside it, without other exercises' files.
Snapshot snapshot_of(const workbook::Workbook& workbook, const workbook::Target& target);

// Editors save in several steps: truncate and write, or rename, write and remove. One save is what lies
// between two rests.
class SaveWatcher {
 public:
  using Time = std::chrono::steady_clock::time_point;
  enum class News { none, changing, saved };

  explicit SaveWatcher(Snapshot now) : last_(std::move(now)) {}

  // Is called with the files' state several times per second. `changing`: they are not what they were;
  // `saved`: since then they have rested for a tenth of a second, or for a second without the exercise's own
  // file.
  News look(Snapshot now, Time at);

 private:
  Snapshot last_;
  Time since_{};
  bool resting_ = true;
};

}  // namespace cli
