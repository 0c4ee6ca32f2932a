// SPDX-License-Identifier: MIT
// How much of the addresses of the simulated program's accesses a compiler knows, by the list that lab-guard
// has made (known_alignments.hpp).
#pragma once

#include <cstdint>

namespace simulator {

// Of the access at this place, in the program's file: the largest power of two, up to 16, by which a compiler
// knows the address's remainder.
std::uintptr_t known_alignment(std::uint32_t place);

}  // namespace simulator
