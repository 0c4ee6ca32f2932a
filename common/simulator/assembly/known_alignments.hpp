// SPDX-License-Identifier: MIT
// How much of an access's address a compiler knows: accesses that lie side by side can be made one only where
// it knows that they begin at a multiple of their size.
#pragma once

#include <string>

namespace simulator {

// The assembly, for x86-64 as g++ and clang write it, with an entry of a list for each call that reports an
// access of which a compiler does not know the address's remainder by 16: it knows the one by a smaller power
// of two. values[threadIdx.x + 4] has the remainder of 4 by 4 alone, whichever threads come there. The list
// is where access_alignments.hpp finds it, and so are two more: what calls say of the type
// (type_alignments.hpp), and which addresses depend on what the innermost loop around them loads.
//
// Calls that report a type of more than 16 bytes, or of no power of two, which is aligned to 16, say so:
// __tsan_read_range_aligned.
std::string with_known_alignments(const std::string& assembly);

}  // namespace simulator
