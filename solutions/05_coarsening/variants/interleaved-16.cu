// SPDX-License-Identifier: MIT
// Lab 05, interleaved, with 16 bytes under way instead of 8.
#include "lab.hpp"

constexpr std::size_t bytes_under_way = 16, bytes_per_thread = 16;
constexpr bool any_grid = false;

#include "interleaved.cuh"
