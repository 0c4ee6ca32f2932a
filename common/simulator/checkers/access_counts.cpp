// SPDX-License-Identifier: MIT
#include "simulator/checkers/access_counts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "simulator/checkers/cas_loop.hpp"
#include "simulator/checkers/shared_banks.hpp"

namespace simulator {

using facts::Counter;

namespace {

constexpr std::uintptr_t sector_shift = 5;

// How often each bank is wanted. In bytes, so that the most of them is found in a few steps.
class BankUses {
 public:
  void add(std::uintptr_t word, bool is_new = true) {
    used_[word % banks] = static_cast<std::uint8_t>(used_[word % banks] + is_new);
  }
  unsigned most() const {
    std::uint8_t most = 0;
    for (const std::uint8_t uses : used_) most = std::max(most, uses);
    return most;
  }

 private:
  std::array<std::uint8_t, banks> used_{};
};

// Calls function(lane) for each of them. (Nearly always it is all.)
template <class Function>
[[gnu::always_inline]] inline void for_these_lanes(unsigned lanes, Function function) {
  if (lanes != ~0u) return for_each_lane(lanes, function);
  for (unsigned lane = 0; lane < ModelDevice::lanes; ++lane) function(lane);
}

// The most different words of one bank among the words that these lanes want.
unsigned most_words_of_a_bank(const WarpAccess& access, unsigned lanes) {
  // In which call a word was last wanted: nothing has to be cleared. All shared arrays of a program lie in
  // one stretch, which is shorter than this, so that no two of their words share an entry.
  constexpr std::size_t entries =
      std::bit_ceil(std::size_t{4} * ModelDevice::shared_bytes_of_block / word_bytes);
  static std::array<std::uint32_t, entries> wanted{};
  static std::uint32_t call = 0;
  if (++call == 0) wanted.fill(0), call = 1;
  BankUses uses;
  const auto want = [&uses, now = call](std::uintptr_t word) {
    uses.add(word, std::exchange(wanted[word % entries], now) != now);
  };
  if (access.size <= word_bytes) {
    for_these_lanes(lanes, [&](unsigned lane) { want(access.address(lane) >> word_shift); });
  } else {
    for_each_lane(lanes, [&](unsigned lane) {
      for (unsigned k = 0; k < access.size / word_bytes; ++k) want((access.address(lane) >> word_shift) + k);
    });
  }
  return uses.most();
}

// Accesses of 8 bytes by the two halves of a warp, or of 16 by the quarters of a half, go one after the
// other. They go together if each lane's neighbour, or each one's next but one, takes no part or wants the
// same.
bool pairs_go_together(const WarpAccess& access, unsigned lanes) {
  const auto goes_with = [&](unsigned distance) {
    bool all = true;
    for_each_lane(lanes, [&](unsigned lane) {
      const unsigned other = lane ^ distance;
      all &= (lanes >> other & 1) == 0 || access.address(other) == access.address(lane);
    });
    return all;
  };
  return goes_with(1) || goes_with(2);
}

unsigned most_lanes_of_a_bank(const WarpAccess& access, unsigned lanes) {
  BankUses uses;
  for_these_lanes(lanes, [&](unsigned lane) { uses.add(access.address(lane) >> word_shift); });
  return uses.most();
}

// Of an atomic that serves one lane after another; with 64 bits half a warp after the other.
unsigned turns_of_lanes(const WarpAccess& access) {
  if (access.size <= word_bytes) return most_lanes_of_a_bank(access, access.lanes);
  return most_lanes_of_a_bank(access, access.lanes & lower_half) +
         most_lanes_of_a_bank(access, access.lanes & ~lower_half);
}

// Of an atomic in global memory through an address of which nobody says where it lies: shared memory is asked
// first, which takes as long as lanes that all have a bank of their own.
unsigned turns_before_global_memory(const WarpAccess& access) {
  const bool has_both_halves = (access.lanes & lower_half) && (access.lanes & ~lower_half);
  return (access.size > word_bytes && has_both_halves ? 2 : 1) * (is_swap(access.kind) ? 2 : 1);
}

// How many there are: mostly all, and processors that can count them at once are not taken for granted.
unsigned number_of(unsigned lanes) {
  return lanes == ~0u ? ModelDevice::lanes : static_cast<unsigned>(std::popcount(lanes));
}

void global(const WarpAccess& access, facts::Counters& counters) {
  switch (access.kind) {
    case AccessKind::load:
      ++counters[Counter::global_load_requests];
      counters[Counter::global_load_sectors] += sectors(access);
      break;
    case AccessKind::store:
      ++counters[Counter::global_store_requests];
      counters[Counter::global_store_sectors] += sectors(access);
      break;
    default:
      ++counters[Counter::global_atomic_requests];
      counters[Counter::global_atomics] += number_of(access.lanes);
      if (is_generic(access.kind))
        counters[Counter::shared_atomic_wavefronts] += turns_before_global_memory(access);
  }
}

void shared(const WarpAccess& access, facts::Counters& counters) {
  switch (access.kind) {
    case AccessKind::load:
      ++counters[Counter::shared_load_requests];
      counters[Counter::shared_load_wavefronts] += wavefronts(access);
      break;
    case AccessKind::store:
      ++counters[Counter::shared_store_requests];
      counters[Counter::shared_store_wavefronts] += wavefronts(access);
      break;
    case AccessKind::cas_loop:
    case AccessKind::cas_loop_if_changed: {
      const CasLoop loop = cas_loop_of(access);
      counters[Counter::shared_load_requests] += loop.loads;
      counters[Counter::shared_load_wavefronts] += loop.load_wavefronts;
      counters[Counter::shared_atomic_requests] += loop.swaps;
      counters[Counter::shared_atomic_wavefronts] += loop.swap_wavefronts;
      counters[Counter::shared_atomics] += number_of(access.lanes);
      break;
    }
    default:
      // A profiler counts instructions for shared memory; a generic one is none.
      counters[Counter::shared_atomic_requests] += !is_generic(access.kind);
      counters[Counter::shared_atomic_wavefronts] += wavefronts(access);
      counters[Counter::shared_atomics] += number_of(access.lanes);
  }
}

}  // namespace

void count_step(unsigned lanes, facts::Counters& counters) {
  ++counters[Counter::warp_steps];
  counters[Counter::thread_steps] += number_of(lanes);
}

unsigned sectors(const WarpAccess& access) {
  if (access.lanes == ~0u) {
    const std::uintptr_t first = access.address(0), last = access.address(ModelDevice::lanes - 1),
                         stride = access.address(1) - first;
    if (last >= first && goes_by(access, stride)) {
      const std::uintptr_t from_first_to_last = (last >> sector_shift) - (first >> sector_shift) + 1;
      return static_cast<unsigned>(std::min<std::uintptr_t>(from_first_to_last, ModelDevice::lanes));
    }
  }
  if (access.lanes == ~0u) {
    std::uintptr_t last = access.address(0) >> sector_shift;
    unsigned count = 1;
    bool goes_down = false;
    for (const std::uintptr_t address : access.operands->address) {
      const std::uintptr_t sector = address >> sector_shift;
      count += sector != last;
      goes_down |= sector < last;
      last = sector;
    }
    if (!goes_down) return count;
  }
  // Lanes mostly go upwards: a sector above all those found is new, and the last ones found are the first to
  // look at.
  std::array<std::uintptr_t, ModelDevice::lanes> found;
  std::uintptr_t highest = 0;
  unsigned count = 0;
  for_each_lane(access.lanes, [&](unsigned lane) {
    const std::uintptr_t sector = access.address(lane) >> sector_shift;
    if (sector <= highest) {
      for (unsigned i = count; i > 0; --i) {
        if (found[i - 1] == sector) return;
      }
    } else {
      highest = sector;
    }
    found[count++] = sector;
  });
  return count;
}

unsigned wavefronts(const WarpAccess& access) {
  if (access.kind == AccessKind::atomic || access.kind == AccessKind::generic_atomic)
    return turns_of_lanes(access);
  if (is_swap(access.kind)) return 2 * turns_of_lanes(access);
  if (access.size <= word_bytes) return most_words_of_a_bank(access, access.lanes);
  // All banks together serve 8 bytes of half a warp, or 16 of a quarter. Two such parts of it may go
  // together.
  const bool is_long = access.size == 2 * word_bytes;
  unsigned total = 0;
  for (const unsigned part : is_long ? std::array{~0u, 0u} : std::array{lower_half, ~lower_half}) {
    const unsigned lanes = access.lanes & part, lower = part & (is_long ? lower_half : 0x00ff00ffu);
    total += access.kind == AccessKind::load && pairs_go_together(access, lanes)
                 ? most_words_of_a_bank(access, lanes)
                 : most_words_of_a_bank(access, lanes & lower) + most_words_of_a_bank(access, lanes & ~lower);
  }
  return total;
}

void count(const WarpAccess& access, facts::Counters& counters) {
  count_step(access.lanes, counters);
  access.space == Space::global ? global(access, counters) : shared(access, counters);
}

}  // namespace simulator
