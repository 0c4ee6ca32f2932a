// SPDX-License-Identifier: MIT
// The text that `lab watch` shows, and when an exercise's files were saved: it looks at them again and again
// instead of asking the system for notifications, which do not come from every file system (network, WSL's
// /mnt) and which editors that replace files end.
#pragma once

#include <chrono>
#include <string>

#include "cli/watch/background_check.hpp"
#include "report/terminal/terminal.hpp"
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

struct WatchView {
  std::string file;    // that is watched, as a user writes it
  std::string before;  // the exercise that was passed last and its successor; stays until the next save
  std::string time;    // of the check; empty: none has ended
  BackgroundResult result;
  std::string hint;
  bool counters = false, all = false;  // shown
  bool keys = true;                    // there are keys
  std::string under_way;               // the step of the check; empty: no check

  // All but the last lines, which say what is under way and what can be done.
  std::string body(const report::Terminal& terminal) const;
  std::string footer(const report::Terminal& terminal) const;
};

// "17:22:05 labs/01_sequential/histogram.cpp" and below it what the check said, with the verdict in its
// colour.
std::string result_text(const std::string& time, const std::string& file, const BackgroundResult& result,
                        const report::Terminal& terminal);

}  // namespace cli
