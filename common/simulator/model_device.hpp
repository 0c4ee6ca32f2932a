// SPDX-License-Identifier: MIT
// The device that the simulator stands for where a kernel's launch asks: an H200 (compute capability 9.0), by
// the tables of the CUDA C++ Programming Guide ("Technical specifications per compute capability"). How many
// registers a kernel needs is known only where nvcc has said so; else they limit nothing.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "facts/launch_shape.hpp"
#include "facts/occupancy.hpp"

namespace simulator {

struct ModelDevice {
  static constexpr const char* name = "simulated device (after the H200)";
  static constexpr unsigned multiprocessors = 132;
  static constexpr unsigned threads_of_block = facts::most_threads_of_block;
  static constexpr unsigned lanes = 32;
  static constexpr std::size_t shared_bytes_of_block = std::size_t{227} * 1024;
  static constexpr facts::MultiprocessorLimits limits{.threads = 2048,
                                                      .blocks = 32,
                                                      .shared_bytes = std::uint64_t{228} * 1024,
                                                      .registers = 65536,
                                                      .schedulers = 4};
  static constexpr unsigned grid_x = facts::most_blocks_of_grid, grid_y = 65535, grid_z = 65535;
  static constexpr unsigned block_x = 1024, block_y = 1024, block_z = 64;
};

// The device that a launch shape is told of: the one above, unless a launch on another is asked about.
struct LaunchDevice {
  unsigned multiprocessors = ModelDevice::multiprocessors;
  facts::MultiprocessorLimits limits = ModelDevice::limits;
  std::map<std::string, unsigned> registers =
      {};                  // of a thread, by a kernel's linker name; others limit nothing
  bool was_asked = false;  // how many multiprocessors it has
};
extern LaunchDevice launch_device;

// What a kernel's file is told of it: by functions, since launch_shape may touch no memory but its own.
unsigned launch_multiprocessors();
// `kernel`: its address. Its `__shared__` arrays count.
unsigned launch_resident_blocks(const void* kernel, unsigned threads, std::size_t dynamic_shared_bytes);

// How many such blocks are resident on one multiprocessor at a time; 0 if one cannot be launched.
constexpr unsigned resident_blocks(const facts::BlockNeeds& block,
                                   const facts::MultiprocessorLimits& limits = ModelDevice::limits) {
  if (block.threads > ModelDevice::threads_of_block) return 0;
  if (block.shared_bytes > ModelDevice::shared_bytes_of_block) return 0;
  return facts::resident_blocks(block, limits);
}

}  // namespace simulator
