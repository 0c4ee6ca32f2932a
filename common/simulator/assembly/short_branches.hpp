// SPDX-License-Identifier: MIT
// Which branches of g++'s code are branches of a GPU's code, too. A short body of an `if` is executed under a
// predicate there: lanes do not part, and a load in it does not wait for what was loaded before. An atomic
// stands behind a branch, however short the body is.
#pragma once

#include <vector>

#include "simulator/assembly/control_flow.hpp"
#include "simulator/assembly/known_values.hpp"

namespace simulator::x86 {

struct Branches {
  // By instruction: it is a branch of the GPU's code.
  std::vector<bool> is_branch = {};
  // By instruction: it begins a block to which such a branch leads, or in which its ways meet. Other blocks
  // go on where the one before ends.
  std::vector<bool> is_border = {};
  std::vector<bool> begins_block = {};  // of g++'s code
};

// ptxas 13.0 for sm_90 puts four dependent multiplications and shifts (seven instructions) under a predicate,
// and branches around eight (fifteen). So with two stores to shared memory, and with four.
constexpr unsigned most_predicated = 7;
// What comes before it in nvcc works both ways out and chooses if one of them takes up to four instructions
// (not six), and joins loads only where nothing is branched around.
constexpr unsigned most_chosen = 4;

// `arithmetic`: by instruction, how many a GPU has for it. `most`: so many are no body to branch around.
Branches branches_of(const FunctionCode& function, const KnownCode& known,
                     const std::vector<unsigned>& arithmetic, unsigned most = most_predicated);

}  // namespace simulator::x86
