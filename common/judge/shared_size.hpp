// SPDX-License-Identifier: MIT
// Arrays in shared memory whose sizes are known while compiling, and too large: nvcc's assembler refuses
// them.
#pragma once

#include <optional>

#include "facts/verdict.hpp"
#include "workbook/workbook.hpp"

namespace judge {

// A build error if the arrays of one function in the target's object for the simulator take more than a block
// may have; nullopt if none does.
std::optional<facts::Finding> shared_too_large(const workbook::Workbook& workbook,
                                               const workbook::Target& target);

}  // namespace judge
