// SPDX-License-Identifier: MIT
// How lanes wait for each other. They go on when the last has come:
//
//   a warp operation  when every lane of its mask that has not ended waits with the same operation and mask
//   __activemask      when every other lane of the warp waits, ended or used up its turn: the lanes at the
//                     lowest address answer together, so the warp is as converged as the program allows
//   a block barrier   when every thread of the block that has not ended waits at one
//
// If nobody can go on, the block is stuck on lanes that never come. That, and a barrier that some threads
// reach at another place or not at all, is a divergent barrier: CUDA calls it undefined, here it ends with a
// report. So does a block that goes on and on without changing anything: it waits for what never comes.
#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "simulator/machine.hpp"

namespace simulator {

int Machine::wait_at_barrier(BarrierReduction reduction, bool predicate, std::uintptr_t site) {
  Thread& self = *current_;
  self.site = site;
  if (arrivals_.threads++ == 0) arrivals_.site = site;
  arrivals_.sites_differ |= arrivals_.site != site;
  arrivals_.reduction = reduction;
  arrivals_.votes += predicate;
  warp_of(self).ready &= ~bit(self);
  warp_of(self).at_barrier |= bit(self);
  Fiber::leave();
  return barrier_result_;
}

bool Machine::release_barrier() {
  unsigned exited = 0;
  for (const Warp& warp : warps_) {
    if (warp.live() != warp.at_barrier) return false;
    exited += static_cast<unsigned>(std::popcount(warp.exited));
  }
  if (arrivals_.threads == 0) return false;
  if (exited > 0 || arrivals_.sites_differ) report_barrier(exited);
  const auto& [reduction, threads, votes, site, differ] = arrivals_;
  barrier_result_ = reduction == BarrierReduction::count ? static_cast<int>(votes)
                    : reduction == BarrierReduction::all ? votes == threads
                                                         : votes > 0;
  observers_.block_barrier(static_cast<std::uint32_t>(ProgramImage::instance().place_of(site)));
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
  Thread& self = *current_;
  if (!(request.mask & bit(self))) {
    fault(facts::Verdict::divergent_barrier, "a lane called a warp operation whose mask does not contain it",
          site);
  }
  self.site = site;
  self.request = request;
  warp_of(self).ready &= ~bit(self);
  warp_of(self).at_operation |= bit(self);
  Fiber::leave();
  return self.request.result;
}

bool Machine::complete_operations(Warp& warp, unsigned first_thread) {
  bool completed = false;
  unsigned open = warp.at_operation;
  while (open) {
    const Thread& first = threads_[first_thread + static_cast<unsigned>(std::countr_zero(open))];
    const WarpRequest& request = first.request;
    LaneRequests requests{};
    unsigned arrived = 0;
    for_each_lane(request.mask & warp.at_operation, [&](unsigned lane) {
      WarpRequest& candidate = threads_[first_thread + lane].request;
      if (candidate.operation != request.operation || candidate.mask != request.mask) return;
      requests[lane] = &candidate;
      arrived |= 1u << lane;
    });
    open &= ~arrived;
    // Lanes beyond the end of a block whose size is no multiple of 32 never existed: they are not waited for.
    if (arrived != (request.mask & warp.live())) continue;
    complete_operation(requests, arrived);
    if (request.operation == WarpOperation::sync) {
      observers_.warp_barrier(first.warp, arrived,
                              static_cast<std::uint32_t>(ProgramImage::instance().place_of(first.site)));
    }
    warp.at_operation &= ~arrived;
    warp.ready |= arrived;
    completed = true;
  }
  return completed;
}

unsigned Machine::wait_for_active_mask(std::uintptr_t site) {
  Thread& self = *current_;
  self.site = site;
  warp_of(self).ready &= ~bit(self);
  warp_of(self).at_active_mask |= bit(self);
  Fiber::leave();
  return static_cast<unsigned>(self.request.result);
}

void Machine::complete_active_mask(Warp& warp, unsigned first_thread) {
  std::uintptr_t lowest = UINTPTR_MAX;
  for_each_lane(warp.at_active_mask,
                [&](unsigned lane) { lowest = std::min(lowest, threads_[first_thread + lane].site); });
  unsigned together = 0;
  for_each_lane(warp.at_active_mask, [&](unsigned lane) {
    if (threads_[first_thread + lane].site == lowest) together |= 1u << lane;
  });
  for_each_lane(together, [&](unsigned lane) { threads_[first_thread + lane].request.result = together; });
  warp.at_active_mask &= ~together;
  warp.ready |= together;
}

// The compiler may have made two barriers of one, which says nothing: so that some have returned is said for
// itself.
void Machine::report_barrier(unsigned exited) {
  const Thread* first = nullptr;
  const Thread* other = nullptr;
  for (unsigned t = 0; t < block_threads_ && !other; ++t) {
    const Thread& thread = threads_[t];
    if (!(warp_of(thread).at_barrier & bit(thread))) continue;
    if (!first) first = &thread;
    if (thread.site != first->site) other = &thread;
  }
  Hazard hazard{.kind = facts::Verdict::divergent_barrier,
                .what = {},
                .threads = {{first->index, block_index_}},
                .sites = {ProgramImage::instance().place_of(first->site)}};
  if (exited > 0) {
    hazard.what = fmt::format("{} of {} threads had already returned when the others waited at the barrier",
                              exited, block_threads_);
    hazards_.add(hazard);
  }
  if (!other) return;
  hazard.what = "threads of one block wait at different barriers";
  hazard.threads.push_back({other->index, block_index_});
  hazard.sites.push_back(ProgramImage::instance().place_of(other->site));
  hazards_.add(std::move(hazard));
}

void Machine::report_deadlock() {
  for (unsigned t = 0; t < block_threads_; ++t) {
    const Thread& thread = threads_[t];
    const Warp& warp = warp_of(thread);
    if (!(warp.at_operation & bit(thread))) continue;
    const unsigned missing = thread.request.mask & warp.live() & ~warp.at_operation;
    hazards_.add(
        {.kind = facts::Verdict::divergent_barrier,
         .what = missing ? fmt::format("a warp operation with mask 0x{:08x} waits for lanes 0x{:08x}, which "
                                       "wait at a barrier of the block",
                                       thread.request.mask, missing)
                         : fmt::format("a warp operation with mask 0x{:08x} waits for lanes that wait in "
                                       "another operation or with another mask",
                                       thread.request.mask),
         .threads = {{thread.index, block_index_}},
         .sites = {ProgramImage::instance().place_of(thread.site)}});
    return;
  }
}

// Names the first thread that still runs, or else the first that has waited.
void Machine::report_spinning() {
  const Thread* spinning = nullptr;
  for (unsigned t = 0; t < block_threads_; ++t) {
    const Thread& thread = threads_[t];
    const Warp& warp = warp_of(thread);
    if (!(warp.live() & bit(thread))) continue;
    if (!spinning || (!(warp_of(*spinning).ready & bit(*spinning)) && (warp.ready & bit(thread))))
      spinning = &thread;
  }
  hazards_.add({.kind = facts::Verdict::divergent_barrier,
                .what = "all threads of the block that can run wait for something that never comes",
                .threads = {{spinning->index, block_index_}},
                .sites = {ProgramImage::instance().place_of(spinning->site)}});
}

}  // namespace simulator
