// SPDX-License-Identifier: MIT
// The TempStorage of CUB's collectives. On the simulator those of a warp store nothing there, and on a GPU
// not always: but each logical warp needs one of its own. That of a block must not be used again before a
// barrier, whether or not the accesses that an algorithm makes would clash.
#include <fmt/core.h>

#include <algorithm>

#include "simulator/machine.hpp"
#include "simulator/memory_map.hpp"
#include "simulator/recorder.hpp"

namespace simulator {

void Machine::use_storage_of_warp(std::uintptr_t storage, unsigned first_thread, std::uintptr_t site) {
  const std::uint64_t interval = result_.counters[facts::Counter::barriers];
  const auto known = std::ranges::find(warp_storages_, storage, &WarpStorage::address);
  if (known == warp_storages_.end()) {
    warp_storages_.push_back({storage, interval, first_thread, recording.thread->index(), site});
    return;
  }
  const WarpStorage before = *known;
  *known = {storage, interval, first_thread, recording.thread->index(), site};
  // (Where threads fence, they may have handed it on.)
  const bool is_handed_on = before.interval != interval || recording.synchronizing;
  if (before.first_thread == first_thread || is_handed_on || configuration_.lockstep_seed) return;
  const ProgramImage& program = ProgramImage::instance();
  hazards_.add(
      {.kind = facts::Verdict::race,
       .what = fmt::format("two warps use {} at once, which is CUB's storage; each warp needs storage "
                           "of its own",
                           name_of_element(storage, 1)),
       .threads = {{before.thread, launch_indices.block}, {recording.thread->index(), launch_indices.block}},
       .sites = {program.place_of(before.site), program.place_of(site)},
       .roles = {"uses", "uses"}});
}

void Machine::use_storage_of_block(std::uintptr_t storage, bool begins, std::uintptr_t site) {
  constexpr unsigned by_all = ~0u;
  const std::uint64_t interval = result_.counters[facts::Counter::barriers];
  const auto known = std::ranges::find(warp_storages_, storage, &WarpStorage::address);
  if (!begins) {
    const WarpStorage now{storage, interval, by_all, recording.thread->index(), site};
    known == warp_storages_.end() ? warp_storages_.push_back(now) : void(*known = now);
    return;
  }
  const bool is_used = known != warp_storages_.end() && known->first_thread == by_all;
  if (!is_used || known->interval != interval || configuration_.lockstep_seed) return;
  const ProgramImage& program = ProgramImage::instance();
  hazards_.add(
      {.kind = facts::Verdict::race,
       .what = fmt::format("{} is used again without a barrier in between, and is CUB's storage",
                           name_of_element(storage, 1)),
       .threads = {{known->thread, launch_indices.block}, {recording.thread->index(), launch_indices.block}},
       .sites = {program.place_of(known->site), program.place_of(site)},
       .roles = {"uses", "uses"}});
}

void use_storage_of_block(const void* storage, bool begins) {
  Machine& machine = Machine::instance();
  if (machine.running())
    machine.use_storage_of_block(reinterpret_cast<std::uintptr_t>(storage), begins,
                                 reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1);
}

void use_storage_of_warp(const void* storage, unsigned first_thread) {
  Machine& machine = Machine::instance();
  if (machine.running())
    machine.use_storage_of_warp(reinterpret_cast<std::uintptr_t>(storage), first_thread,
                                reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1);
}

}  // namespace simulator
