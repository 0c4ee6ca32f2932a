// SPDX-License-Identifier: MIT
// Compare-and-swaps of a warp. The lanes of one instruction have loaded what the word held before any of them
// changes it, so all but one of those that share a word fail, and mostly try again in a loop. Here, where
// lanes run one after another, each waits before its compare-and-swap until the other lanes have come to it,
// too, or wait elsewhere. Then all are made, in the order of the lanes.
//
// Behind most loops the lanes of a warp meet again. But in a loop that goes on until an atomic succeeds, nvcc
// lets lanes that try again give way (YIELD), and those that wait behind the loop then go on without them: so
// a warp's lanes drift apart. Measured on an H200, lane by lane, the order is:
//
//   - Lanes that have entered the loop since lanes were last let go behind it are its members. A member that
//     succeeds waits for the other members; any other lane that succeeds goes on at once.
//   - If all members have succeeded, they go on together.
//   - When lanes come back to try again and none has entered the loop since, those that wait are let go.
//   - When others have entered it, one more compare-and-swap is made first, by all that have come.
//   - Lanes that are let go do what stands behind the loop, until they come to it again. Then all that have
//     come make the next compare-and-swap together.
#include <algorithm>
#include <utility>

#include "simulator/machine.hpp"

namespace simulator {

bool Machine::meets_at_swap(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
  return recording.thread && recording.at() && !configuration_.lockstep_seed &&
         is_recorded_swap(address, size, site);
}

void Machine::wait_at_swap(const PendingSwap& swap, std::uintptr_t site) {
  Thread& self = *recording.thread;
  self.site = site;
  self.swap = swap;
  warp_of(self).ready &= ~bit(self);
  warp_of(self).at_swap |= bit(self);
  leave();
}

// Those that wait behind a loop, if there are any.
bool Machine::let_go_behind_swap(Warp& warp) {
  if (!warp.behind_swap) return false;
  warp.ready |= std::exchange(warp.behind_swap, 0);
  warp.swap_loop.members = 0;
  warp.swap_loop.lets_go_next = false;
  return true;
}

unsigned Machine::lanes_at_swap(const Warp& warp, std::uintptr_t site, const Thread* first_thread) {
  unsigned lanes = 0;
  for_each_lane(warp.at_swap, [&](unsigned lane) {
    if (first_thread[lane].site == site) lanes |= 1u << lane;
  });
  return lanes;
}

// Whether lanes go on where all others wait elsewhere: some that have made their compare-and-swap, or some
// that have waited behind a loop.
bool Machine::go_on_at_swaps(Warp& warp, unsigned first_thread) {
  const Thread* const threads = &threads_[first_thread];
  SwapLoop& loop = warp.swap_loop;
  unsigned lanes = lanes_at_swap(warp, loop.site, threads);
  if (!(lanes & loop.failed) && let_go_behind_swap(warp)) return true;
  if (!warp.at_swap) return false;
  if (!lanes) {
    std::uintptr_t first = UINTPTR_MAX;
    for_each_lane(warp.at_swap, [&](unsigned lane) { first = std::min(first, threads[lane].site); });
    loop = {.site = first};
    lanes = lanes_at_swap(warp, first, threads);
  }
  const unsigned entered = lanes & ~loop.failed;
  if (warp.behind_swap) {
    if (entered == 0 || loop.lets_go_next) {
      loop.failed |= entered;
      return let_go_behind_swap(warp);
    }
    loop.lets_go_next = true;
  }
  loop.members |= entered;
  const unsigned succeeded = make_swaps(lanes, first_thread);
  loop.failed = (loop.failed & ~lanes) | (lanes & ~succeeded);
  warp.at_swap &= ~lanes;
  const bool is_known = swap_loops_.contains(loop.site);
  const bool is_loop = is_known || try_again(warp, lanes & ~succeeded, loop.site, first_thread);
  if (is_loop) {
    warp.behind_swap |= succeeded & loop.members;
    // Of lanes that have tried again some may have left the loop, and wait behind it or have ended.
    warp.ready |= (is_known ? lanes : succeeded) & ~warp.behind_swap;
    if (warp.behind_swap == loop.members) let_go_behind_swap(warp);
  } else {
    warp.ready |= succeeded;
  }
  return true;
}

// Lanes make the compare-and-swaps at which they wait; those that succeed.
unsigned Machine::make_swaps(unsigned lanes, unsigned first_thread) {
  unsigned succeeded = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    Thread& thread = threads_[first_thread + lane];
    begin_turn_of(thread, lane);
    succeeded |= static_cast<unsigned>(thread.swap.make(thread.swap.operands)) << lane;
    end_turn_of(thread);
  });
  recorder_.stop();
  return succeeded;
}

// Whether lanes that have failed come to their compare-and-swap again. What they do is not passed on yet: if
// it is no loop, those that have succeeded meet them.
bool Machine::try_again(Warp& warp, unsigned lanes, std::uintptr_t site, unsigned first_thread) {
  if (!lanes) return false;
  warp.ready |= lanes;
  recorder_.merge(lanes, {}, observers_);
  run_lanes(lanes, first_thread);
  const bool is_loop = (lanes & lanes_at_swap(warp, site, &threads_[first_thread])) != 0;
  if (is_loop) swap_loops_.insert(site);
  return is_loop;
}

}  // namespace simulator
