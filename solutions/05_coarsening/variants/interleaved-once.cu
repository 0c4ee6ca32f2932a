// SPDX-License-Identifier: MIT
// Lab 05, interleaved, each byte loaded when it is counted, and 4 bytes for each thread. So the grid grows with the input,
// and 1,024 bytes have a commit, as in contiguous-c4_once.cu.
#include "lab.hpp"

constexpr std::size_t bytes_under_way = 1, bytes_per_thread = 4;
constexpr bool any_grid = true;

#include "interleaved.cuh"
