// SPDX-License-Identifier: MIT
// The parts of `lab watch`: a check that runs while it listens to the keyboard and looks at files, the text
// that it shows, and when an exercise's files were saved. It looks at them again and again instead of asking
// the system for notifications, which do not come from every file system (network, WSL's /mnt) and which
// editors that replace files end.
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cli/verbs/verbs.hpp"
#include "judge/check.hpp"
#include "report/terminal/terminal.hpp"
#include "workbook/workbook.hpp"

namespace cli {

struct BackgroundResult {
  std::string text;     // what `lab check` says, or why it could not
  std::string verdict;  // empty: the check did not come to one
  std::string further;  // all findings behind the verdict
  facts::Counters counters;
};

// `lab check` in a process of its own, which can be given up at any time: the compiler and the runner go with
// it.
class BackgroundCheck {
 public:
  // Throws std::system_error where no process can be made.
  BackgroundCheck(const std::vector<workbook::Target>& targets, const std::string& on);
  ~BackgroundCheck();  // gives it up, if it is still under way
  BackgroundCheck(const BackgroundCheck&) = delete;
  BackgroundCheck& operator=(const BackgroundCheck&) = delete;

  // Readable when take_in() has something to read.
  std::array<int, 2> descriptors() const { return {said_, events_}; }

  // Reads what the check has written so far. Returns the result once it has ended.
  std::optional<BackgroundResult> take_in();

  // The step that it is at: "sim, 257 bytes".
  const std::string& step() const { return step_; }

 private:
  void note(const std::string& line);
  void give_up();

  pid_t process_ = -1;
  int said_ = -1, events_ = -1;
  std::string step_, unread_events_;
  BackgroundResult result_;
};

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
  enum class Panel { none, hint, counters, findings };
  Panel panel = Panel::none;  // what is shown below the result
  std::string hint;
  bool keys = true;       // there are keys
  std::string under_way;  // the step of the check; empty: no check

  // All but the last lines, which say what is under way and what can be done.
  std::string body(const report::Terminal& terminal) const;
  std::string footer(const report::Terminal& terminal) const;
  // Lines of the body before the panel.
  std::size_t lines_above_panel(const report::Terminal& terminal) const;

 private:
  std::string result_part(const report::Terminal& terminal) const;
  std::string panel_part() const;
};

// "17:22:05 labs/01_sequential/histogram.cpp" and below it what the check said, with the verdict in its
// colour.
std::string result_text(const std::string& time, const std::string& file, const BackgroundResult& result,
                        const report::Terminal& terminal);

}  // namespace cli
