// SPDX-License-Identifier: MIT
// Lab 05, interleaved, each byte loaded when it is counted.
#include "lab.hpp"

constexpr std::size_t bytes_under_way = 1, bytes_per_thread = 16;
constexpr bool any_grid = false;

#include "interleaved.cuh"
