// SPDX-License-Identifier: MIT
// How tests start the runner of hostile_runner.cpp.
#pragma once

#include <string>
#include <vector>

#include "judge/runner_session.hpp"
#include "workbook/workbook.hpp"

inline std::string hostile_program() { return workbook::here().build_root + "/tests/judge/hostile-runner"; }

// The words that go before the program: its behaviour, and further settings such as "BLOCK=32".
inline std::vector<std::string> hostile_wrapper(const std::string& behaviour,
                                                std::vector<std::string> more = {}) {
  std::vector<std::string> words{"env", "HOSTILE=" + behaviour};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

inline judge::RunnerSettings hostile(const std::string& behaviour, std::vector<std::string> more = {}) {
  judge::RunnerSettings settings;
  settings.program = hostile_program();
  settings.wrapper = hostile_wrapper(behaviour, std::move(more));
  return settings;
}
