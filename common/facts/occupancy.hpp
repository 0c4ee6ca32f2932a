// SPDX-License-Identifier: MIT
// How many blocks a multiprocessor holds at a time (CUDA C++ Programming Guide, "Hardware Implementation" and
// "Technical specifications per compute capability").
#pragma once

#include <algorithm>
#include <cstdint>

namespace facts {

// What one multiprocessor has for its blocks.
struct MultiprocessorLimits {
  unsigned threads = 0, blocks = 0;
  std::uint64_t shared_bytes = 0;
  unsigned registers = 0, schedulers = 1;
};

struct BlockNeeds {
  unsigned threads = 0;
  std::uint64_t shared_bytes = 0;
  unsigned registers = 0;  // of a thread; 0: not known, and they limit nothing
};

// 0 if it holds none.
constexpr unsigned resident_blocks(const BlockNeeds& block, const MultiprocessorLimits& limits) {
  constexpr unsigned lanes = 32;
  constexpr unsigned registers_at_a_time = 256;          // that a warp is given
  constexpr std::uint64_t reserved_shared_bytes = 1024;  // the system's own, in every block
  const unsigned warps = (block.threads + lanes - 1) / lanes;
  if (warps == 0) return 0;
  const auto by_memory = limits.shared_bytes / (block.shared_bytes + reserved_shared_bytes);
  std::uint64_t blocks =
      std::min<std::uint64_t>({limits.threads / (warps * lanes), limits.blocks, by_memory});
  if (block.registers > 0) {
    // A scheduler has its own part of the registers.
    const unsigned of_warp =
        (block.registers * lanes + registers_at_a_time - 1) / registers_at_a_time * registers_at_a_time;
    blocks = std::min<std::uint64_t>(
        blocks, limits.registers / limits.schedulers / of_warp * limits.schedulers / warps);
  }
  return static_cast<unsigned>(blocks);
}

}  // namespace facts
