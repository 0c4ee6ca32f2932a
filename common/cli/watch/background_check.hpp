// SPDX-License-Identifier: MIT
// A check that runs while `lab watch` listens to the keyboard and looks at files.
#pragma once

#include <sys/types.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cli/verbs/verbs.hpp"
#include "judge/check.hpp"

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

}  // namespace cli
