// SPDX-License-Identifier: MIT
// Lab 05, contiguous, with pieces of 8 bytes instead of 16.
#include "lab.hpp"

constexpr std::size_t bytes_per_piece = 8, pieces = 0;
constexpr bool loaded_first = true;

#include "contiguous.cuh"
