// SPDX-License-Identifier: MIT
// Measures several runners against each other, in turns: a few samples of the first, of the second, ..., of
// the first again. What changes with time (heat, clocks, other users of the machine) meets all of them alike.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "judge/runner_session.hpp"
#include "measure/measurement.hpp"
#include "problems/reference.hpp"
#include "workbook/workbook.hpp"

namespace measure {

struct Contender {
  judge::RunnerSettings settings;
  std::optional<unsigned> block, grid;
  bool computes = true;  // false: it leaves the output at zero, as the sweeps over memory do
  Record asked = {};     // what its record begins with
};

// Whoever compares wants a median of each, however long one takes.
inline constexpr StopRule contest_rule{.fewest = 5};

struct ContestOptions {
  const problems::Reference* reference = nullptr;  // of the exercises' problem
  std::string variant;
  StopRule rule = contest_rule;
  double highest_clock_mhz = 0;  // of the GPU; 0: its clock is not watched
  std::function<void(double)>
      progress;  // told how many of the contenders are done, from 0 to 1; may be empty
};

// A record of each contender, in their order. The input is counted in one launch, whatever its length.
// Throws problems::InputError.
std::vector<Record> contest(const std::vector<Contender>& contenders, const problems::Input& input,
                            const ContestOptions& options);

}  // namespace measure
