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

// What is done with a body that is too short to branch around.
enum class ShortBody {
  predicated,  // by ptxas, in the end
  chosen       // by what comes before it in nvcc, which joins loads: both ways are worked out if none loads
};

// `arithmetic`: by instruction, how many a GPU has for it.
Branches branches_of(const FunctionCode& function, const KnownCode& known,
                     const std::vector<unsigned>& arithmetic, ShortBody body);

}  // namespace simulator::x86
