// SPDX-License-Identifier: MIT
#include "model/stream.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <stdexcept>

namespace model {

namespace {

constexpr unsigned computed_bit = 0x80, joins_bit = 0x40, counted_bit = 0x20, more_bit = 0x80;
constexpr unsigned flag_bits = computed_bit | joins_bit | counted_bit;
constexpr std::size_t most_different = std::size_t{1} << 32;

constexpr std::size_t step_bytes = 19;
using PackedStep = std::array<unsigned char, step_bytes>;

PackedStep packed_step(const Step& step) {
  const unsigned kind = static_cast<unsigned>(step.kind) | (step.computed ? computed_bit : 0) |
                        (step.joins ? joins_bit : 0) | (step.in_counted_loop ? counted_bit : 0);
  return {static_cast<unsigned char>(kind),
          step.entered,
          step.branches,
          step.divisions,
          static_cast<unsigned char>(step.arithmetic & 0xff),
          static_cast<unsigned char>(step.arithmetic >> 8),
          step.bytes,
          static_cast<unsigned char>(step.cost & 0xff),
          static_cast<unsigned char>(step.cost >> 8),
          step.sectors,
          step.full_turns,
          step.lines,
          static_cast<unsigned char>(step.half_pieces),
          step.place,
          step.rounds,
          step.word,
          step.folded,
          step.jumps,
          step.ways};
}

Step step_of(const PackedStep& bytes) {
  return {.kind = static_cast<StepKind>(bytes[0] & ~flag_bits),
          .computed = (bytes[0] & computed_bit) != 0,
          .joins = (bytes[0] & joins_bit) != 0,
          .in_counted_loop = (bytes[0] & counted_bit) != 0,
          .entered = bytes[1],
          .folded = bytes[16],
          .branches = bytes[2],
          .divisions = bytes[3],
          .jumps = bytes[17],
          .ways = bytes[18],
          .arithmetic = static_cast<std::uint16_t>(bytes[4] | bytes[5] << 8),
          .bytes = bytes[6],
          .cost = static_cast<std::uint16_t>(bytes[7] | bytes[8] << 8),
          .sectors = bytes[9],
          .full_turns = bytes[10],
          .lines = bytes[11],
          .half_pieces = static_cast<std::int8_t>(bytes[12]),
          .place = bytes[13],
          .rounds = bytes[14],
          .word = bytes[15]};
}

}  // namespace

SectorTurns sector_turns(const std::vector<std::uintptr_t>& addresses, unsigned bytes_of_word) {
  constexpr std::uintptr_t sector_bytes = 32;
  std::map<std::uintptr_t, std::map<std::uintptr_t, unsigned>> lanes;  // by sector and word
  for (const std::uintptr_t address : addresses) ++lanes[address / sector_bytes][address / bytes_of_word];
  SectorTurns turns;
  for (const auto& [sector, words] : lanes) {
    const auto by_lanes = [](const auto& one, const auto& other) { return one.second < other.second; };
    const auto [emptiest, fullest] = std::ranges::minmax_element(words, by_lanes);
    turns.all += fullest->second;
    if (words.size() == sector_bytes / bytes_of_word) turns.full += emptiest->second;
  }
  return turns;
}

// Of the steps of a kernel few are different. Each is a number, seven bits a byte, the lowest first: how many
// different ones came before its first time. There the step itself follows.
std::vector<unsigned char> pack(const std::vector<BlockSteps>& blocks) {
  std::vector<unsigned char> bytes;
  std::map<PackedStep, std::size_t> known;
  const auto put = [&](const Step& step) {
    const PackedStep packed = packed_step(step);
    const auto [entry, is_new] = known.try_emplace(packed, known.size());
    std::size_t number = entry->second;
    for (; number >= more_bit; number /= more_bit)
      bytes.push_back(static_cast<unsigned char>(number % more_bit | more_bit));
    bytes.push_back(static_cast<unsigned char>(number));
    if (is_new) bytes.insert(bytes.end(), packed.begin(), packed.end());
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
  std::vector<BlockSteps> blocks;
  const auto add = [&](const Step& step) {
    if (step.kind == StepKind::block_begins) {
      blocks.emplace_back();
      return;
    }
    require(!blocks.empty());
    if (step.kind == StepKind::warp_begins) {
      blocks.back().warps.emplace_back();
      return;
    }
    require(!blocks.back().warps.empty());
    blocks.back().warps.back().push_back(step);
  };
  std::vector<Step> known;
  for (std::size_t i = 0; i < bytes.size();) {
    std::size_t number = 0, unit = 1;
    for (; bytes[i] >= more_bit; ++i, unit *= more_bit) {
      require(i + 1 < bytes.size() && unit < most_different);
      number += unit * (bytes[i] % more_bit);
    }
    number += unit * bytes[i++];
    require(number <= known.size());
    if (number == known.size()) {
      require(bytes.size() - i >= step_bytes);
      PackedStep packed;
      std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(i), step_bytes, packed.begin());
      require((packed[0] & ~flag_bits) < static_cast<unsigned>(StepKind::count));
      known.push_back(step_of(packed));
      i += step_bytes;
    }
    add(known[number]);
  }
  return blocks;
}

}  // namespace model
