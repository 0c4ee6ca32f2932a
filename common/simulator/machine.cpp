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
// another place or not at all, is a divergent barrier: CUDA calls it undefined, here it ends with a report. So does a
// block that goes on and on without changing anything: it waits for what never comes.
#include "simulator/machine.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <cstdlib>

#include "simulator/checkers/counter.hpp"
#include "simulator/checkers/initialisation_checker.hpp"
#include "simulator/checkers/race_checker.hpp"
#include "simulator/checkers/tracer.hpp"
#include "simulator/dynamic_shared.hpp"
#include "simulator/kernel_signals.hpp"
#include "simulator/lockstep.hpp"
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

// Below it Linux maps nothing: a null pointer, with an index.
constexpr std::uintptr_t lowest_of_host = 1 << 16;

std::uintptr_t to_place(std::uintptr_t site) { return site - ProgramImage::instance().load_address(); }

}  // namespace

Machine Machine::the_machine;

void Machine::prepare_threads() {
  const dim3 extent = configuration_.block;
  while (threads_.size() < block_threads_) threads_.emplace_back();
  for (unsigned t = 0; t < block_threads_; ++t) {
    Thread& thread = threads_[t];
    thread.index = {t % extent.x, t / extent.x % extent.y, t / (extent.x * extent.y)};
    thread.warp = t / ModelDevice::lanes;
    thread.lane = t % ModelDevice::lanes;
    thread.number = t;
  }
  warps_.assign((block_threads_ + ModelDevice::lanes - 1) / ModelDevice::lanes, {});
}

void Machine::add_observers() {
  if (configuration_.counters) observers_.add(std::make_unique<Counter>(result_.counters));
  if (configuration_.places) observers_.add(std::make_unique<PlaceCounter>(result_.places));
  if (configuration_.checks) {
    observers_.add(std::make_unique<RaceChecker>(hazards_));
    observers_.add(std::make_unique<InitialisationChecker>(hazards_));
  }
  if (configuration_.observer) observers_.add(*configuration_.observer);
  if (configuration_.trace) observers_.add(std::make_unique<Tracer>(configuration_, result_.trace.emplace()));
}

void Machine::prepare(const LaunchConfiguration& configuration) {
  configuration_ = configuration;
  block_threads_ = configuration.block.x * configuration.block.y * configuration.block.z;
  prepare_threads();
  result_ = {};
  stopped_ = false;
  failed_ = false;
  hazards_.clear();
  observers_.clear();
  recorder_.clear();
  if (!configuration.lockstep_seed) add_observers();
  recording_ = configuration.counters || configuration.places || configuration.checks || configuration.trace || configuration.observer ||
               configuration.lockstep_seed;
  recording = {};
  recording.load_address = ProgramImage::instance().load_address();
  memory_.emplace(configuration.dynamic_shared_bytes);
  entered_.fill(0);
  // Arrays of functions that are entered later are poisoned before anyone can read them.
  const std::span<unsigned char> all = ProgramImage::instance().shared_memory();
  std::memset(all.data(), poison, all.size());
}

void Machine::poison_shared_memory() {
  for (const NamedArray& array : memory_->shared_arrays()) std::memset(reinterpret_cast<void*>(array.begin), poison, array.bytes);
}

LaunchResult Machine::launch(const LaunchConfiguration& configuration, ThreadProgram program) {
  if (auto refused = refusal(configuration)) {
    return {.refused = std::move(refused), .hazards = {}, .notes = {}, .counters = {}, .places = {}, .trace = {}};
  }
  prepare(configuration);
  program_ = program;
  const KernelSignals signals;
  if (configuration.lockstep_seed) {
    Lockstep(*this, *configuration.lockstep_seed).run();
  } else {
    run_blocks();
  }
  result_.hazards = hazards_.take();
  const auto notes = std::stable_partition(result_.hazards.begin(), result_.hazards.end(),
                                           [](const Hazard& hazard) { return hazard.kind != HazardKind::same_value; });
  result_.notes.assign(std::make_move_iterator(notes), std::make_move_iterator(result_.hazards.end()));
  result_.hazards.erase(notes, result_.hazards.end());
  observers_.clear();
  return std::move(result_);
}

