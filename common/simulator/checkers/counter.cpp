// SPDX-License-Identifier: MIT
#include "simulator/checkers/counter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "simulator/program_image.hpp"

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

Joined::Held& Joined::hold() {
  if (held_count_ == held_.size()) held_.emplace_back();
  Held& held = held_[held_count_++];
  held.exchange.reset();
  held.group = SIZE_MAX;
  return held;
}

void Joined::basic_block(unsigned warp, unsigned lanes, std::uint32_t place) {
  flush();
  block_entered(warp, lanes, place);
}

void Joined::warp_exchange(const WarpExchange& exchange) {
  passes_by(exchange.warp, exchange.lanes);
  if (held_count_ == 0) return exchanged(exchange);
  hold().exchange = exchange;
}

void Joined::access(const WarpAccess& access) {
  if (access.space == Space::global) {
    if (is_atomic(access.kind)) passes_by(access.warp, access.lanes);
    if (held_count_ == 0) return issued(access);
    Held& held = hold();
    held.access = access;
    held.operands.address = access.operands->address;
    if (is_atomic(access.kind)) held.operands.stored = access.operands->stored;
    held.access.operands = nullptr;  // its own, which may move
    return;
  }
  if (is_atomic(access.kind) || access.strong) {
    flush();
    is_atomic(access.kind) ? shared_array_changes(access) : shared_memory_changes();
    return issued(access);
  }
  if (access.kind == AccessKind::store) shared_memory_changes();
  if (access.kind == AccessKind::load && is_kept(access)) return;
  hold_shared(access);
}

void Joined::hold_shared(const WarpAccess& access) {
  constexpr std::size_t most_held = 64;
  const bool goes_on = held_count_ > 0 && held_count_ < most_held && held_[0].access.kind == access.kind &&
                       held_[0].access.warp == access.warp && held_[0].access.lanes == access.lanes;
  if (!goes_on) flush();
  const auto first_lane = static_cast<unsigned>(std::countr_zero(access.lanes));
  std::size_t group = held_count_;
  std::intptr_t distance = 0;
  for (std::size_t i = 0; i < held_count_; ++i) {
    const Held& first = held_[i];
    if (first.group != i || first.access.size != access.size) continue;
    const auto apart =
        static_cast<std::intptr_t>(access.address(first_lane) - first.operands.address[first_lane]);
    bool is_same = true;
    for_each_lane(access.lanes, [&](unsigned lane) {
      is_same &= static_cast<std::intptr_t>(access.address(lane) - first.operands.address[lane]) == apart;
    });
    for (std::size_t k = i; k < held_count_; ++k) {
      const Held& member = held_[k];
      if (member.group != i || member.access.place == access.place) continue;
      if (is_same) {
        const std::intptr_t behind = apart - member.distance;
        const bool in_order = k + 1 == held_count_ && behind == static_cast<std::intptr_t>(access.size);
        is_same = !stays_apart(member.access.place, access.place, behind, in_order);
      } else {
        take_apart(member.access.place, access.place);
      }
    }
    if (is_same && group == held_count_) group = i, distance = apart;
  }
  Held& held = hold();
  held.access = access;
  held.access.operands = nullptr;
  held.operands.address = access.operands->address;
  held.group = group;
  held.distance = distance;
}

void Joined::flush() {
  for (std::size_t i = 0; i < held_count_; ++i) {
    Held& held = held_[i];
    if (held.exchange) {
      exchanged(*held.exchange);
    } else if (held.group == SIZE_MAX) {
      held.access.operands = &held.operands;
      issued(held.access);
    } else if (held.group == i) {
      issue_group(i);
    }
  }
  held_count_ = 0;
}

namespace {

std::uint64_t pair_of(std::uint32_t place, std::uint32_t other) { return std::uint64_t{place} << 32 | other; }

}  // namespace

// Whether the two places have not always been that far from each other. The second right behind the first
// and next to it is a pair in any case: where such distances differ nvcc has mostly unrolled the loop.
bool Joined::stays_apart(std::uint32_t place, std::uint32_t other, std::intptr_t distance, bool in_order) {
  const auto [known, is_new] =
      distances_.try_emplace(pair_of(place, other), Distance{distance, false, false});
  known->second.in_order |= in_order;
  if (known->second.in_order || (!known->second.differs && known->second.bytes == distance)) return false;
  take_apart(place, other);
  return true;
}

void Joined::take_apart(std::uint32_t place, std::uint32_t other) {
  const auto [known, is_new] = distances_.try_emplace(pair_of(place, other), Distance{0, true, false});
  if (is_new || known->second.differs || known->second.in_order) return;
  known->second.differs = true;
  std::erase_if(joined_, [&](const auto& entry) {
    const std::vector<std::uint32_t>& places = entry.first;
    const auto has = [&](std::uint32_t one) { return std::ranges::find(places, one) != places.end(); };
    if (!has(place) || !has(other)) return false;
    apart(places.front(), entry.second);
    return true;
  });
}

