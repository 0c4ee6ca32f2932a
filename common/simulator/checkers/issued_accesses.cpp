// SPDX-License-Identifier: MIT
#include "simulator/checkers/issued_accesses.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "simulator/access_alignments.hpp"
#include "simulator/checkers/access_counts.hpp"
#include "simulator/checkers/shared_banks.hpp"
#include "simulator/program_image.hpp"

namespace simulator {

using facts::Counter;

namespace {

// How many bytes nvcc makes one access of, of elements side by side.
unsigned most_joined_bytes(const WarpAccess& access) {
  if (access.space == Space::global || access.size >= word_bytes) return most_access_bytes;
  return access.kind == AccessKind::store && access.size == 2 ? 8 : access.size;
}

std::uintptr_t place_on_device(const WarpAccess& access, std::uintptr_t address) {
  return access.space == Space::shared ? ProgramImage::instance().place_on_device(address) : address;
}

bool may_be_member(const WarpAccess& access) {
  return any_type_alignments() && access.size < most_access_bytes && !access.strong;
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

inline const BlockContents& IssuedAccesses::contents_of(std::uint32_t place) {
  KnownBlock& known = latest_blocks_[place / 4 % latest_blocks_.size()];
  if (known.place != place || !known.contents) {
    const auto [found, is_new] = blocks_.try_emplace(place);
    if (is_new) found->second = contents_of_block(place);
    known = {place, &found->second};
  }
  return *known.contents;
}

void IssuedAccesses::enter_turn(unsigned warp, unsigned lanes, std::uint32_t place) {
  ++turn_;
  kept_.basic_block(warp, place);
  if (held_count_ == 0) return block_entered(warp, lanes, place);
  hold().block = {warp, lanes, place};
  ++held_blocks_;
}

// A loop that a compiler unrolls is a basic block to it.
inline void IssuedAccesses::enter_block(unsigned warp, unsigned lanes, std::uint32_t place,
                                        const BlockContents& block) {
  if (held_count_ > 0) {
    const bool is_next_turn = block.is_unrolled && !in_counted_loop_;
    if (goes_on_in(warp, block)) {
      end(of_shared_memory);
    } else if (!is_next_turn) {
      flush();
    }
  }
  in_counted_loop_ = block.is_counted;
  Turns& turns = known_turns_[warp];
  if (!block.has_known_turns) {
    turns = {};
  } else {
    turns.turn = std::min(turns.turn + (place <= turns.block), most_turns);
    turns.block = place;
  }
  enter_turn(warp, lanes, place);
}

void IssuedAccesses::basic_block(unsigned warp, unsigned lanes, std::uint32_t place, unsigned) {
  if (turns_.goes_on(warp, lanes, place)) return turns_.begin_turn(lanes, *this);
  leave_loop();
  const BlockContents& block = contents_of(place);
  if (block.unrolling != Unrolling::none) {
    known_turns_[warp] = {};
    return turns_.enter(warp, lanes, place, block.unrolling);
  }
  enter_block(warp, lanes, place, block);
}

void IssuedAccesses::part_begins() {
  flush();
  in_counted_loop_ = true;
}

// What is so short that both ways are worked out is no basic block of its own.
bool IssuedAccesses::goes_on_in(unsigned warp, const BlockContents& block) const {
  const auto& first = first_[of_global_loads] ? first_[of_global_loads] : first_[of_global_stores];
  return block.is_chosen && first && held_[*first].access.warp == warp;
}

void IssuedAccesses::warp_exchange(const WarpExchange& exchange) {
  leave_loop();
  kept_.passes_by(exchange.warp, exchange.lanes);
  end_global_chains();
  if (in_counted_loop_) flush();
  if (held_count_ == 0) return exchanged(exchange);
  hold().exchange = exchange;
}

void IssuedAccesses::access(const WarpAccess& access) {
  turns_.in_loop() ? turns_.add(access, *this) : pass_on(access);
}

void IssuedAccesses::pass_on(const WarpAccess& access) {
  if (access.space == Space::global) {
    if (is_atomic(access.kind)) kept_.passes_by(access.warp, access.lanes);
    const bool is_load = access.kind == AccessKind::load;
    if (!is_member_of_aligned_type(access)) is_load ? end(of_global_stores) : end_global_chains();
    if (!is_atomic(access.kind) && may_be_member(access))
      return hold_to_join(access, is_load ? of_global_loads : of_global_stores);
    return held_count_ == 0 ? issued(access) : hold_alone(access);
  }
  if (is_atomic(access.kind) || access.strong) {
    flush();
    is_atomic(access.kind) ? kept_.shared_array_changes(access) : kept_.shared_memory_changes();
    return issued(access);
  }
  if (access.kind == AccessKind::store) kept_.shared_memory_changes();
  if (access.kind == AccessKind::load && is_kept(access)) return;
  hold_to_join(access, of_shared_memory);
}

void IssuedAccesses::hold_alone(const WarpAccess& access) {
  Held& held = hold();
  held.access = access;
  held.operands.address = access.operands->address;
  if (is_atomic(access.kind)) held.operands.stored = access.operands->stored;
  held.access.operands = nullptr;  // its own, which may move
}

// By itself, or because it lies beside a member.
bool IssuedAccesses::is_member_of_aligned_type(const WarpAccess& access) const {
  if (is_atomic(access.kind) || !may_be_member(access)) return false;
  if (type_alignment(access.place) > access.size) return true;
  const auto lane = static_cast<unsigned>(std::countr_zero(access.lanes));
  const auto is_beside = [&](const Held& held) {
    const std::uintptr_t bytes = type_alignment(held.access.place);
    return held.group != SIZE_MAX && held.access.space == Space::global && bytes > held.access.size &&
           ((held.operands.address[lane] ^ access.address(lane)) & ~(bytes - 1)) == 0;
  };
  const std::size_t first =
      std::min(first_[of_global_loads].value_or(held_count_), first_[of_global_stores].value_or(held_count_));
  return std::any_of(held_.begin() + static_cast<std::ptrdiff_t>(first),
                     held_.begin() + static_cast<std::ptrdiff_t>(held_count_), is_beside);
}

void IssuedAccesses::end(Chain chain) {
  if (!first_[chain]) return;
  first_[chain].reset();
  if (first_ == decltype(first_){}) flush();
}

bool IssuedAccesses::is_kept(const WarpAccess& load) {
  return kept_.keeps(load, in_counted_loop_,
                     [&](const facts::Counters& missing) { apart(load.place, missing); });
}

void IssuedAccesses::hold_to_join(const WarpAccess& access, Chain chain) {
  constexpr std::size_t most_held = 64;
  if (held_count_ - held_blocks_ >= most_held) flush();
  if (first_[chain]) {
    const WarpAccess& first = held_[*first_[chain]].access;
    if (first.kind != access.kind || first.warp != access.warp || first.lanes != access.lanes) end(chain);
  }
  const Code code{access.place, known_turns_[access.warp].turn};
  const auto first_lane = static_cast<unsigned>(std::countr_zero(access.lanes));
  const std::uintptr_t address = access.address(first_lane);
  const std::uintptr_t shift = place_on_device(access, address) - address;
  std::size_t group = held_count_;
  std::intptr_t distance = 0;
  for (std::size_t i = first_[chain].value_or(held_count_); i < held_count_; ++i) {
    const Held& first = held_[i];
    if (first.group != i || first.chain != chain || first.access.size != access.size) continue;
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
        is_same = !stays_apart({member.code, code}, behind);
      } else {
        take_apart({member.code, code});
      }
    }
    if (is_same && group == held_count_) group = i, distance = apart;
  }
  if (!first_[chain]) first_[chain] = held_count_;
  hold_alone(access);
  Held& held = held_[held_count_ - 1];
  held.chain = chain;
  held.group = group;
  held.distance = distance;
  held.shift = shift;
  held.code = code;
}

void IssuedAccesses::flush() {
  if (held_count_ == 0) return;
  issue(0, held_count_);
  held_count_ = held_blocks_ = 0;
  first_ = {};
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

// Whether the two places have not always been that far from each other.
bool IssuedAccesses::stays_apart(const Pair& pair, std::intptr_t distance) {
  const auto [known, is_new] = distances_.try_emplace(pair, Distance{distance, false});
  if (!known->second.differs && known->second.bytes == distance) return false;
  take_apart(pair);
  return true;
}

void IssuedAccesses::take_apart(const Pair& pair) {
  const auto [known, is_new] = distances_.try_emplace(pair, Distance{0, true});
  if (is_new || known->second.differs) return;
  known->second.differs = true;
  std::erase_if(joined_, [&](const auto& entry) {
    const std::vector<Code>& codes = entry.first;
    const auto has = [&](const Code& one) { return std::ranges::find(codes, one) != codes.end(); };
    if (!has(pair.first) || !has(pair.second)) return false;
    apart(codes.front().place, entry.second);
    return true;
  });
}

// As few accesses as possible, each a power of two of bytes and aligned to it.
void IssuedAccesses::issue_group(std::size_t first_held, std::size_t end) {
  Held& held = held_[first_held];
  std::vector<Member> members;
  for (std::size_t i = first_held; i < end; ++i) {
    if (held_[i].group == held.group && !held_[i].exchange)
      members.push_back({held_[i].distance - held.distance, held_[i].code});
  }
  WarpAccess access = held.access;
  access.operands = &held.operands;
  if (members.size() == 1) return issued(access);
  const std::uintptr_t address_here = access.address(static_cast<unsigned>(std::countr_zero(access.lanes)));
  // From here on the addresses are a GPU's: what is joined may be of several arrays.
  for_each_lane(access.lanes, [&](unsigned lane) { held.operands.address[lane] += held.shift; });
  const std::uintptr_t first = access.address(static_cast<unsigned>(std::countr_zero(access.lanes)));
  std::uintptr_t known = common_alignment(access.lanes, most_joined_bytes(access),
                                          [&](unsigned lane) { return access.address(lane); });
  if (access.space == Space::shared) {
    for (const Member& member : members)
      known = std::min(known, known_alignment(member.code.place, address_here));
  }
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

// Whether a GPU makes one access of these. Of four that lie side by side it loads all if it uses three of
// shared memory, or the first and one of the upper half of a type: more than two words only if it uses three.
bool IssuedAccesses::is_one(const WarpAccess& access, std::intptr_t begin, unsigned bytes,
                            std::span<const Member> members) {
  const bool is_all = members.size() * access.size == bytes;
  const bool is_load_of_four = access.kind == AccessKind::load && bytes == 4 * access.size;
  if (access.space == Space::shared)
    return is_all || (is_load_of_four && bytes == most_access_bytes && members.size() == 3);
  const Member &first = members.front(), &last = members.back();
  return first.distance == begin && type_alignment(first.code.place) >= bytes &&
         (is_all || (is_load_of_four && (bytes <= 2 * word_bytes || members.size() == 3) &&
                     last.distance >= begin + static_cast<std::intptr_t>(bytes / 2)));
}

void IssuedAccesses::issue_piece(const WarpAccess& access, std::intptr_t begin, unsigned bytes,
                                 std::span<const Member> members) {
  if (members.empty()) return;
  const unsigned size = access.size;
  Operands operands;
  if (members.size() == 1) {
    WarpAccess one = moved(access, members.front().distance, size, operands);
    one.place = members.front().code.place;
    return issued(one);
  }
  if (!is_one(access, begin, bytes, members)) {
    const auto half = static_cast<std::intptr_t>(bytes / 2);
    const auto lower = static_cast<std::size_t>(
        std::ranges::count_if(members, [&](const Member& member) { return member.distance < begin + half; }));
    issue_piece(access, begin, bytes / 2, members.first(lower));
    return issue_piece(access, begin + half, bytes / 2, members.subspan(lower));
  }
  std::vector<Code> codes;
  facts::Counters whole, parts;
  for (const Member& member : members) {
    codes.push_back(member.code);
    count(moved(access, member.distance, size, operands), parts);
  }
  WarpAccess joined = moved(access, begin, bytes, operands);
  joined.place = codes.front().place;
  count(joined, whole);
  facts::Counters& saved = joined_[std::move(codes)];
  for (const auto& [name, without] : parts) {
    const Counter counter = *facts::find_counter(name);
    saved[counter] += without - whole.value(counter);
  }
  issued(joined);
}
}  // namespace simulator
