// SPDX-License-Identifier: MIT
// The device that the simulator stands for where a kernel's launch asks: an H200 (compute capability 9.0), by
// the tables of the CUDA C++ Programming Guide ("Technical specifications per compute capability"). Registers
// are not modelled: a kernel is taken to need no more than 32 a thread, with which they limit nothing.
#pragma once

#include <cstddef>

#include "facts/launch_shape.hpp"

namespace simulator {

struct ModelDevice {
  static constexpr const char* name = "simulated device (after the H200)";
  static constexpr unsigned multiprocessors = 132;
  static constexpr unsigned threads_of_block = facts::most_threads_of_block;
  static constexpr unsigned threads_of_multiprocessor = 2048;
  static constexpr unsigned blocks_of_multiprocessor = 32;
  static constexpr unsigned lanes = 32;
  static constexpr std::size_t shared_bytes_of_block = std::size_t{227} * 1024;
  static constexpr std::size_t shared_bytes_of_multiprocessor = std::size_t{228} * 1024;
  static constexpr std::size_t reserved_shared_bytes = 1024;  // the system's own, in every block
  static constexpr unsigned grid_x = facts::most_blocks_of_grid, grid_y = 65535, grid_z = 65535;
  static constexpr unsigned block_x = 1024, block_y = 1024, block_z = 64;
};

// The device that a launch shape is told of: the one above, unless a launch on another is asked about.
struct LaunchDevice {
  unsigned multiprocessors = ModelDevice::multiprocessors, threads = ModelDevice::threads_of_multiprocessor,
           blocks = ModelDevice::blocks_of_multiprocessor;
  std::size_t shared_bytes = ModelDevice::shared_bytes_of_multiprocessor;
};
extern LaunchDevice launch_device;

// What a kernel's file is told of it: by functions, since launch_shape may touch no memory but its own.
unsigned launch_multiprocessors();
unsigned launch_resident_blocks(unsigned threads, std::size_t shared_bytes);

// How many blocks of that many threads and that much dynamic shared memory are resident on one multiprocessor
// at a time; 0 if such a block cannot be launched. Static shared memory is not counted.
constexpr unsigned resident_blocks(unsigned threads, std::size_t shared_bytes,
                                   const LaunchDevice& device = {}) {
  if (threads == 0 || threads > ModelDevice::threads_of_block) return 0;
  if (shared_bytes > ModelDevice::shared_bytes_of_block) return 0;
  const unsigned warps = (threads + ModelDevice::lanes - 1) / ModelDevice::lanes;
  unsigned blocks = device.threads / (warps * ModelDevice::lanes);
  if (blocks > device.blocks) blocks = device.blocks;
  const auto by_memory =
      static_cast<unsigned>(device.shared_bytes / (shared_bytes + ModelDevice::reserved_shared_bytes));
  return blocks < by_memory ? blocks : by_memory;
}

}  // namespace simulator
