// SPDX-License-Identifier: MIT
#include "model/last_block.hpp"

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace model {

namespace {

// Numbers of places, of which two may have the same by chance.
using Places = std::bitset<std::numeric_limits<std::uint8_t>::max() + 1>;

// So much of the part lies at places of its own, at least.
constexpr double own_part = 0.5;

Places places_of_others(const Stream& stream) {
  Places places;
  places.set(0);  // barriers and ends are everywhere
  for (std::size_t b = 0; b + 1 < stream.blocks.size(); ++b) {
    for (const WarpSteps& warp : stream.blocks[b].warps) {
      for (const Step& step : warp) places.set(step.place);
    }
  }
  return places;
}

// Where it begins in a warp's steps; at the last one, the warp's end, if there is no such part.
std::size_t begin_of_part(const WarpSteps& steps, const Places& others) {
  const auto is_own = [&](const Step& step) { return !others[step.place]; };
  const auto begin = std::ranges::find_if(steps, is_own);
  const auto own = std::count_if(begin, steps.end(), is_own);
  const auto placed = std::count_if(begin, steps.end(), [](const Step& step) { return step.place != 0; });
  if (own == 0 || static_cast<double>(own) < own_part * static_cast<double>(placed))
    return steps.empty() ? 0 : steps.size() - 1;
  return static_cast<std::size_t>(begin - steps.begin());
}

// Where it begins in each warp's steps, behind as many barriers in all of them, or before the next one; at a
// warp's end if it does nothing more. Empty if no warp has such a part.
std::vector<std::size_t> begins_of_part(const Stream& stream) {
  if (stream.blocks.size() < 2) return {};
  const Places others = places_of_others(stream);
  const std::vector<WarpSteps>& warps = stream.blocks.back().warps;
  const auto is_barrier = [](const Step& step) { return step.kind == StepKind::block_barrier; };
  std::vector<std::size_t> begins;
  std::optional<std::ptrdiff_t> barriers;  // before the first of all parts
  for (const WarpSteps& warp : warps) {
    begins.push_back(begin_of_part(warp, others));
    if (begins.back() + 1 >= warp.size()) continue;
    const auto begin = warp.begin() + static_cast<std::ptrdiff_t>(begins.back());
    const auto before = std::count_if(warp.begin(), begin, is_barrier);
    barriers = std::min(barriers.value_or(before), before);
  }
  if (!barriers) return {};
  for (std::size_t w = 0; w < warps.size(); ++w) {
    std::ptrdiff_t passed = 0;
    const auto next = std::ranges::find_if(
        warps[w], [&](const Step& step) { return is_barrier(step) && passed++ == *barriers; });
    begins[w] = std::min(begins[w], static_cast<std::size_t>(next - warps[w].begin()));
  }
  return begins;
}

}  // namespace

std::optional<BlockSteps> part_of_last_block(const Stream& stream) {
  const std::vector<std::size_t> begins = begins_of_part(stream);
  if (begins.empty()) return std::nullopt;
  BlockSteps part;
  for (std::size_t w = 0; w < begins.size(); ++w) {
    const WarpSteps& warp = stream.blocks.back().warps[w];
    part.warps.emplace_back(warp.begin() + static_cast<std::ptrdiff_t>(begins[w]), warp.end());
  }
  return part;
}

std::optional<LastBlock> last_block_of(const Stream& stream) {
  std::optional<BlockSteps> part = part_of_last_block(stream);
  if (!part) return std::nullopt;
  return LastBlock{stream.blocks.back(), std::move(*part), stream.grid};
}

Stream without_part_of_last_block(Stream stream) {
  const std::vector<std::size_t> begins = begins_of_part(stream);
  for (std::size_t w = 0; w < begins.size(); ++w) {
    WarpSteps& warp = stream.blocks.back().warps[w];
    warp.erase(warp.begin() + static_cast<std::ptrdiff_t>(begins[w]), warp.end() - 1);
  }
  return stream;
}

}  // namespace model
