// SPDX-License-Identifier: MIT
#include "simulator/checkers/kept_loads.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "simulator/access_alignments.hpp"
#include "simulator/checkers/shared_banks.hpp"
#include "simulator/program_image.hpp"

namespace simulator {

using facts::Counter;

void KeptLoads::bring_to_front(unsigned number) {
  const std::uint8_t load = order_[number];
  std::copy_backward(order_.begin(), order_.begin() + number, order_.begin() + number + 1);
  order_.front() = load;
}

void KeptLoads::remember(const WarpAccess& access, std::uint32_t varies_with) {
  bring_to_front(static_cast<unsigned>(order_.size()) - 1);
  Load& load = loads_[order_.front()];
  load.place = access.place;
  load.block = blocks_[access.warp];
  load.varies_with = varies_with;
  load.warp = access.warp;
  load.lanes = access.lanes;
  load.size = access.size;
  load.passed_by = 0;
  load.of_earlier_round = load.is_behind_loop = false;
  load.together = 0;
  load.addresses = access.operands->address;
  count_ = std::min(count_ + 1, static_cast<unsigned>(loads_.size()));
}

bool KeptLoads::is_loaded_beside(const WarpAccess& access, facts::Counters& missing) {
  if (access.size < word_bytes || access.size >= most_access_bytes) return false;
  for (unsigned i = 0; i < count_; ++i) {
    Load& load = loads_[order_[i]];
    const bool is_in_front = load.warp == access.warp && (access.lanes & ~load.lanes) == 0 &&
                             (load.passed_by & ~load.lanes) == 0 && load.block != blocks_[access.warp] &&
                             !load.of_earlier_round && !load.is_behind_loop;
    if (!is_in_front || load.size != access.size) continue;
    const ProgramImage& program = ProgramImage::instance();
    const auto first_lane = static_cast<unsigned>(std::countr_zero(access.lanes));
    const std::uintptr_t here = access.address(first_lane), there = load.addresses[first_lane];
    const auto distance =
        static_cast<std::intptr_t>(program.place_on_device(here) - program.place_on_device(there));
    // (The same word by an address that is computed in another way is the same by chance.)
    if (distance == 0 || static_cast<std::uintptr_t>(std::abs(distance)) >= most_access_bytes) continue;
    bool is_same = true;
    for_each_lane(access.lanes, [&](unsigned lane) {
      is_same &= access.address(lane) - load.addresses[lane] == here - there;
    });
    const auto [known, is_new] = neighbours_.try_emplace(pair_of(load.place, access.place));
    Pair& pair = known->second;
    if (is_new) pair.distance = distance;
    if (pair.is_refuted) continue;
    if (!is_same || pair.distance != distance) {
      pair.is_refuted = true;
      missing += pair.left_out;
    } else if (const auto more = widen(load, access, distance)) {
      count(access, pair.left_out);
      pair.left_out[Counter::shared_load_wavefronts] -= *more;
      missing[Counter::shared_load_wavefronts] += *more;
      return true;
    }
  }
  return false;
}

// Halves of aligned bytes are loaded together, and so are three words of four.
std::optional<unsigned> KeptLoads::widen(Load& load, const WarpAccess& access, std::intptr_t distance) {
  const unsigned size = access.size;
  const auto first_lane = static_cast<unsigned>(std::countr_zero(load.lanes));
  const std::uintptr_t first = ProgramImage::instance().place_on_device(load.addresses[first_lane]);
  const std::uintptr_t shift = first - load.addresses[first_lane];
  const std::uintptr_t alignment =
      std::min({common_alignment(load.lanes, most_access_bytes,
                                 [&](unsigned lane) { return load.addresses[lane] + shift; }),
                known_alignment(load.place, load.addresses[first_lane]),
                known_alignment(access.place, load.addresses[first_lane])});
  const std::uintptr_t begin = first % most_access_bytes,
                       other = begin + static_cast<std::uintptr_t>(distance);
  if (other >= most_access_bytes) return std::nullopt;
  const auto element = [&](std::uintptr_t at) { return 1u << at / size; };
  const auto bytes_of = [&](unsigned together) -> unsigned {
    const unsigned lower = element(0) | element(size), upper = lower << 2;
    if (std::has_single_bit(together)) return size;
    if (together == lower || together == upper) return 2 * size;
    return std::popcount(together) >= 3 ? most_access_bytes : 0;
  };
  const unsigned before = load.together != 0 ? load.together : element(begin),
                 after = before | element(other);
  const unsigned bytes = bytes_of(after);
  if (bytes == 0 || bytes > alignment) return std::nullopt;
  load.together = after;
  const auto wavefronts_with = [&](unsigned width) {
    Operands operands;
    for_each_lane(load.lanes, [&](unsigned lane) {
      operands.address[lane] = (load.addresses[lane] + shift) / width * width;
    });
    WarpAccess whole = access;
    whole.lanes = load.lanes;
    whole.size = width;
    whole.operands = &operands;
    return wavefronts(whole);
  };
  const unsigned wide = wavefronts_with(bytes), narrow = wavefronts_with(bytes_of(before));
  return wide - std::min(wide, narrow);
}

void KeptLoads::shared_array_changes(const WarpAccess& atomic) {
  if (count_ == 0) return;
  const auto first_lane = static_cast<unsigned>(std::countr_zero(atomic.lanes));
  const SharedArray* const array = ProgramImage::instance().shared_array_at(atomic.address(first_lane));
  if (!array) return shared_memory_changes();
  for (Load& load : loads_) {
    if (load.lanes == 0) continue;
    const auto lane = static_cast<unsigned>(std::countr_zero(load.lanes));
    if (load.addresses[lane] - array->begin < array->bytes) load.lanes = 0;
  }
  passes_by(atomic.warp, atomic.lanes);
}

void KeptLoads::passes_by(unsigned warp, unsigned lanes) {
  if (count_ == 0) return;
  for (Load& load : loads_) load.passed_by |= load.warp == warp ? lanes : 0;
}

// Where the program goes back a loop begins its next round, or a function is called. What was loaded in front
// of the loop stays.
void KeptLoads::go_back(unsigned warp, std::uint32_t place) {
  for (Load& load : loads_) {
    if (load.warp != warp) continue;
    load.of_earlier_round |= load.block >= place;
    load.is_behind_loop = true;
  }
}

}  // namespace simulator
