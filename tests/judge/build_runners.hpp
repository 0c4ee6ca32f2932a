// SPDX-License-Identifier: MIT
// For tests that judge many files: all are built before the first is judged, for nvcc takes long, and one
// compiler leaves the other cores idle.
#pragma once

#include <optional>
#include <vector>

#include "judge/build.hpp"
#include "support/on_all_cores.hpp"

// As judge::build_runner of each target, in their order; as many at a time as there are cores.
inline std::vector<std::optional<facts::Finding>> build_runners(
    const std::vector<workbook::Target>& targets) {
  std::vector<std::optional<facts::Finding>> findings(targets.size());
  on_all_cores(targets.size(),
               [&](std::size_t i) { findings[i] = judge::build_runner(workbook::here(), targets[i]); });
  return findings;
}
