// SPDX-License-Identifier: MIT
// Functions of the simulator's library for which a GPU has an instruction, or a few: what a call of one costs
// there.
#pragma once

#include <string_view>

namespace simulator::x86 {

// By the symbol that is called: as many instructions as nvcc makes of the function, 0 if it is none of these.
unsigned gpu_instructions_of(std::string_view symbol);

}  // namespace simulator::x86