// As few accesses as possible, each a power of two of bytes and aligned to it.
void Joined::issue_group(std::size_t group) {
  std::vector<Member> members;
  for (std::size_t i = group; i < held_count_; ++i) {
    if (held_[i].group == group && !held_[i].exchange)
      members.push_back({held_[i].distance, held_[i].access.place});
  }
  WarpAccess access = held_[group].access;
  access.operands = &held_[group].operands;
  if (members.size() == 1) return issued(access);
  const std::uintptr_t first =
      held_[group].operands.address[static_cast<unsigned>(std::countr_zero(access.lanes))];
  std::uintptr_t unlike = most_joined_bytes(access.kind, access.size);
  for_each_lane(access.lanes, [&](unsigned lane) { unlike |= access.address(lane) ^ first; });
  const auto piece = static_cast<unsigned>(std::max<std::uintptr_t>(unlike & (~unlike + 1), access.size));
  std::ranges::stable_sort(members, {}, &Member::distance);
  while (!members.empty()) {
    // What is made twice, with something in between for which it counts, is made on its own.
    std::vector<Member> once, again;
    for (const Member& member : members)
      (once.empty() || once.back().distance != member.distance ? once : again).push_back(member);
    for (auto at = once.begin(); at != once.end();) {
      const std::intptr_t begin =
          at->distance -
          static_cast<std::intptr_t>((first + static_cast<std::uintptr_t>(at->distance)) % piece);
      const auto end = std::find_if(at, once.end(),
                                    [&](const Member& member) { return member.distance >= begin + piece; });
      issue_piece(access, begin, piece, {at, end});
      at = end;
    }
    members = std::move(again);
  }
}

WarpAccess Joined::moved(const WarpAccess& access, std::intptr_t by, unsigned bytes,
                         Operands& operands) const {
  for_each_lane(access.lanes, [&](unsigned lane) {
    operands.address[lane] = access.address(lane) + static_cast<std::uintptr_t>(by);
  });
  WarpAccess result = access;
  result.size = bytes;
  result.operands = &operands;
  return result;
}

// Of three words of four that are aligned together all four are loaded.
void Joined::issue_piece(const WarpAccess& access, std::intptr_t begin, unsigned bytes,
                         std::span<const Member> members) {
  if (members.empty()) return;
  const unsigned size = access.size;
  Operands operands;
  if (members.size() == 1) {
    WarpAccess one = moved(access, members.front().distance, size, operands);
    one.place = members.front().place;
    return issued(one);
  }
  const bool is_three_of_four =
      access.kind == AccessKind::load && size == word_bytes && bytes == most_bytes && members.size() == 3;
  if (members.size() * size != bytes && !is_three_of_four) {
    const auto half = static_cast<std::intptr_t>(bytes / 2);
    const auto lower = static_cast<std::size_t>(
        std::ranges::count_if(members, [&](const Member& member) { return member.distance < begin + half; }));
    issue_piece(access, begin, bytes / 2, members.first(lower));
    return issue_piece(access, begin + half, bytes / 2, members.subspan(lower));
  }
  std::vector<std::uint32_t> places;
  facts::Counters whole, parts;
  for (const Member& member : members) {
    places.push_back(member.place);
    count(moved(access, member.distance, size, operands), parts);
  }
  WarpAccess joined = moved(access, begin, bytes, operands);
  joined.place = places.front();
  count(joined, whole);
  facts::Counters& saved = joined_[std::move(places)];
  for (const Counter counter :
       {Counter::warp_steps, Counter::thread_steps,
        access.kind == AccessKind::load ? Counter::shared_load_requests : Counter::shared_store_requests,
        access.kind == AccessKind::load ? Counter::shared_load_wavefronts : Counter::shared_store_wavefronts})
    saved[counter] += parts.value(counter) - whole.value(counter);
  issued(joined);
}

template <class CountersOf>
bool KeptLoads::keeps(const WarpAccess& access, CountersOf counters_of) {
  for (unsigned i = 0; i < count_; ++i) {
    const Load& load = loads_[order_[i]];
    if (load.warp != access.warp || load.size != access.size || (access.lanes & ~load.lanes) != 0) continue;
    const bool is_behind_something = load.passed_by != 0;
    // Lanes that pass by without having loaded show that the load stands in a branch.
    if ((load.passed_by & ~load.lanes) != 0) continue;
    // In an earlier round of a loop: what stands in front of the loop on a GPU.
    if (load.of_earlier_round ? !(load.place == access.place && is_behind_something)
                              : !(is_behind_something || load.block != block_))
      continue;
    Pair& pair = pairs_[pair_of(load.place, access.place)];
    if (pair.is_refuted) continue;
    bool is_same = true;
    for_each_lane(access.lanes,
                  [&](unsigned lane) { is_same &= load.addresses[lane] == access.address(lane); });
    if (is_same) {
      count(access, pair.left_out);
      std::rotate(order_.begin(), order_.begin() + i, order_.begin() + i + 1);
      return true;
    }
    pair.is_refuted = true;
    counters_of(access.place) += pair.left_out;
  }
  remember(access);
  return false;
}

void KeptLoads::remember(const WarpAccess& access) {
  std::rotate(order_.begin(), order_.end() - 1, order_.end());
  Load& load = loads_[order_.front()];
  load.place = access.place;
  load.block = block_;
  load.warp = access.warp;
  load.lanes = access.lanes;
  load.size = access.size;
  load.passed_by = 0;
  load.of_earlier_round = false;
  load.addresses = access.operands->address;
  count_ = std::min(count_ + 1, static_cast<unsigned>(loads_.size()));
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
void KeptLoads::basic_block(std::uint32_t place) {
  if (place <= block_ && count_ > 0) {
    for (Load& load : loads_) load.of_earlier_round |= load.block >= place;
  }
  block_ = place;
}

bool LaunchCounter::is_kept(const WarpAccess& access) {
  return kept_.keeps(access, [&](std::uint32_t) -> facts::Counters& { return counters_; });
}

bool PlaceCounter::is_kept(const WarpAccess& access) {
  return kept_.keeps(access, [&](std::uint32_t place) -> facts::Counters& { return places_[place]; });
}

void LaunchCounter::block_entered(unsigned, unsigned lanes, std::uint32_t place) {
  kept_.basic_block(place);
  step(lanes, counters_);
}

void count(const WarpAccess& access, facts::Counters& counters) {
  step(access.lanes, counters);
  access.space == Space::global ? global(access, counters) : shared(access, counters);
}

}  // namespace simulator
