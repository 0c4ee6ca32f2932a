// SPDX-License-Identifier: MIT
// How much of the addresses of the simulated program's accesses a compiler knows, by the lists that lab-guard
// has made (known_alignments.hpp).
#pragma once

#include <cstdint>

namespace simulator {

// Of the access to shared memory at this place, in the program's file: the largest power of two, up to 16, by
// which a compiler knows the remainder of its address. Of an address that it does not know itself it looks at
// no more than what the variable's own address is a multiple of.
std::uintptr_t known_alignment(std::uint32_t place, std::uintptr_t address);

// Of an access to global memory at this place, as the member of a type that is aligned to more than it: how
// far. 1 of others.
std::uintptr_t type_alignment(std::uint32_t place);
// If the address of the access at this place depends on what the innermost loop around it loads: which load
// that is. 0 if it does not.
std::uint32_t what_address_varies_with(std::uint32_t place);
bool any_type_alignments();  // whether the program has any such access

}  // namespace simulator
