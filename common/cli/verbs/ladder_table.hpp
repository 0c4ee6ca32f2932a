// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "facts/verdict.hpp"
#include "measure/statistics.hpp"

namespace cli {

// A rung of the ladder, measured here or recorded elsewhere.
struct LadderRow {
  std::string name;
  bool is_lab = true;  // else a peer, which comes after no lab
  bool on_gpu = true;
  bool is_limit = false;  // reading alone, which "of limit" is told against
  facts::Finding finding = {facts::Verdict::pass, {}};
  std::optional<measure::Summary> time_ms;
  double throughput_gb_s = 0;
};

// Prints the ladder: times, shares of the limit, speed-up over the first lab on the CPU and over the lab
// before.
void print_ladder(const std::vector<LadderRow>& rows);

}  // namespace cli
