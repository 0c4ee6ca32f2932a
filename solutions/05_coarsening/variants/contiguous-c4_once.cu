// SPDX-License-Identifier: MIT
// Lab 05, contiguous, as in the write-up that PMPP's figure 9.12 leads to: each thread has 4 bytes, loaded when they are
// counted, and no more. So the grid grows with the input, and 1,024 bytes have a commit.
#include "lab.hpp"

constexpr std::size_t bytes_per_piece = 4, pieces = 1;
constexpr bool loaded_first = false;

#include "contiguous.cuh"
