// SPDX-License-Identifier: MIT
#include "simulator/checkers/unrolled_turns.hpp"

#include <algorithm>
#include <map>

namespace simulator {

namespace {

constexpr std::size_t most_rows = 192;

// The turns of the largest part.
constexpr std::size_t most_turns_of_part = 16;

bool makes_rest_first(Unrolling unrolling) {
  return unrolling == Unrolling::counted_first || unrolling == Unrolling::counted_wide_first;
}

}  // namespace

void UnrolledTurns::enter(unsigned warp, unsigned lanes, std::uint32_t place, Unrolling unrolling) {
  unrolling_ = unrolling;
  warp_ = warp;
  lanes_ = lanes;
  place_ = place;
  turns_.assign(1, {lanes, 0});
}

void UnrolledTurns::begin_turn(unsigned lanes, TurnListener& listener) {
  const bool are_together = !turns_.empty() && turns_.front().lanes == lanes;
  if (are_together && turns_.size() == most_turns_of_part && !makes_rest_first(unrolling_)) tell(listener);
  lanes_ = lanes;
  turns_.push_back({lanes, row_count_});
}

void UnrolledTurns::add(const WarpAccess& access, TurnListener& listener) {
  if (row_count_ == most_rows) {
    tell(listener);
    turns_.assign(1, {lanes_, 0});
  }
  if (row_count_ == rows_.size()) rows_.emplace_back();
  Row& row = rows_[row_count_++];
  row.access = access;
  row.operands.address = access.operands->address;
  row.access.operands = nullptr;  // rows move
}

void UnrolledTurns::leave(TurnListener& listener) {
  tell(listener);
  unrolling_ = Unrolling::none;
}

void UnrolledTurns::tell(TurnListener& listener) {
  const bool is_unrolled = unrolling_ != Unrolling::by_rest || !stores_where_it_loads();
  for (const Part& part : is_unrolled ? parts() : turn_by_turn()) {
    listener.part_begins();
    for (std::size_t turn = 0; turn < part.turns; ++turn) {
      unsigned lanes = 0;
      for (const auto& [lane, begins] : part.lanes) lanes |= 1u << lane;
      listener.turn_begins(warp_, lanes, place_);
      const auto [begin, end] = rows_of(part.lanes.front().second + turn);
      for (std::size_t i = begin; i < end; ++i) {
        WarpAccess access = rows_[i].access;
        Operands operands;
        access.lanes = 0;
        access.operands = &operands;
        for (const auto& [lane, begins] : part.lanes) {
          const Row* const own = row_of(begins + turn, access.place, lane);
          if (!own) continue;
          access.lanes |= 1u << lane;
          operands.address[lane] = own->operands.address[lane];
        }
        listener.turn_accesses(access);
      }
    }
  }
  turns_.clear();
  row_count_ = 0;
}

std::vector<UnrolledTurns::Part> UnrolledTurns::parts() const {
  std::map<std::pair<unsigned, unsigned>, Part> parts;
  std::map<unsigned, std::vector<UnrolledPart>> known;  // by turns
  for_each_lane(turns_.empty() ? 0 : turns_.front().lanes, [&](unsigned lane) {
    const auto leaves =
        std::ranges::find_if(turns_, [&](const Turn& turn) { return (turn.lanes >> lane & 1) == 0; });
    const auto turns = static_cast<unsigned>(leaves - turns_.begin());
    const auto [own, is_new] = known.try_emplace(turns);
    if (is_new) own->second = unrolled_parts(unrolling_, turns);
    for (const UnrolledPart& one : own->second) {
      Part& part = parts[{one.phase, one.number}];
      part.turns = one.turns;
      part.lanes.emplace_back(lane, one.first_turn);
    }
  });
  std::vector<Part> in_order;
  for (auto& [phase, part] : parts) in_order.push_back(std::move(part));
  return in_order;
}

std::vector<UnrolledTurns::Part> UnrolledTurns::turn_by_turn() const {
  std::vector<Part> parts;
  for (std::size_t turn = 0; turn < turns_.size(); ++turn) {
    parts.push_back({1, {}});
    for_each_lane(turns_[turn].lanes, [&](unsigned lane) { parts.back().lanes.emplace_back(lane, turn); });
  }
  return parts;
}

// Then the next turn may load what this one stores.
bool UnrolledTurns::stores_where_it_loads() const {
  const auto has = [&](AccessKind kind, Space space) {
    return std::any_of(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(row_count_),
                       [&](const Row& row) { return row.access.kind == kind && row.access.space == space; });
  };
  return std::ranges::any_of(std::array{Space::global, Space::shared}, [&](Space space) {
    return has(AccessKind::load, space) && has(AccessKind::store, space);
  });
}

std::pair<std::size_t, std::size_t> UnrolledTurns::rows_of(std::size_t turn) const {
  return {turns_[turn].begin, turn + 1 < turns_.size() ? turns_[turn + 1].begin : row_count_};
}

const UnrolledTurns::Row* UnrolledTurns::row_of(std::size_t turn, std::uint32_t place, unsigned lane) const {
  const auto [begin, end] = rows_of(turn);
  for (std::size_t i = begin; i < end; ++i) {
    if (rows_[i].access.place == place && (rows_[i].access.lanes >> lane & 1) != 0) return &rows_[i];
  }
  return nullptr;
}

}  // namespace simulator
