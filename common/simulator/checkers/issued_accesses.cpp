// SPDX-License-Identifier: MIT
#include "simulator/checkers/issued_accesses.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "simulator/access_alignments.hpp"
#include "simulator/checkers/access_counts.hpp"
#include "simulator/checkers/place_pairs.hpp"
#include "simulator/checkers/shared_banks.hpp"
#include "simulator/program_image.hpp"

namespace simulator {

using facts::Counter;

namespace {

// How many bytes nvcc makes one access of, of elements side by side.
unsigned most_joined_bytes(AccessKind kind, unsigned size) {
  if (size >= word_bytes) return most_access_bytes;
  return kind == AccessKind::store && size == 2 ? 8 : size;
}

}  // namespace

IssuedAccesses::Held& IssuedAccesses::hold() {
  if (held_count_ == held_.size()) held_.emplace_back();
  Held& held = held_[held_count_++];
  held.exchange.reset();
  held.block.reset();
  held.group = SIZE_MAX;
  held.turn = turn_;
  return held;
}

// A loop that a compiler unrolls is a basic block to it.
void IssuedAccesses::basic_block(unsigned warp, unsigned lanes, std::uint32_t place) {
  KnownBlock& known = latest_blocks_[place / 4 % latest_blocks_.size()];
  if (known.place != place || !known.contents) {
    const auto [found, is_new] = blocks_.try_emplace(place);
    if (is_new) found->second = contents_of_block(place);
    known = {place, &found->second};
  }
  const BlockContents& block = *known.contents;
  const Loop loop = block.is_counted ? Loop{place, warp, lanes} : Loop{};
  const bool is_next_turn = block.is_unrolled ? loop_ == Loop{} : loop.place != 0 && loop == loop_;
  if (!is_next_turn || (loop.place != 0 && turns_held() == most_turns)) flush();
  loop_ = loop;
  ++turn_;
  kept_.basic_block(warp, place);
  if (held_count_ == 0) return block_entered(warp, lanes, place);
  hold().block = {warp, lanes, place};
  ++held_blocks_;
}

void IssuedAccesses::warp_exchange(const WarpExchange& exchange) {
  kept_.passes_by(exchange.warp, exchange.lanes);
  if (loop_.place != 0) flush();  // nvcc unrolls no loop in part in which lanes meet
  if (held_count_ == 0) return exchanged(exchange);
  hold().exchange = exchange;
}

void IssuedAccesses::access(const WarpAccess& access) {
  if (access.space == Space::global) {
    if (is_atomic(access.kind)) kept_.passes_by(access.warp, access.lanes);
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
    is_atomic(access.kind) ? kept_.shared_array_changes(access) : kept_.shared_memory_changes();
    return issued(access);
  }
  if (access.kind == AccessKind::store) kept_.shared_memory_changes();
  if (access.kind == AccessKind::load && is_kept(access)) return;
  hold_shared(access);
}

bool IssuedAccesses::is_kept(const WarpAccess& load) {
  return kept_.keeps(load, loop_.place != 0,
                     [&](const facts::Counters& missing) { apart(load.place, missing); });
}

void IssuedAccesses::hold_shared(const WarpAccess& access) {
  constexpr std::size_t most_held = 64;
  const bool goes_on = held_count_ > 0 && held_count_ - held_blocks_ < most_held &&
                       held_[0].access.kind == access.kind && held_[0].access.warp == access.warp &&
                       held_[0].access.lanes == access.lanes;
  if (!goes_on) flush();
  const auto first_lane = static_cast<unsigned>(std::countr_zero(access.lanes));
  const std::uintptr_t address = access.address(first_lane);
  const std::uintptr_t shift = ProgramImage::instance().place_on_device(address) - address;
  std::size_t group = held_count_;
  std::intptr_t distance = 0;
  for (std::size_t i = 0; i < held_count_; ++i) {
    const Held& first = held_[i];
    if (first.group != i || first.access.size != access.size) continue;
    const std::uintptr_t here = address - first.operands.address[first_lane];
    const auto apart = static_cast<std::intptr_t>(here + shift - first.shift);
    bool is_same = true;
    for_each_lane(access.lanes, [&](unsigned lane) {
      is_same &= access.address(lane) - first.operands.address[lane] == here;
    });
    for (std::size_t k = i; k < held_count_; ++k) {
      const Held& member = held_[k];
      if (member.group != i || member.access.place == access.place || member.turn != turn_) continue;
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
  held.shift = shift;
}

void IssuedAccesses::flush() {
  std::size_t begin = 0;
  if (loop_.place != 0) {
    for (std::uint32_t left = turns_held(); left > 0;) {
      const std::uint32_t turns = left >= most_turns ? most_turns : left >= 8 ? 8 : left >= 4 ? 4 : 1;
      left -= turns;
      std::size_t end = begin;
      while (end < held_count_ && turn_ - held_[end].turn >= left) ++end;
      issue(begin, end);
      begin = end;
    }
  }
  issue(begin, held_count_);
  held_count_ = held_blocks_ = 0;
}

void IssuedAccesses::issue(std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    Held& held = held_[i];
    if (held.exchange) {
      exchanged(*held.exchange);
    } else if (held.block) {
      block_entered(held.block->warp, held.block->lanes, held.block->place);
    } else if (held.group == SIZE_MAX) {
      held.access.operands = &held.operands;
      issued(held.access);
    } else if (const std::size_t first = first_of_group_issued_at(i, begin, end); first != end) {
      issue_group(first, end);
    }
  }
}

// Loads that go together are made where the first of them stands, and stores where the last does, for only
// there is all that they store. The first of them; `end` if they are made elsewhere.
std::size_t IssuedAccesses::first_of_group_issued_at(std::size_t here, std::size_t begin,
                                                     std::size_t end) const {
  const auto is_member = [&](std::size_t i) {
    return held_[i].group == held_[here].group && !held_[i].exchange;
  };
  std::size_t first = begin, last = end - 1;
  while (!is_member(first)) ++first;
  while (!is_member(last)) --last;
  return here == (held_[here].access.kind == AccessKind::store ? last : first) ? first : end;
}

// Whether the two places have not always been that far from each other. The second right behind the first
// and next to it is a pair in any case: where such distances differ nvcc has mostly unrolled the loop.
bool IssuedAccesses::stays_apart(std::uint32_t place, std::uint32_t other, std::intptr_t distance,
                                 bool in_order) {
  const auto [known, is_new] =
      distances_.try_emplace(pair_of(place, other), Distance{distance, false, false});
  known->second.in_order |= in_order;
  if (known->second.in_order || (!known->second.differs && known->second.bytes == distance)) return false;
  take_apart(place, other);
  return true;
}

void IssuedAccesses::take_apart(std::uint32_t place, std::uint32_t other) {
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
void IssuedAccesses::issue_group(std::size_t first_held, std::size_t end) {
  Held& held = held_[first_held];
  std::vector<Member> members;
  for (std::size_t i = first_held; i < end; ++i) {
    if (held_[i].group == held.group && !held_[i].exchange)
      members.push_back({held_[i].distance - held.distance, held_[i].access.place});
  }
  WarpAccess access = held.access;
  access.operands = &held.operands;
  if (members.size() == 1) return issued(access);
  const std::uintptr_t address_here = access.address(static_cast<unsigned>(std::countr_zero(access.lanes)));
  // From here on the addresses are a GPU's: what is joined may be of several arrays.
  for_each_lane(access.lanes, [&](unsigned lane) { held.operands.address[lane] += held.shift; });
  const std::uintptr_t first = access.address(static_cast<unsigned>(std::countr_zero(access.lanes)));
  const std::uintptr_t alignment = common_alignment(access.lanes, most_joined_bytes(access.kind, access.size),
                                                    [&](unsigned lane) { return access.address(lane); });
  std::uintptr_t known = alignment;
  for (const Member& member : members) known = std::min(known, known_alignment(member.place, address_here));
  const auto piece = static_cast<unsigned>(std::max<std::uintptr_t>(known, access.size));
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

WarpAccess IssuedAccesses::moved(const WarpAccess& access, std::intptr_t by, unsigned bytes,
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
void IssuedAccesses::issue_piece(const WarpAccess& access, std::intptr_t begin, unsigned bytes,
                                 std::span<const Member> members) {
  if (members.empty()) return;
  const unsigned size = access.size;
  Operands operands;
  if (members.size() == 1) {
    WarpAccess one = moved(access, members.front().distance, size, operands);
    one.place = members.front().place;
    return issued(one);
  }
  const bool is_three_of_four = access.kind == AccessKind::load && size == word_bytes &&
                                bytes == most_access_bytes && members.size() == 3;
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
}  // namespace simulator
