// SPDX-License-Identifier: MIT
// For tests that judge many files on a GPU: as nvcc takes long, all are built before the first is judged.
#pragma once

#include <algorithm>
#include <atomic>
#include <future>
#include <optional>
#include <thread>
#include <vector>

#include "judge/build.hpp"

// As judge::build_runner of each target, in their order; as many at a time as there are cores.
inline std::vector<std::optional<facts::Finding>> build_runners(
    const std::vector<workbook::Target>& targets) {
  std::vector<std::optional<facts::Finding>> findings(targets.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i; (i = next++) < targets.size();)
      findings[i] = judge::build_runner(workbook::here(), targets[i]);
  };
  std::vector<std::future<void>> workers;
  for (unsigned i = 0; i < std::max(std::thread::hardware_concurrency(), 1u); ++i)
    workers.push_back(std::async(std::launch::async, work));
  for (std::future<void>& worker : workers) worker.get();
  return findings;
}
