// SPDX-License-Identifier: MIT
// Runs a kernel on the simulated device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/cuda/types.hpp"

namespace simulator {

struct LaunchConfiguration {
  dim3 grid, block;
  std::size_t dynamic_shared_bytes = 0;
};

// What one thread of the grid does: the kernel, applied to its arguments.
struct ThreadProgram {
  void (*run)(const void* arguments);
  const void* arguments;
};

struct ThreadLocation {
  uint3 thread, block;
};

enum class HazardKind { out_of_bounds, divergent_barrier };

// Something that the kernel must not do. Several of one kind at one place are one hazard with their number.
struct Hazard {
  HazardKind kind;
  std::string what;                  // one sentence, without the names of the kernel's variables
  ThreadLocation first;              // the first thread that did it
  std::vector<std::uintptr_t> sites; // the code addresses that explain it: of the call, minus 1
  std::uint64_t occurrences = 1;
};

// Counted while the kernel ran; each is what the profiler metric in docs/counters.md says.
struct Counters {
  std::uint64_t threads = 0;
  std::uint64_t warps = 0;
  std::uint64_t barriers = 0;         // block barriers, once for each warp that takes part
  std::uint64_t global_atomics = 0;   // lanes
  std::uint64_t shared_atomics = 0;   // lanes
};

struct LaunchResult {
  // Set if the device refuses the launch, as CUDA would, in CUDA's words; nothing ran then.
  std::optional<std::string> refused;
  std::vector<Hazard> hazards;
  Counters counters;
};

// Runs every thread of the grid, block after block. All blocks see the same memory; shared memory is poisoned
// before each block, as a GPU does not clear it either. Not reentrant: one launch at a time.
LaunchResult launch(const LaunchConfiguration& configuration, ThreadProgram program);

}  // namespace simulator
