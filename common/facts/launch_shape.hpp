// SPDX-License-Identifier: MIT
// The shape of a launch, the limits that all devices share, and the work of one simulated thread.
#pragma once

#include <cstddef>

// How a kernel is launched: `grid` blocks of `block` threads, and the bytes of `extern __shared__` arrays
// that each block gets.
struct LaunchShape {
  unsigned grid, block;
  std::size_t shared_bytes = 0;
};

namespace facts {

// No device takes more (CUDA C++ Programming Guide, "Technical specifications per compute capability").
constexpr unsigned most_threads_of_block = 1024, most_blocks_of_grid = 0x7fffffff;

// The work of one simulated thread: the kernel, applied to its arguments.
struct ThreadProgram {
  void (*run)(const void* arguments);
  const void* arguments;
};

}  // namespace facts
