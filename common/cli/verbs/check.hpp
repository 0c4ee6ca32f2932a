// SPDX-License-Identifier: MIT
// `lab check` of one exercise, which `lab watch` runs too.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "judge/check.hpp"

namespace cli {

struct CheckManner {
  std::uint64_t seed;                                          // of the random inputs
  std::string on;                                              // --on, for what is measured after a pass
  bool all = false;                                            // print every finding, not only the first
  bool silent = false;                                         // print nothing
  std::function<void(const std::string&)> progress = {};       // called at each step; may be empty
  std::function<void(const judge::CheckReport&)> judged = {};  // called before it is printed; may be empty
};

// Judges an exercise on one backend after the other, prints the report, and remembers the verdict on a
// student's file. Precondition: there is a target, and all are of the same exercise and tree.
judge::CheckReport check_exercise(const std::vector<workbook::Target>& targets, const CheckManner& manner);

}  // namespace cli
