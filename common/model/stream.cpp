// SPDX-License-Identifier: MIT
#include "model/stream.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace model {

namespace {

constexpr unsigned step_bytes = 5, computed_bit = 0x80;

}  // namespace

unsigned sector_turns(const std::vector<std::uintptr_t>& addresses) {
  constexpr std::uintptr_t word_bytes = 4, words_of_sector = 8;
  std::map<std::uintptr_t, unsigned> lanes_of_word;
  std::map<std::uintptr_t, unsigned> fullest;  // by sector
  for (const std::uintptr_t address : addresses) {
    const std::uintptr_t word = address / word_bytes;
    unsigned& most = fullest[word / words_of_sector];
    most = std::max(most, ++lanes_of_word[word]);
  }
  unsigned turns = 0;
  for (const auto& [sector, most] : fullest) turns += most;
  return turns;
}

std::vector<unsigned char> pack(const std::vector<BlockSteps>& blocks) {
  std::vector<unsigned char> bytes;
  const auto put = [&](const Step& step) {
    bytes.insert(bytes.end(), {static_cast<unsigned char>(static_cast<unsigned>(step.kind) |
                                                          (step.computed ? computed_bit : 0)),
                               step.entered, step.cost, step.sectors, step.place});
  };
  for (const BlockSteps& block : blocks) {
    put({.kind = StepKind::block_begins});
    for (const WarpSteps& warp : block.warps) {
      put({.kind = StepKind::warp_begins});
      for (const Step& step : warp) put(step);
    }
  }
  return bytes;
}

std::vector<BlockSteps> unpack(const std::vector<unsigned char>& bytes) {
  const auto require = [](bool condition) {
    if (!condition) throw std::invalid_argument("no stream of warp instructions");
  };
  require(bytes.size() % step_bytes == 0);
  std::vector<BlockSteps> blocks;
  for (std::size_t i = 0; i < bytes.size(); i += step_bytes) {
    const unsigned kind = bytes[i] & ~computed_bit;
    require(kind < static_cast<unsigned>(StepKind::count));
    const Step step{static_cast<StepKind>(kind),
                    (bytes[i] & computed_bit) != 0,
                    bytes[i + 1],
                    bytes[i + 2],
                    bytes[i + 3],
                    bytes[i + 4]};
    if (step.kind == StepKind::block_begins) {
      blocks.emplace_back();
      continue;
    }
    require(!blocks.empty());
    if (step.kind == StepKind::warp_begins) {
      blocks.back().warps.emplace_back();
      continue;
    }
    require(!blocks.back().warps.empty());
    blocks.back().warps.back().push_back(step);
  }
  return blocks;
}

}  // namespace model
