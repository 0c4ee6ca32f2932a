// SPDX-License-Identifier: MIT
// The text that `lab watch` shows.
#pragma once

#include <string>

#include "cli/watch/background_check.hpp"
#include "report/terminal/terminal.hpp"
#include "workbook/workbook.hpp"

namespace cli {

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
