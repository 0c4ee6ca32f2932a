// SPDX-License-Identifier: MIT
// Makes the runners of all units, as many at a time as there are cores; the libraries have to be up to date.
// What compilers and other tools printed of those that could not be made, empty if there are none.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "build/runner.hpp"
#include "support/on_all_cores.hpp"

inline std::string make_runners(const std::vector<workbook::Target>& units) {
  std::mutex access;
  std::string printed;
  on_all_cores(units.size(), [&](std::size_t i) {
    const auto failure = build::make_runner(workbook::here(), units[i]);
    const std::lock_guard guard(access);
    if (failure) printed += units[i].source + ":\n" + failure->output;
  });
  return printed;
}
