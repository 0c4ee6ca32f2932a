// SPDX-License-Identifier: MIT
// What a compiled unit's basic blocks compute, counted in its assembly: arithmetic, branches, divisions of
// integers; and which of them are blocks of a GPU's code, too (short_branches.hpp). lab-guard writes these
// down in the object file, where basic_blocks.hpp finds them.
#pragma once

#include <string>

namespace simulator {

// The assembly, for x86-64 or AArch64 as g++ and clang write it, with an entry of a list for each call that
// tells that a basic block was entered. What only moves values, calls, or makes room on the stack is no
// arithmetic: a GPU has registers enough. What takes numbers of 64 bits counts twice, because a GPU's
// registers have 32.
std::string with_counted_blocks(const std::string& assembly);

}  // namespace simulator