void Machine::run_blocks() {
  const dim3 grid = configuration_.grid;
  for (unsigned z = 0; z < grid.z && !stopped_; ++z) {
    for (unsigned y = 0; y < grid.y && !stopped_; ++y) {
      for (unsigned x = 0; x < grid.x && !stopped_; ++x) {
        block_index_ = {x, y, z};
        const std::uint64_t number = x + std::uint64_t{grid.x} * (y + std::uint64_t{grid.y} * z);
        observers_.block_begins({block_index_, number, configuration_.block, grid});
        run_block();
        if (!failed_) observers_.block_ends();
      }
    }
  }
}

void Machine::begin_block() {
  poison_shared_memory();
  result_.counters.threads += block_threads_;
  result_.counters.warps += warps_.size();
  for (unsigned t = 0; t < block_threads_; ++t) {
    threads_[t].depth = 0;
    threads_[t].fuel = turn;
    threads_[t].steps = 0;
  }
  arrivals_ = {};
  for (unsigned w = 0; w < warps_.size(); ++w) {
    const unsigned lanes = std::min(block_threads_ - w * ModelDevice::lanes, ModelDevice::lanes);
    warps_[w] = {.ready = lanes == ModelDevice::lanes ? ~0u : (1u << lanes) - 1};
  }
}

void Machine::run_block() {
  begin_block();
  idle_ = 0;
  for (;;) {
    bool anyone_ready = false, anyone_live = false;
    round_is_idle_ = true;
    for (unsigned w = 0; w < warps_.size(); ++w) {
      run_warp(w);
      anyone_ready |= warps_[w].ready != 0;
      anyone_live |= warps_[w].live() != 0;
      if (failed_) return abandon_block();
    }
    if (!anyone_live) return;
    const bool waits_in_vain = round_is_idle_ && idle_ > configuration_.patience;
    if (!waits_in_vain && (anyone_ready || release_barrier())) continue;
    if (waits_in_vain) {
      report_spinning();
    } else {
      report_deadlock();
    }
    return abandon_block();
  }
}

void Machine::abandon_block() {
  stopped_ = true;
  recorder_.clear();
  for (unsigned t = 0; t < block_threads_; ++t) threads_[t].fiber.restart();
}

void Machine::run_warp(unsigned index) {
  Warp& warp = warps_[index];
  const unsigned first_thread = index * ModelDevice::lanes;
  recorder_.begin_warp(index);
  gave_way_ = 0;
  do {
    // Lanes run as long as there is something to merge with; those that gave way wait for the other warps' turn.
    while (const unsigned producers = warp.ready & ~gave_way_) {
      for_each_lane(producers & ~recorder_.pending(), [&](unsigned lane) { run_lane(threads_[first_thread + lane]); });
      recorder_.merge(warp.ready & ~gave_way_, observers_);
    }
    recorder_.merge(0, observers_);
  } while (complete_operations(warp, first_thread));
  if (recorder_.take_stored()) note_progress();
  // Whoever is ready now has given way, and may be waiting for one of those that ask.
  if (warp.at_active_mask) complete_active_mask(warp, first_thread);
}

void Machine::run_lane(Thread& thread) {
  current_ = &thread;
  if (recording_) {
    const std::uintptr_t stack_end = reinterpret_cast<std::uintptr_t>(thread.fiber.stack().end());
    recorder_.resume(thread.lane, thread.depth, {stack_end - FiberStack::bytes, FiberStack::bytes});
  }
  recording.lowest_frame = thread.fiber.stack().lowest_frame();
  granted_ = std::min(thread.fuel, idle_ > long_idle ? short_turn : turn);
  fuel = granted_;
  thread.fiber.enter(&Machine::thread_body);
  const bool gave_way = gave_way_ & bit(thread);
  const std::int64_t used = gave_way ? granted_ : granted_ - fuel;
  idle_ += used;
  thread.steps += used;
  const bool gets_new_turn = gave_way || (warp_of(thread).at_barrier & bit(thread));
  thread.fuel = gets_new_turn ? turn : fuel;
  if (recording_) {
    thread.depth = recording.depth;
    recorder_.suspend(thread.lane);
  }
  current_ = nullptr;
  if (!thread.abandoned) return;
  thread.fiber.restart();
  thread.abandoned = false;
}

