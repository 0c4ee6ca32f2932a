// SPDX-License-Identifier: MIT
// `lab check`: `lab watch` runs it too.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "judge/check.hpp"

namespace cli {

struct CheckOptions {
  std::string lab, on;
  bool solution = false, json = false;
  bool all = false;                                  // print every finding, not only the first
  std::optional<std::uint64_t> seed;                 // of the random inputs; without it, a new one each time
  std::function<void(const std::string&)> progress;  // told what is being done; may be empty
  std::function<void(const judge::CheckReport&)> judged;  // told of each exercise's report; may be empty
};

// Judges the exercises, prints the reports and remembers the verdicts. Returns the exit code.
int check(const CheckOptions& options);

}  // namespace cli
