// SPDX-License-Identifier: MIT
// `extern __shared__ T name[];` declares an array that nobody defines: on a GPU the launch says how large it
// is. In a simulated program the linker wants a definition, so lab-dynamic-shared reads the compiled kernel,
// finds the names that are missing and writes a source file that defines them, and this function.
#pragma once

#include <cstddef>

namespace simulator {

// The most dynamic shared memory that a block of the model device may have: 227 KiB, as on compute
// capability 9.0.
constexpr std::size_t dynamic_shared_capacity = 227 * 1024;

// Every shared array begins at a multiple of this, as `__shared__` in simulator/cuda/qualifiers.hpp says:
// bank 0, and a distance from the next array in which an access beyond the end is seen.
constexpr std::size_t shared_alignment = 4096;

// Where the program's dynamic shared arrays begin, or null where it has none. Written by lab-dynamic-shared.
unsigned char* dynamic_shared_begin();

}  // namespace simulator
