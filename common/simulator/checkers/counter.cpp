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

constexpr unsigned lower_half = 0xffff;  // of a warp

unsigned most_lanes_of_a_bank(const WarpAccess& access, unsigned lanes) {
  std::array<unsigned, banks> used{};
  unsigned most = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    most = std::max(most, ++used[(access.address(lane) >> word_shift) % banks]);
  });
  return most;
}

// Of an atomic that serves one lane after another; with 64 bits half a warp after the other.
unsigned turns_of_lanes(const WarpAccess& access) {
  if (access.size <= word_bytes) return most_lanes_of_a_bank(access, access.lanes);
  return most_lanes_of_a_bank(access, access.lanes & lower_half) +
         most_lanes_of_a_bank(access, access.lanes & ~lower_half);
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
    return turns_of_lanes(access);
  if (access.kind == AccessKind::compare_and_swap) return 2 * turns_of_lanes(access);
  if (access.size <= word_bytes) return most_words_of_a_bank(access, access.lanes);
  // All banks together serve 8 bytes of half a warp, or 16 of a quarter. Two such parts of it may go
  // together.
  const bool is_long = access.size == 2 * word_bytes;
  unsigned total = 0;
  for (const unsigned part : is_long ? std::array{~0u, 0u} : std::array{lower_half, ~lower_half}) {
    const unsigned lanes = access.lanes & part, lower = part & (is_long ? lower_half : 0x00ff00ffu);
    total += pairs_go_together(access, lanes)
                 ? most_words_of_a_bank(access, lanes)
                 : most_words_of_a_bank(access, lanes & lower) + most_words_of_a_bank(access, lanes & ~lower);
  }
  return total;
}

namespace {

// A loop of compare-and-swaps, round by round.
class CasLoopOfWarp {
 public:
  explicit CasLoopOfWarp(const WarpAccess& access) : access_(access), left_(access.lanes) {
    if (access.kind != AccessKind::cas_loop_if_changed) return;
    for_each_lane(access.lanes, [&](unsigned lane) {
      unsigned first = 0;  // that has found the word
      while ((access.lanes >> first & 1) == 0 || !have_the_same_word(lane, first)) ++first;
      reached_[lane] = access.goal(first).found;
    });
  }

  CasLoop run() {
    for (;;) {
      WarpAccess load = access_;
      load.kind = AccessKind::load;
      load.lanes = left_;
      ++loop_.loads;
      loop_.load_wavefronts += wavefronts(load);
      if (access_.kind == AccessKind::cas_loop_if_changed) leave_what_is_reached();
      if (left_ == 0) return loop_;
      swap();
      if (left_ == 0) return loop_;
    }
  }

 private:
  bool have_the_same_word(unsigned lane, unsigned other) const {
    return access_.address(lane) == access_.address(other);
  }

  void leave_what_is_reached() {
    for_each_lane(left_, [&](unsigned lane) {
      if (reached_[lane] >= access_.goal(lane).wanted) left_ &= ~(1u << lane);
    });
  }

  bool changes(unsigned lane) const {
    return access_.kind == AccessKind::cas_loop_if_changed || (access_.unchanged >> lane & 1) == 0;
  }

  void change(unsigned lane) {
    if (access_.kind != AccessKind::cas_loop_if_changed) return;
    for_each_lane(left_, [&](unsigned other) {
      if (have_the_same_word(lane, other)) reached_[other] = access_.goal(lane).wanted;
    });
  }

  void count_change(std::uintptr_t address) {
    const auto known = std::ranges::find(loop_.words, address, &CasLoop::Word::address);
    if (known == loop_.words.end())
      loop_.words.push_back({address, 1});
    else
      ++known->changes;
  }

  // One for all lanes that are left. Each bank serves one lane, and all others have to try again. With 64
  // bits half a warp goes after the other, and fails where that has changed the word.
  void swap() {
    const bool is_long = access_.size > word_bytes;
    unsigned changed_by = 0;
    const unsigned trying = left_;
    for (const unsigned part : {is_long ? trying & lower_half : trying, is_long ? trying & ~lower_half : 0}) {
      if (part == 0) continue;
      loop_.swap_wavefronts += 2;
      std::uint32_t busy_banks = 0;
      for_each_lane(part, [&](unsigned lane) {
        const std::uintptr_t address = access_.address(lane);
        const std::uint32_t bank = 1u << (address >> word_shift) % banks;
        if ((std::exchange(busy_banks, busy_banks | bank) & bank) != 0) return;
        bool is_changed = false;
        for_each_lane(changed_by, [&](unsigned other) { is_changed |= have_the_same_word(lane, other); });
        if (is_changed) return;
        left_ &= ~(1u << lane);
        changed_by |= (changes(lane) ? 1u : 0u) << lane;
        change(lane);
        count_change(address);
      });
    }
    ++loop_.swaps;
  }

  const WarpAccess& access_;
  unsigned left_;                                            // lanes that go on
  std::array<std::uint64_t, ModelDevice::lanes> reached_{};  // by the lane's word, see Goal
  CasLoop loop_;
};

}  // namespace

CasLoop cas_loop_of(const WarpAccess& access) { return CasLoopOfWarp(access).run(); }

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
