// SPDX-License-Identifier: MIT
// How a block runs. Each thread is a fiber. A warp's lanes run one after another, each until it waits or ends; the
// warps of the block take turns. Lanes that wait for each other go on when the last has come:
//
//   a warp operation  when every lane of its mask that has not ended waits with the same operation and mask
//   __activemask      when every other lane of the warp waits, ended or used up its turn: the lanes at the lowest
//                     address answer together, so the warp is as converged as the program allows
//   a block barrier   when every thread of the block that has not ended waits at one
//
// If nobody can go on, the block is stuck on lanes that never come. That, and a barrier that some threads reach at
// another place or not at all, is a divergent barrier: CUDA calls it undefined, here it ends with a report.
#include "simulator/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <cstdlib>

#include "simulator/device_memory.hpp"
#include "simulator/warp_operations.hpp"

namespace simulator {

namespace {

// What shared memory holds when a block starts: neither 0 nor a plausible count.
constexpr int poison = 0xdb;

template <class Function>
void for_each_lane(unsigned lanes, Function function) {
  for (; lanes; lanes &= lanes - 1) function(static_cast<unsigned>(std::countr_zero(lanes)));
}

std::optional<std::string> refusal(const LaunchConfiguration& launch) {
  const std::uint64_t threads = std::uint64_t{launch.block.x} * launch.block.y * launch.block.z;
  const bool grid_fits = launch.grid.x >= 1 && launch.grid.x <= ModelDevice::grid_x && launch.grid.y >= 1 &&
                         launch.grid.y <= ModelDevice::grid_y && launch.grid.z >= 1 &&
                         launch.grid.z <= ModelDevice::grid_z;
  const bool block_fits = launch.block.x <= ModelDevice::block_x && launch.block.y <= ModelDevice::block_y &&
                          launch.block.z <= ModelDevice::block_z && threads >= 1 &&
                          threads <= ModelDevice::threads_of_block;
  if (!grid_fits || !block_fits) return "cudaErrorInvalidConfiguration: invalid configuration argument";
  if (launch.dynamic_shared_bytes > ModelDevice::shared_bytes_of_block) {
    return "cudaErrorInvalidValue: invalid argument";
  }
  return std::nullopt;
}

void poison_shared_memory(std::size_t dynamic_bytes) {
  const std::span<unsigned char> all = shared_memory(), dynamic = dynamic_shared_memory();
  if (dynamic.empty()) {
    std::memset(all.data(), poison, all.size());
    return;
  }
  const auto before = static_cast<std::size_t>(dynamic.data() - all.data());
  std::memset(all.data(), poison, before + dynamic_bytes);
  const std::size_t after = before + dynamic.size();
  std::memset(all.data() + after, poison, all.size() - after);
}

}  // namespace

Machine& Machine::instance() {
  static Machine machine;
  return machine;
}

void Machine::prepare(const LaunchConfiguration& configuration) {
  configuration_ = configuration;
  const dim3 extent = configuration.block;
  block_threads_ = extent.x * extent.y * extent.z;
  while (threads_.size() < block_threads_) threads_.emplace_back();
  for (unsigned t = 0; t < block_threads_; ++t) {
    Thread& thread = threads_[t];
    thread.index = {t % extent.x, t / extent.x % extent.y, t / (extent.x * extent.y)};
    thread.warp = t / ModelDevice::lanes;
    thread.lane = t % ModelDevice::lanes;
  }
  warps_.assign((block_threads_ + ModelDevice::lanes - 1) / ModelDevice::lanes, {});
  result_ = {};
  stopped_ = false;
}

LaunchResult Machine::launch(const LaunchConfiguration& configuration, ThreadProgram program) {
  if (auto refused = refusal(configuration)) return {.refused = std::move(refused), .hazards = {}, .counters = {}};
  prepare(configuration);
  program_ = program;
  const dim3 grid = configuration.grid;
  for (unsigned z = 0; z < grid.z && !stopped_; ++z) {
    for (unsigned y = 0; y < grid.y && !stopped_; ++y) {
      for (unsigned x = 0; x < grid.x && !stopped_; ++x) {
        block_index_ = {x, y, z};
        run_block();
      }
    }
  }
  return std::move(result_);
}

void Machine::run_block() {
  poison_shared_memory(configuration_.dynamic_shared_bytes);
  result_.counters.threads += block_threads_;
  result_.counters.warps += warps_.size();
  for (unsigned w = 0; w < warps_.size(); ++w) {
    const unsigned lanes = std::min(block_threads_ - w * ModelDevice::lanes, ModelDevice::lanes);
    warps_[w] = {.ready = lanes == ModelDevice::lanes ? ~0u : (1u << lanes) - 1};
  }
  for (;;) {
    bool anyone_ready = false, anyone_live = false;
    for (unsigned w = 0; w < warps_.size(); ++w) {
      run_warp(w);
      anyone_ready |= warps_[w].ready != 0;
      anyone_live |= warps_[w].live() != 0;
    }
    if (!anyone_live) return;
    if (anyone_ready || release_barrier()) continue;
    report_deadlock();
    stopped_ = true;
    for (unsigned t = 0; t < block_threads_; ++t) threads_[t].fiber.restart();
    return;
  }
}

void Machine::run_warp(unsigned index) {
  Warp& warp = warps_[index];
  const unsigned first_thread = index * ModelDevice::lanes;
  do {
    // Lanes that give way stay ready; they run again only after the other warps had their turn.
    for_each_lane(warp.ready, [&](unsigned lane) {
      current_ = &threads_[first_thread + lane];
      fuel = turn;
      current_->fiber.enter(&Machine::thread_body);
      if (!current_->abandoned) return;
      current_->fiber.restart();
      current_->abandoned = false;
    });
    current_ = nullptr;
  } while (complete_operations(warp, first_thread));
  // Whoever is ready now has given way, and may be waiting for one of those that ask.
  if (warp.at_active_mask) complete_active_mask(warp, first_thread);
}

void Machine::thread_body() {
  Machine& machine = instance();
  for (;;) {
    machine.program_.run(machine.program_.arguments);
    machine.end_thread(*machine.current_);
    Fiber::leave();
  }
}

void Machine::give_way() { Fiber::leave(); }

void Machine::fault(HazardKind kind, const char* what, std::uintptr_t site) {
  Thread& self = *current_;
  add_hazard({.kind = kind, .what = what, .first = {self.index, block_index_}, .sites = {site}});
  end_thread(self);
  self.abandoned = true;
  Fiber::leave();
  std::abort();  // an abandoned fiber starts anew and never comes back here
}

void Machine::end_thread(const Thread& thread) {
  warp_of(thread).ready &= ~bit(thread);
  warp_of(thread).exited |= bit(thread);
}

int Machine::wait_at_barrier(BarrierReduction reduction, bool predicate, std::uintptr_t site) {
  Thread& self = *current_;
  self.site = site;
  self.predicate = predicate;
  reduction_ = reduction;
  warp_of(self).ready &= ~bit(self);
  warp_of(self).at_barrier |= bit(self);
  Fiber::leave();
  return self.result;
}

bool Machine::release_barrier() {
  unsigned waiting = 0, exited = 0, votes = 0;
  const Thread* first = nullptr;
  const Thread* other = nullptr;
  for (unsigned t = 0; t < block_threads_; ++t) {
    const Thread& thread = threads_[t];
    const Warp& warp = warp_of(thread);
    if (warp.exited & bit(thread)) {
      ++exited;
      continue;
    }
    if (!(warp.at_barrier & bit(thread))) return false;
    ++waiting;
    votes += thread.predicate;
    if (!first) first = &thread;
    if (!other && thread.site != first->site) other = &thread;
  }
  if (exited > 0 || other) report_barrier(*first, other, exited);
  const int result = reduction_ == BarrierReduction::count ? static_cast<int>(votes)
                     : reduction_ == BarrierReduction::all ? votes == waiting
                                                           : votes > 0;
  for (Warp& warp : warps_) {
    if (!warp.at_barrier) continue;
    ++result_.counters.barriers;
    warp.ready = warp.at_barrier;
    warp.at_barrier = 0;
  }
  for (unsigned t = 0; t < block_threads_; ++t) threads_[t].result = result;
  return true;
}

std::uint64_t Machine::wait_for_lanes(const WarpRequest& request, std::uintptr_t site) {
  Thread& self = *current_;
  if (!(request.mask & bit(self))) {
    fault(HazardKind::divergent_barrier, "a lane called a warp operation whose mask does not contain it", site);
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
    const WarpRequest& request = threads_[first_thread + static_cast<unsigned>(std::countr_zero(open))].request;
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

void Machine::report_barrier(const Thread& first, const Thread* other, unsigned exited) {
  Hazard hazard{.kind = HazardKind::divergent_barrier, .what = {}, .first = {first.index, block_index_}, .sites = {first.site}};
  if (other) {
    hazard.what = "threads of one block wait at different barriers";
    hazard.sites.push_back(other->site);
  } else {
    hazard.what = fmt::format("{} of {} threads had already returned when the others waited at the barrier", exited,
                              block_threads_);
  }
  add_hazard(std::move(hazard));
}

void Machine::report_deadlock() {
  for (unsigned t = 0; t < block_threads_; ++t) {
    const Thread& thread = threads_[t];
    const Warp& warp = warp_of(thread);
    if (!(warp.at_operation & bit(thread))) continue;
    const unsigned missing = thread.request.mask & warp.live() & ~warp.at_operation;
    add_hazard({.kind = HazardKind::divergent_barrier,
                .what = missing ? fmt::format("a warp operation with mask 0x{:08x} waits for lanes 0x{:08x}, which "
                                              "wait at a barrier of the block",
                                              thread.request.mask, missing)
                                : fmt::format("a warp operation with mask 0x{:08x} waits for lanes that wait in "
                                              "another operation or with another mask",
                                              thread.request.mask),
                .first = {thread.index, block_index_},
                .sites = {thread.site}});
    return;
  }
}

void Machine::add_hazard(Hazard hazard) {
  const auto same = std::find_if(result_.hazards.begin(), result_.hazards.end(), [&](const Hazard& known) {
    return known.kind == hazard.kind && known.sites == hazard.sites;
  });
  if (same == result_.hazards.end()) {
    result_.hazards.push_back(std::move(hazard));
  } else {
    ++same->occurrences;
  }
}

LaunchResult launch(const LaunchConfiguration& configuration, ThreadProgram program) {
  return Machine::instance().launch(configuration, program);
}

}  // namespace simulator
