// SPDX-License-Identifier: MIT
// What a race is told by: who did what to which element, and what it lacks.
#include <fmt/core.h>

#include <bit>
#include <string_view>
#include <utility>

#include "simulator/checkers/race_checker.hpp"
#include "simulator/memory_map.hpp"

namespace simulator {

namespace {

// "reads counts[3]"
std::string doing(AccessKind kind, std::string_view object) {
  return kind == AccessKind::load    ? fmt::format("reads {}", object)
         : kind == AccessKind::store ? fmt::format("writes {}", object)
                                     : fmt::format("changes {} atomically", object);
}

std::string role_of(AccessKind kind) {
  return kind == AccessKind::load ? "reads" : kind == AccessKind::store ? "writes" : "changes atomically";
}

}  // namespace

// Of a mark that several lanes share, the lane whose bytes the other mark touches too.
RaceChecker::Mark RaceChecker::sharing(Mark mark, const Mark& other) const {
  if (mark.detail != byte_each && mark.detail != two_bytes_each) return mark;
  const std::uint64_t both = mark.bytes & other.bytes;
  if (!both) return mark;
  const auto first = [](std::uint64_t bytes) { return static_cast<unsigned>(std::countr_zero(bytes)); };
  mark.thread = (mark.thread + (first(both) - first(mark.bytes)) / (mark.detail == byte_each ? 1 : 2)) &
                (most_threads - 1);
  return mark;
}

// Of a mark that several lanes share alike, whether it names the other access's thread, which does not race
// with itself.
bool RaceChecker::may_be_itself(const Mark& mark, const Mark& other) const {
  return mark.several && mark.detail == whole && mark.thread == other.thread && in_this_block(mark) &&
         in_this_block(other);
}

// Then another one of its lanes. `access`: in which they made it.
RaceChecker::Mark RaceChecker::other_lane(Mark mark, const Mark& other, const WarpAccess& access,
                                          std::uintptr_t address) const {
  if (!may_be_itself(mark, other)) return mark;
  for (unsigned lanes = access.lanes; lanes; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const unsigned thread = (access.warp * ModelDevice::lanes + lane) & (most_threads - 1);
    if (thread == other.thread || access.address(lane) / shadow_word_bytes != address / shadow_word_bytes)
      continue;
    mark.thread = thread;
    break;
  }
  return mark;
}

ThreadLocation RaceChecker::location(const Mark& mark) const {
  const auto split = [](std::uint64_t number, dim3 extent) {
    return uint3{static_cast<unsigned>(number % extent.x),
                 static_cast<unsigned>(number / extent.x % extent.y),
                 static_cast<unsigned>(number / extent.x / extent.y)};
  };
  return {split(mark.thread, block_.extent), split(block_of(mark), block_.grid)};
}

void RaceChecker::note(std::string what, const Mark& before, const Mark& now) {
  hazards_.add({.kind = facts::Verdict::pass,
                .what = std::move(what),
                .threads = {location(before), location(now)},
                .sites = {before.place, now.place}});
}

// Whether the same access of the same lane has clashed with the same other one in a word before: an access of
// several words is one.
bool RaceChecker::is_told_already(const WarpAccess& access, std::uintptr_t address, const Mark& before,
                                  const Mark& now) {
  const auto is_one = [](const Mark& a, const Mark& b) {
    return a.epoch == b.epoch && a.thread == b.thread && a.place == b.place;
  };
  const std::uintptr_t begin = access.address(lane_);
  const bool is_told = clash_.address >= begin && clash_.address < address && is_one(clash_.before, before) &&
                       is_one(clash_.now, now);
  if (!is_told) clash_ = {address, before, now};
  return is_told;
}

void RaceChecker::report(const WarpAccess& access, std::uintptr_t address, const Cell& cell,
                         const Mark& before, const Mark& now, AccessKind kind_before) {
  if (access.size > shadow_word_bytes && is_told_already(access, address, before, now)) return;
  const auto has_read = [&](const Mark& writer) {
    const auto is_by_writer = [&](const Mark& read) {
      return read.epoch == writer.epoch && read.thread == writer.thread;
    };
    return is_by_writer(cell.read) || is_by_writer(further_reads(cell.read, address).second);
  };
  const bool stores = access.kind == AccessKind::store, strong = both_strong(before, now);
  // Both read the word and write it back, at one place or at two. Where only one does, or writes another
  // word's value, what the other wrote comes too early or too late: a barrier would mend that.
  const bool moves = access.moves >> lane_ & 1;
  const bool both_change = stores && kind_before == AccessKind::store && !moves && has_read(now) &&
                           (before.place == now.place || has_read(before));
  // Lanes that have all read the word, and store in it together what each has made of that. (Operations with
  // an order may order all such updates but those of one instruction.)
  const auto also_updates = [&](unsigned lane) {
    return lane != lane_ && access.lanes & access.updates & 1u << lane &&
           access.address(lane) == access.address(lane_);
  };
  bool update_together = false;
  for (unsigned lane = 0; lane < ModelDevice::lanes && stores && strong && now.update; ++lane)
    update_together |= also_updates(lane);
  const bool loses_update = strong && access.kind != AccessKind::load && kind_before != AccessKind::load &&
                            (before.update || now.update);
  Mark first = sharing(before, now);
  // Lanes that load from one word together follow each other.
  if (kind_before == AccessKind::load && may_be_itself(first, now)) ++first.thread;
  Hazard hazard{
      .kind = facts::Verdict::race,
      .what = {},
      .threads = {location(first), location(other_lane(sharing(now, before), before, access, address))},
      .sites = {static_cast<std::uintptr_t>(before.place), static_cast<std::uintptr_t>(now.place)},
      .roles = {role_of(kind_before), role_of(access.kind)}};
  hazard.across_blocks = !in_this_block(before);
  hazard.within_warp =
      !hazard.across_blocks && before.thread / ModelDevice::lanes == now.thread / ModelDevice::lanes;
  // Each is atomic, but not for the other.
  const bool sizes_differ = before.strong && now.strong && is_atomic(kind_before) && is_atomic(access.kind) &&
                            !same_size(before, now);
  hazard.read_modify_write = loses_update || update_together || both_change || sizes_differ;
  const std::string element = name_of_element(address, access.size);
  if (loses_update && !(stores && kind_before == AccessKind::store)) {
    hazard.what =
        fmt::format("one thread reads {} and then writes it, while another changes it in between", element);
  } else if (sizes_differ) {
    hazard.what = fmt::format("two threads change {} at once by atomics of different sizes", element);
  } else if (hazard.read_modify_write) {
    hazard.what = fmt::format("two threads change {} without an atomic", element);
  } else if (before.strong && now.strong && is_atomic(kind_before) && is_atomic(access.kind)) {
    hazard.what =
        fmt::format("threads of different blocks change {} by atomics that are for one block only", element);
  } else if (stores && kind_before == AccessKind::store) {
    hazard.what = fmt::format("two threads write {}", element);
  } else {
    hazard.what =
        fmt::format("one thread {} while another {}", doing(kind_before, element), doing(access.kind, "it"));
  }
  hazards_.add(std::move(hazard));
  Synchronisation::instance().note_race();
}

}  // namespace simulator