void Machine::thread_body() {
  Machine& machine = instance();
  for (;;) {
    machine.program_.run(machine.program_.arguments);
    machine.end_thread(*machine.current_);
    Fiber::leave();
  }
}

void Machine::give_way_to_other_warps(std::uintptr_t site) {
  current_->site = site;
  gave_way_ |= bit(*current_);
  Fiber::leave();
}

void Machine::fence() { observers_.fence(current_->number); }

void Machine::entered(std::uintptr_t site) {
  std::uintptr_t& known = entered_[site / 16 % entered_.size()];
  if (known == site) return;
  known = site;
  if (const ProgramImage::Function* function = ProgramImage::instance().function_at(site)) memory_->entered(*function);
}

std::optional<Space> Machine::locate(std::uintptr_t address, std::size_t size, AccessKind kind, std::uintptr_t site) {
  const std::optional<Space> space = space_of(address, size, kind, site);
  if (!configuration_.lockstep_seed || !space) return space;
  // Others go first. Nothing is recorded, and the array is not remembered, so that each access comes here.
  current_->site = site;
  recording.shared = {};
  recording.global = {};
  Fiber::leave();
  if (kind == AccessKind::store) note_progress();
  return std::nullopt;
}

std::optional<Space> Machine::space_of(std::uintptr_t address, std::size_t size, AccessKind kind, std::uintptr_t site) {
  const ProgramImage& program = ProgramImage::instance();
  const bool aligned = address % size == 0;
  const NamedArray* array = memory_->find(address, size);
  if (!array) array = memory_->find_inlined(address, size);
  if (array && (aligned || configuration_.host_code)) {
    const Recording::Range range{array->begin, array->bytes};
    if (array->space == Space::shared) {
      recording.shared = range;
    } else {
      recording.global[1] = std::exchange(recording.global[0], range);
    }
    return array->space;
  }
  const auto shared = reinterpret_cast<std::uintptr_t>(program.shared_memory().data());
  const bool in_shared = address - shared < program.shared_memory().size();
  // Variables and tables of the program: __constant__, __device__, static const. What lies on the host's stack are the
  // kernel's arguments, which a GPU keeps in constant memory.
  if (!in_shared && program.contains(address, size)) return kind == AccessKind::load ? std::nullopt : std::optional(Space::global);
  if (configuration_.host_code && address >= lowest_of_host && !memory_->nearest(address, array_gap_bytes)) return std::nullopt;
  const std::string who = function_name(site);
  const char* const verb = kind == AccessKind::load ? "read" : kind == AccessKind::store ? "wrote" : "changed";
  if (array) {
    fault(HazardKind::out_of_bounds,
          fmt::format("{} {} {} bytes at {} at an address that is no multiple of {}", who, verb, size, element_name(*array, address, size), size),
          site);
  }
  if (const NamedArray* freed = DeviceArrays::instance().find_freed(address)) {
    fault(HazardKind::out_of_bounds, fmt::format("{} {} {}, which has been freed", who, verb, element_name(*freed, address, size)), site);
  }
  if (const NamedArray* near = memory_->nearest(address)) {
    const std::size_t element = near->element_bytes > 0 ? near->element_bytes : size;
    // What begins within the array goes wrong at its end.
    const std::uintptr_t outside = near->contains(address, 1) ? near->begin + near->bytes : address;
    fault(HazardKind::out_of_bounds,
          fmt::format("{} {} {}; {} has {} {}", who, verb, element_name(*near, outside, size), near->name, near->bytes / element,
                      element == 1 ? "bytes" : "elements"),
          site);
  }
  fault(HazardKind::out_of_bounds, fmt::format("{} {} address 0x{:x}, which belongs to no array", who, verb, address), site);
}

void Machine::fault(HazardKind kind, std::string what, std::uintptr_t site) {
  hazards_.add({.kind = kind, .what = std::move(what), .threads = {{current_->index, block_index_}}, .sites = {to_place(site)}});
  end_faulty_thread();
}

