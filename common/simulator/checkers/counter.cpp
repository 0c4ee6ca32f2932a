// SPDX-License-Identifier: MIT
#include "simulator/checkers/counter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace simulator {

using facts::Counter;

namespace {

constexpr std::uintptr_t sector_shift = 5, word_shift = 2;
constexpr unsigned banks = 32, word_bytes = 4;
constexpr unsigned most_bytes = 16;  // that a lane loads or stores at a time

// The most different words of one bank among the words that these lanes want.
unsigned most_words_of_a_bank(const WarpAccess& access, unsigned lanes) {
  // In which call a word was last wanted: nothing has to be cleared. All shared arrays of a program lie in
  // one stretch, which is shorter than this, so that no two of their words share an entry.
  constexpr std::size_t entries =
      std::bit_ceil(std::size_t{4} * ModelDevice::shared_bytes_of_block / word_bytes);
  static std::array<std::uint32_t, entries> wanted{};
  static std::uint32_t call = 0;
  if (++call == 0) wanted.fill(0), call = 1;
  std::array<std::uint8_t, banks> used{};
  unsigned most = 0;
  const auto want = [&](std::uintptr_t word) {
    if (std::exchange(wanted[word % entries], call) == call) return;
    most = std::max<unsigned>(most, ++used[word % banks]);
  };
  if (access.size <= word_bytes) {
    for_each_lane(lanes, [&](unsigned lane) { want(access.address(lane) >> word_shift); });
  } else {
    for_each_lane(lanes, [&](unsigned lane) {
      for (unsigned k = 0; k < access.size / word_bytes; ++k) want((access.address(lane) >> word_shift) + k);
    });
  }
  return most;
}

unsigned most_lanes_of_a_bank(const WarpAccess& access) {
  std::array<unsigned, banks> used{};
  unsigned most = 0;
  for_each_lane(access.lanes, [&](unsigned lane) {
    most = std::max(most, ++used[(access.address(lane) >> word_shift) % banks]);
  });
  return most;
}

// How many bytes nvcc makes one access of, of elements side by side.
unsigned most_joined_bytes(AccessKind kind, unsigned size) {
  if (size >= word_bytes) return most_bytes;
  return kind == AccessKind::store && size == 2 ? 8 : size;
}

// How many there are: mostly all, and processors that can count them at once are not taken for granted.
unsigned number_of(unsigned lanes) {
  return lanes == ~0u ? ModelDevice::lanes : static_cast<unsigned>(std::popcount(lanes));
}

void step(unsigned lanes, facts::Counters& counters) {
  ++counters[Counter::warp_steps];
  counters[Counter::thread_steps] += number_of(lanes);
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
    default:
      // A profiler counts instructions for shared memory; a generic one is none.
      counters[Counter::shared_atomic_requests] += access.kind != AccessKind::generic_atomic;
      counters[Counter::shared_atomic_wavefronts] += wavefronts(access);
      counters[Counter::shared_atomics] += number_of(access.lanes);
  }
}

}  // namespace

unsigned sectors(const WarpAccess& access) {
  if (is_in_a_row(access)) {
    const std::uintptr_t first = access.address(0),
                         last = access.address(ModelDevice::lanes - 1) + access.size - 1;
    return static_cast<unsigned>((last >> sector_shift) - (first >> sector_shift)) + 1;
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
    return most_lanes_of_a_bank(access);
  if (access.kind == AccessKind::compare_and_swap) return 2 * most_lanes_of_a_bank(access);
  const unsigned lanes_at_a_time = access.size > 2 * word_bytes ? ModelDevice::lanes / 2 : ModelDevice::lanes;
  unsigned total = 0;
  for (unsigned first = 0; first < ModelDevice::lanes; first += lanes_at_a_time) {
    const unsigned group =
        lanes_at_a_time == ModelDevice::lanes ? ~0u : ((1u << lanes_at_a_time) - 1) << first;
    total += most_words_of_a_bank(access, access.lanes & group);
  }
  return total;
}

bool Joined::goes_on(const WarpAccess& access) const {
  if (count_ == 0 || access.kind != first_.kind || access.warp != first_.warp ||
      access.lanes != first_.lanes || access.size != first_.size)
    return false;
  bool follows = true;
  for_each_lane(access.lanes, [&](unsigned lane) {
    follows = follows && access.address(lane) == first_.address(lane) + std::uintptr_t{count_} * access.size;
  });
  return follows;
}

void Joined::access(const WarpAccess& access) {
  if (access.space != Space::shared || is_atomic(access.kind) || access.strong) {
    flush();
    return issued(access);
  }
  if (goes_on(access)) {
    ++count_;
    return;
  }
  flush();
  first_ = access;
  operands_.address = access.operands->address;
  first_.operands = &operands_;
  count_ = 1;
}

// As few accesses as possible, each a power of two of bytes and aligned to it. For three words of four that
// are aligned together all four are loaded.
void Joined::flush() {
  const unsigned size = first_.size;
  const bool is_load = first_.kind == AccessKind::load;
  while (count_ > 0) {
    std::uintptr_t places = 0;
    bool behind_one = true;  // of four words
    for_each_lane(first_.lanes, [&](unsigned lane) {
      places |= operands_.address[lane];
      behind_one &= operands_.address[lane] % most_bytes == word_bytes;
    });
    unsigned together = 1, ahead = 0;
    const auto fits = [&](std::uintptr_t bytes) {
      return bytes <= most_joined_bytes(first_.kind, size) && places % bytes == 0;
    };
    while (2 * together <= count_ && fits(std::uintptr_t{2} * together * size)) together *= 2;
    first_.size = together * size;
    const bool is_three_of_four = is_load && size == word_bytes && count_ >= 3 &&
                                  (behind_one || (count_ == 3 && places % most_bytes == 0));
    if (is_three_of_four) {
      together = 3;
      first_.size = most_bytes;
      ahead = behind_one ? word_bytes : 0;
    }
    for_each_lane(first_.lanes, [&](unsigned lane) { operands_.address[lane] -= ahead; });
    issued(first_);
    for_each_lane(first_.lanes, [&](unsigned lane) { operands_.address[lane] += together * size + ahead; });
    count_ -= together;
  }
  first_.size = size;
}

void LaunchCounter::block_entered(unsigned, unsigned lanes, std::uint32_t) { step(lanes, counters_); }

void count(const WarpAccess& access, facts::Counters& counters) {
  step(access.lanes, counters);
  access.space == Space::global ? global(access, counters) : shared(access, counters);
}

}  // namespace simulator
