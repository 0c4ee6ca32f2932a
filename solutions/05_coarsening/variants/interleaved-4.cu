// SPDX-License-Identifier: MIT
// Lab 05, interleaved, with 4 bytes under way instead of 8.
#include "lab.hpp"

constexpr std::size_t bytes_under_way = 4, bytes_per_thread = 16;
constexpr bool any_grid = false;

#include "interleaved.cuh"