void Machine::end_faulty_thread() {
  Thread& self = *current_;
  warp_of(self).ready &= ~bit(self);
  warp_of(self).faulted |= bit(self);
  self.abandoned = true;
  note_progress();
  Fiber::leave();
  std::abort();  // an abandoned fiber starts anew and never comes back here
}

void Machine::fail(HazardKind kind, std::string what, std::uintptr_t site) {
  // What the warp's other lanes do meanwhile is the same again.
  if (failed_) end_faulty_thread();
  failed_ = stopped_ = true;
  fault(kind, function_name(site) + " " + what, site);
}

void Machine::overflow_stack(std::uintptr_t site) {
  fail(HazardKind::beyond_limit,
       fmt::format("needs more than {} KiB a thread for calls and local arrays", FiberStack::kernel_bytes / 1024), site);
}

std::string Machine::function_name(std::uintptr_t site) const {
  const ProgramImage::Function* const function = ProgramImage::instance().function_at(site);
  return function ? function->name() : "the kernel";
}

void Machine::end_thread(const Thread& thread) {
  warp_of(thread).ready &= ~bit(thread);
  warp_of(thread).exited |= bit(thread);
  note_progress();
}

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
  observers_.block_barrier(static_cast<std::uint32_t>(to_place(site)));
  arrivals_ = {};
  for (Warp& warp : warps_) {
    if (!warp.at_barrier) continue;
    ++result_.counters.barriers;
    warp.ready = warp.at_barrier;
    warp.at_barrier = 0;
  }
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
      observers_.warp_barrier(first.warp, arrived, static_cast<std::uint32_t>(to_place(first.site)));
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

// The compiler may have made two barriers of one, which says nothing: so that some have returned is said for itself.
void Machine::report_barrier(unsigned exited) {
  const Thread* first = nullptr;
  const Thread* other = nullptr;
  for (unsigned t = 0; t < block_threads_ && !other; ++t) {
    const Thread& thread = threads_[t];
    if (!(warp_of(thread).at_barrier & bit(thread))) continue;
    if (!first) first = &thread;
    if (thread.site != first->site) other = &thread;
  }
  Hazard hazard{.kind = HazardKind::divergent_barrier, .what = {}, .threads = {{first->index, block_index_}}, .sites = {to_place(first->site)}};
  if (exited > 0) {
    hazard.what = fmt::format("{} of {} threads had already returned when the others waited at the barrier", exited,
                              block_threads_);
    hazards_.add(hazard);
  }
  if (!other) return;
  hazard.what = "threads of one block wait at different barriers";
  hazard.threads.push_back({other->index, block_index_});
  hazard.sites.push_back(to_place(other->site));
  hazards_.add(std::move(hazard));
}

void Machine::report_deadlock() {
  for (unsigned t = 0; t < block_threads_; ++t) {
    const Thread& thread = threads_[t];
    const Warp& warp = warp_of(thread);
    if (!(warp.at_operation & bit(thread))) continue;
    const unsigned missing = thread.request.mask & warp.live() & ~warp.at_operation;
    hazards_.add({.kind = HazardKind::divergent_barrier,
                .what = missing ? fmt::format("a warp operation with mask 0x{:08x} waits for lanes 0x{:08x}, which "
                                              "wait at a barrier of the block",
                                              thread.request.mask, missing)
                                : fmt::format("a warp operation with mask 0x{:08x} waits for lanes that wait in "
                                              "another operation or with another mask",
                                              thread.request.mask),
                .threads = {{thread.index, block_index_}},
                .sites = {to_place(thread.site)}});
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
    if (!spinning || (!(warp_of(*spinning).ready & bit(*spinning)) && (warp.ready & bit(thread)))) spinning = &thread;
  }
  hazards_.add({.kind = HazardKind::divergent_barrier,
                .what = "all threads of the block that can run wait for something that never comes",
                .threads = {{spinning->index, block_index_}},
                .sites = {to_place(spinning->site)}});
}

LaunchResult launch(const LaunchConfiguration& configuration, ThreadProgram program) {
  return Machine::instance().launch(configuration, program);
}

}  // namespace simulator
