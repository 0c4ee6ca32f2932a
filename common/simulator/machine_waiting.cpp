// SPDX-License-Identifier: MIT
// How lanes wait for each other. They go on when the last has come:
//
//   a warp operation  when every lane of its mask that has not ended waits with the same operation and mask
//   __activemask      when every other lane of the warp waits, ended or used up its turn. A question is
//                     merged as an instruction is, so the warp is as converged as the program allows
//   an atomic         whose result is used: likewise, and then other warps have their turn
//   a compare-and-swap
//                     when all other lanes of the warp wait (machine_swaps.cpp)
//   a block barrier   when every thread of the block that has not ended waits at one
//
// What is told of a block in which nobody goes on is in machine_stuck.cpp.
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "simulator/machine.hpp"
#include "simulator/synchronisation.hpp"

namespace simulator {

namespace {

constexpr std::uint64_t undefined_value = 0xdbdbdbdbdbdbdbdb;  // as shared memory begins

constexpr int lane_count = static_cast<int>(ModelDevice::lanes);

bool contains(unsigned lanes, int lane) { return lane >= 0 && lane < lane_count && (lanes >> lane & 1); }

// The lane whose value a shuffle gives to `lane`; its own where the source lies outside its segment of the
// warp. (PTX ISA, shfl.sync; CUDA C++ Programming Guide, "Warp shuffle functions")
int source_lane(const WarpRequest& request, int lane) {
  const int width = std::clamp(request.width, 1, lane_count);
  const int segment = lane & ~(width - 1);
  const int last = segment + width - 1;
  const int distance = request.argument & (lane_count - 1);
  switch (request.operation) {
    case WarpOperation::shuffle:
      return segment + (request.argument & (width - 1));
    case WarpOperation::shuffle_up:
      return lane - distance >= segment ? lane - distance : lane;
    case WarpOperation::shuffle_down:
      return lane + distance <= last ? lane + distance : lane;
    default:
      return (lane ^ distance) <= last ? lane ^ distance : lane;
  }
}

std::uint32_t reduce(WarpOperation operation, std::uint32_t a, std::uint32_t b) {
  const auto signed_a = static_cast<std::int32_t>(a), signed_b = static_cast<std::int32_t>(b);
  switch (operation) {
    case WarpOperation::reduce_add:
      return a + b;
    case WarpOperation::reduce_min:
      return std::min(a, b);
    case WarpOperation::reduce_max:
      return std::max(a, b);
    case WarpOperation::reduce_min_signed:
      return static_cast<std::uint32_t>(std::min(signed_a, signed_b));
    case WarpOperation::reduce_max_signed:
      return static_cast<std::uint32_t>(std::max(signed_a, signed_b));
    case WarpOperation::reduce_and:
      return a & b;
    case WarpOperation::reduce_or:
      return a | b;
    default:
      return a ^ b;
  }
}

// The lanes whose value equals that of `lane`.
unsigned equal_lanes(const LaneRequests& requests, unsigned lanes, int lane) {
  unsigned equal = 0;
  for (int other = 0; other < lane_count; ++other) {
    const auto at = static_cast<std::size_t>(other);
    if (contains(lanes, other) && requests[at]->value == requests[static_cast<std::size_t>(lane)]->value) {
      equal |= 1u << other;
    }
  }
  return equal;
}

ExchangeKind kind_of(WarpOperation operation) {
  if (operation <= WarpOperation::shuffle_xor) return ExchangeKind::shuffle;
  if (operation == WarpOperation::ballot) return ExchangeKind::vote;
  return operation <= WarpOperation::match_all ? ExchangeKind::match : ExchangeKind::reduction;
}

// How many values these lanes bring, each counted once.
unsigned different_values(const LaneRequests& requests, unsigned lanes) {
  unsigned different = 0;
  for (unsigned left = lanes; left != 0; ++different)
    left &= ~equal_lanes(requests, lanes, std::countr_zero(left));
  return different;
}

// `undefined`: what a lane gives that does not take part; its own value to each lane if it is nullopt.
std::uint64_t result_of(const LaneRequests& requests, unsigned lanes, int lane,
                        std::optional<std::uint64_t> undefined) {
  const WarpRequest& own = *requests[static_cast<std::size_t>(lane)];
  switch (own.operation) {
    case WarpOperation::sync:
      return 0;
    case WarpOperation::shuffle:
    case WarpOperation::shuffle_up:
    case WarpOperation::shuffle_down:
    case WarpOperation::shuffle_xor: {
      // A lane that does not take part has no defined value to give; a GPU returns what the register held.
      // The lane's own value would often be right by luck.
      const int source = source_lane(own, lane);
      return contains(lanes, source) ? requests[static_cast<std::size_t>(source)]->value
                                     : undefined.value_or(own.value);
    }
    case WarpOperation::ballot: {
      unsigned votes = 0;
      for (int other = 0; other < lane_count; ++other) {
        if (contains(lanes, other) && requests[static_cast<std::size_t>(other)]->value) votes |= 1u << other;
      }
      return votes;
    }
    case WarpOperation::match_any:
      return equal_lanes(requests, lanes, lane);
    case WarpOperation::match_all: {
      const unsigned equal = equal_lanes(requests, lanes, lane);
      return equal == lanes ? lanes : 0;
    }
    default: {
      std::uint32_t total = static_cast<std::uint32_t>(own.value);
      for (int other = 0; other < lane_count; ++other) {
        if (other == lane || !contains(lanes, other)) continue;
        total = reduce(own.operation, total,
                       static_cast<std::uint32_t>(requests[static_cast<std::size_t>(other)]->value));
      }
      return total;
    }
  }
}

}  // namespace

void complete_operation(const LaneRequests& requests, unsigned lanes,
                        std::optional<std::uint64_t> undefined) {
  for (int lane = 0; lane < lane_count; ++lane) {
    if (contains(lanes, lane))
      requests[static_cast<std::size_t>(lane)]->result = result_of(requests, lanes, lane, undefined);
  }
}

bool Machine::release_barrier() {
  unsigned exited = 0, threads = 0;
  for (const Warp& warp : warps_) {
    if (warp.live() != warp.at_barrier) return false;
    exited += static_cast<unsigned>(std::popcount(warp.exited));
    threads += static_cast<unsigned>(std::popcount(warp.at_barrier));
  }
  if (threads == 0) return false;
  const auto& [reduction, votes, site, differ] = arrivals_;
  barrier_result_ = reduction == BarrierReduction::count ? static_cast<int>(votes)
                    : reduction == BarrierReduction::all ? votes == threads
                                                         : votes > 0;
  Synchronisation::instance().block_barrier();
  observers_.block_barrier(static_cast<std::uint32_t>(ProgramImage::instance().place_of(site)));
  // Behind what was found before it: what follows may come of it.
  if (exited > 0 || differ) report_barrier(exited);
  arrivals_ = {};
  for (Warp& warp : warps_) {
    if (!warp.at_barrier) continue;
    ++result_.counters[facts::Counter::barriers];
    warp.ready = warp.at_barrier;
    warp.at_barrier = 0;
  }
  return true;
}

std::uint64_t Machine::wait_for_lanes(const WarpRequest& request, std::uintptr_t site) {
  Thread& self = *recording.thread;
  if (!(request.mask & bit(self))) {
    fault(facts::Verdict::divergent_barrier, "a lane called a warp operation whose mask does not contain it",
          site);
  }
  self.site = site;
  self.request = request;
  warp_of(self).ready &= ~bit(self);
  warp_of(self).at_operation |= bit(self);
  leave();
  return self.request.result;
}

Machine::Group Machine::group_of(unsigned lane, unsigned arrived, unsigned first_thread) {
  const WarpRequest& request = threads_[first_thread + lane].request;
  Group group;
  for_each_lane(request.mask & arrived, [&](unsigned other) {
    WarpRequest& candidate = threads_[first_thread + other].request;
    if (candidate.operation != request.operation || candidate.mask != request.mask) return;
    group.requests[other] = &candidate;
    group.lanes |= 1u << other;
  });
  return group;
}

// Lanes beyond the end of a block whose size is no multiple of 32 never existed: they are not waited for.
bool Machine::is_complete(const Group& group, const Warp& warp) {
  const auto any = static_cast<unsigned>(std::countr_zero(group.lanes));
  return group.lanes == (group.requests[any]->mask & warp.live());
}

Machine::CompleteGroups Machine::complete_groups(const Warp& warp, unsigned first_thread) {
  CompleteGroups complete;
  for (unsigned open = warp.at_operation; open;) {
    const Group group =
        group_of(static_cast<unsigned>(std::countr_zero(open)), warp.at_operation, first_thread);
    open &= ~group.lanes;
    if (is_complete(group, warp)) complete.lanes[complete.count++] = group.lanes;
  }
  return complete;
}

bool Machine::complete_operations(Warp& warp, unsigned first_thread) {
  bool completed = false;
  // Groups that make the same operation at once: one instruction of the warp.
  std::optional<WarpExchange> together;
  // Where a question comes first, some lanes have run ahead of it.
  const unsigned arriving = warp.at_operation & ~recorder_.pending();
  unsigned open = arriving;
  while (open) {
    const auto lane = static_cast<unsigned>(std::countr_zero(open));
    const Thread& first = threads_[first_thread + lane];
    const WarpRequest& request = first.request;
    const Group group = group_of(lane, arriving, first_thread);
    const auto& [arrived, requests] = group;
    open &= ~arrived;
    if (!is_complete(group, warp)) continue;
    complete_operation(requests, arrived,
                       configuration_.absent_lanes_echo ? std::nullopt : std::optional(undefined_value));
    note_absent_source(first, requests, arrived);
    if (request.operation == WarpOperation::sync) {
      Synchronisation::instance().warp_barrier(first.warp, arrived);
      observers_.warp_barrier(first.warp, arrived,
                              static_cast<std::uint32_t>(ProgramImage::instance().place_of(first.site)));
    } else {
      const bool matches = request.operation == WarpOperation::match_any;
      const WarpExchange exchange{
          .kind = kind_of(request.operation),
          .bytes = request.bytes,
          .different = matches ? different_values(requests, arrived) : 1,
          .warp = first.warp,
          .lanes = arrived,
          .place = static_cast<std::uint32_t>(ProgramImage::instance().place_of(first.site))};
      if (together && together->place == exchange.place) {
        together->lanes |= arrived;
        if (matches) together->different += exchange.different;
      } else {
        if (together) observers_.warp_exchange(*together);
        together = exchange;
      }
    }
    warp.at_operation &= ~arrived;
    warp.ready |= arrived;
    completed = true;
  }
  if (together) observers_.warp_exchange(*together);
  return completed;
}

// A lane that takes part may read from one that does not: on a GPU the value that it gets is undefined.
void Machine::note_absent_source(const Thread& first, const LaneRequests& requests, unsigned lanes) {
  const WarpOperation operation = first.request.operation;
  if (operation < WarpOperation::shuffle || operation > WarpOperation::shuffle_xor) return;
  for_each_lane(lanes, [&](unsigned lane) {
    const int source = source_lane(*requests[lane], static_cast<int>(lane));
    if (contains(lanes, source)) return;
    hazards_.add(
        {.kind = facts::Verdict::pass,
         .what = fmt::format("a shuffle reads from lane {}, which does not take part", source),
         .threads = {{threads_[first.warp * ModelDevice::lanes + lane].index(), launch_indices.block}},
         .sites = {ProgramImage::instance().place_of(first.site)},
         .roles = {std::string(facts::absent_source)}});
  });
}

void Machine::wait_at_question(std::uintptr_t site) {
  Thread& self = *recording.thread;
  self.site = site;
  warp_of(self).ready &= ~bit(self);
  warp_of(self).at_active_mask |= bit(self);
  leave();
}

unsigned Machine::wait_for_active_mask(std::uintptr_t site) {
  Thread& self = *recording.thread;
  if (!configuration_.lockstep_seed) record_question(site);
  wait_at_question(site);
  return static_cast<unsigned>(self.request.result);
}

// An atomic that has changed nothing may be a look at what another thread does, which is to go on.
void Machine::keep_step(std::uintptr_t site) {
  if (configuration_.lockstep_seed || !has_changed_a_word()) return;
  record_step(site);
  warp_of(*recording.thread).in_step |= bit(*recording.thread);
  wait_at_question(site);
}

void Machine::wait_behind_step() {
  Thread& self = *recording.thread;
  warp_of(self).ready &= ~bit(self);
  warp_of(self).behind_step |= bit(self);
  leave();
}

void Machine::answer_together(Warp& warp, unsigned first_thread, unsigned lanes) {
  for_each_lane(lanes, [&](unsigned lane) { threads_[first_thread + lane].request.result = lanes; });
  warp.at_active_mask &= ~lanes;
  warp.ready |= lanes;
}

// The lanes that have asked and go on.
unsigned Machine::answer_question(Warp& warp, unsigned first_thread) {
  if (!recorder_.question_is_first()) return 0;
  const unsigned lanes = recorder_.take_question();
  answer_together(warp, first_thread, lanes);
  return lanes;
}

// Where lanes are not merged: those at one place, in the same rounds of their loops. All at once: a lane that
// is answered first may come to where another one waits, by another way.
void Machine::answer_all_questions(Warp& warp, unsigned first_thread) {
  while (warp.at_active_mask) {
    const Thread& first =
        threads_[first_thread + static_cast<unsigned>(std::countr_zero(warp.at_active_mask))];
    unsigned together = 0;
    for_each_lane(warp.at_active_mask, [&](unsigned lane) {
      const Thread& other = threads_[first_thread + lane];
      if (other.site == first.site && other.rounds == first.rounds) together |= 1u << lane;
    });
    answer_together(warp, first_thread, together);
  }
}

}  // namespace simulator
