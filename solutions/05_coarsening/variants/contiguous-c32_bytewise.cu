// SPDX-License-Identifier: MIT
// Lab 05, contiguous, with pieces of 32 bytes, each byte loaded when it is counted.
#include "lab.hpp"

constexpr std::size_t bytes_per_piece = 32, pieces = 0;
constexpr bool loaded_first = false;

#include "contiguous.cuh"
