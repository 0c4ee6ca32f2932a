// SPDX-License-Identifier: MIT
#include "model/stream.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

namespace model {

namespace {

constexpr unsigned computed_bit = 0x80, joins_bit = 0x40, counted_bit = 0x20, more_bit = 0x80;
constexpr unsigned flag_bits = computed_bit | joins_bit | counted_bit;
constexpr std::size_t most_different = std::size_t{1} << 32;

constexpr std::size_t step_bytes = 22;
using PackedStep = std::array<unsigned char, step_bytes>;

// A load of global memory: its warp in the block, and its number among the warp's.
struct Load {
  std::size_t warp = 0, number = 0;
};

// Where a load lies that has `half_of` in common with this one, so that equal ways are equal bytes: so many
// warps before, and loads further on. 0 and 0: nowhere.
struct WayBack {
  std::uint8_t warps = 0;
  std::int16_t loads = 0;
  bool is_none() const { return warps == 0 && loads == 0; }
};

WayBack way_back(const Load& from, const Load& to) {
  const auto loads = static_cast<std::ptrdiff_t>(to.number) - static_cast<std::ptrdiff_t>(from.number);
  using Limits = std::numeric_limits<std::int16_t>;
  if (loads < Limits::min() || loads > Limits::max()) return {};
  return {static_cast<std::uint8_t>(from.warp - to.warp), static_cast<std::int16_t>(loads)};
}

PackedStep packed_step(const Step& step, const WayBack& other_half) {
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
          step.ways,
          other_half.warps,
          static_cast<unsigned char>(other_half.loads & 0xff),
          static_cast<unsigned char>(other_half.loads >> 8 & 0xff)};
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

WayBack other_half_of(const PackedStep& bytes) {
  return {bytes[19], static_cast<std::int16_t>(bytes[20] | bytes[21] << 8)};
}

// Puts blocks together again, step by step. Throws where a step cannot stand where it does.
class Unpacked {
 public:
  void add(Step step, const WayBack& other_half) {
    if (step.kind == StepKind::block_begins) {
      blocks.emplace_back();
      loads_.clear();
      halves_ = 0;
      return;
    }
    require(!blocks.empty());
    std::vector<WarpSteps>& warps = blocks.back().warps;
    if (step.kind == StepKind::warp_begins) {
      warps.emplace_back();
      loads_.emplace_back();
      return;
    }
    require(!warps.empty());
    if (step.kind == StepKind::global_load) {
      if (!other_half.is_none()) step.half_of = number_of(other_half);
      loads_.back().push_back(warps.back().size());
    }
    warps.back().push_back(step);
  }

  static void require(bool condition) {
    if (!condition) throw std::invalid_argument("no stream of warp instructions");
  }

  std::vector<BlockSteps> blocks;

 private:
  // Of the load there, which may not have one yet.
  std::uint16_t number_of(const WayBack& back) {
    require(back.warps < loads_.size());
    const std::size_t warp = loads_.size() - 1 - back.warps;
    const std::ptrdiff_t load = static_cast<std::ptrdiff_t>(loads_.back().size()) + back.loads;
    require(load >= 0 && load < static_cast<std::ptrdiff_t>(loads_[warp].size()));
    Step& other = blocks.back().warps[warp][loads_[warp][static_cast<std::size_t>(load)]];
    if (other.half_of == 0) other.half_of = ++halves_;
    return other.half_of;
  }

  std::vector<std::vector<std::size_t>> loads_;  // of the block's warps, as places in their lists
  std::uint16_t halves_ = 0;
};

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
  const auto put = [&](const Step& step, const WayBack& other_half = {}) {
    const PackedStep packed = packed_step(step, other_half);
    const auto [entry, is_new] = known.try_emplace(packed, known.size());
    std::size_t number = entry->second;
    for (; number >= more_bit; number /= more_bit)
      bytes.push_back(static_cast<unsigned char>(number % more_bit | more_bit));
    bytes.push_back(static_cast<unsigned char>(number));
    if (is_new) bytes.insert(bytes.end(), packed.begin(), packed.end());
  };
  for (const BlockSteps& block : blocks) {
    put({.kind = StepKind::block_begins});
    std::map<std::uint16_t, Load> halves;  // the first load of each number
    for (Load at; at.warp < block.warps.size(); ++at.warp) {
      put({.kind = StepKind::warp_begins});
      at.number = 0;
      for (const Step& step : block.warps[at.warp]) {
        put(step,
            step.half_of == 0 ? WayBack{} : way_back(at, halves.try_emplace(step.half_of, at).first->second));
        at.number += step.kind == StepKind::global_load;
      }
    }
  }
  return bytes;
}

std::vector<BlockSteps> unpack(const std::vector<unsigned char>& bytes) {
  const auto require = Unpacked::require;
  Unpacked unpacked;
  std::vector<std::pair<Step, WayBack>> known;
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
      known.emplace_back(step_of(packed), other_half_of(packed));
      i += step_bytes;
    }
    unpacked.add(known[number].first, known[number].second);
  }
  return std::move(unpacked.blocks);
}

}  // namespace model
