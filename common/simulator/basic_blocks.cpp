// SPDX-License-Identifier: MIT
#include "simulator/basic_blocks.hpp"

#include <unordered_map>

#include "simulator/program_image.hpp"

// The list's ends, by the linker; null where no unit has one.
extern "C" {
extern const simulator::BlockContents __start_simulator_blocks[] __attribute__((weak, visibility("hidden")));
extern const simulator::BlockContents __stop_simulator_blocks[] __attribute__((weak, visibility("hidden")));
}

namespace simulator {

namespace {

std::unordered_map<std::uint32_t, BlockContents> all_blocks() {
  std::unordered_map<std::uint32_t, BlockContents> blocks;
  for (const BlockContents* one = __start_simulator_blocks; one != __stop_simulator_blocks; ++one) {
    const auto begin =
        reinterpret_cast<std::uintptr_t>(one) + static_cast<std::uintptr_t>(std::intptr_t{one->begin});
    // A place is inside the call that the block begins with.
    blocks.emplace(static_cast<std::uint32_t>(ProgramImage::instance().place_of(begin - 1)), *one);
  }
  return blocks;
}

}  // namespace

BlockContents contents_of_block(std::uint32_t place) {
  static const std::unordered_map<std::uint32_t, BlockContents> blocks = all_blocks();
  const auto found = blocks.find(place);
  return found == blocks.end() ? BlockContents{} : found->second;
}

}  // namespace simulator
