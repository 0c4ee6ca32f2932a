// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "build/runner.hpp"

// Makes the runners of all units, as many at a time as there are cores; the libraries have to be up to date.
// What compilers and other tools printed of those that could not be made, empty if there are none.
inline std::string make_runners(const std::vector<workbook::Target>& units) {
  std::atomic<std::size_t> next{0};
  std::mutex access;
  std::string printed;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < units.size();) {
      const auto failure = build::make_runner(workbook::here(), units[i]);
      const std::lock_guard guard(access);
      if (failure) printed += units[i].source + ":\n" + failure->output;
    }
  };
  std::vector<std::future<void>> workers;
  for (unsigned i = 0; i < std::max(std::thread::hardware_concurrency(), 1u); ++i)
    workers.push_back(std::async(std::launch::async, work));
  for (std::future<void>& worker : workers) worker.get();
  return printed;
}
