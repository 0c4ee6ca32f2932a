// SPDX-License-Identifier: MIT
// How a launch runs: block after block. A thread is a fiber, or begins on that of
// one that has ended. A warp's lanes run one after another, each until it waits or ends; the warps of the
// block take turns. How lanes change is in machine_turns.cpp, how they wait in machine_waiting.cpp, what they
// may touch in machine_memory.cpp.
#include "simulator/machine.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "facts/words.hpp"
#include "simulator/checkers/counter.hpp"
#include "simulator/checkers/initialisation_checker.hpp"
#include "simulator/checkers/race_checker.hpp"
#include "simulator/checkers/tracer.hpp"
#include "simulator/checkers/wide_accesses.hpp"
#include "simulator/lockstep.hpp"
#include "simulator/synchronisation.hpp"

namespace simulator {

namespace {

// The byte with which shared memory is filled when a block starts: neither 0 nor a plausible count.
constexpr int poison = 0xdb;

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

}  // namespace

Machine Machine::the_machine;
LaunchIndices launch_indices;

void Machine::prepare_threads() {
  const dim3 extent = configuration_.block;
  const unsigned threads = block_threads_ + stacks_ahead;
  threads_.reserve(threads);
  while (threads_.size() < threads) threads_.emplace_back();
  for (unsigned t = 0; t < block_threads_; ++t) {
    Thread& thread = threads_[t];
    thread.coordinates = {static_cast<std::uint16_t>(t % extent.x),
                          static_cast<std::uint16_t>(t / extent.x % extent.y),
                          static_cast<std::uint16_t>(t / (extent.x * extent.y))};
    thread.warp = static_cast<std::uint8_t>(t / ModelDevice::lanes);
    thread.lane = static_cast<std::uint8_t>(t % ModelDevice::lanes);
    thread.number = static_cast<std::uint16_t>(t);
  }
  warps_.assign((block_threads_ + ModelDevice::lanes - 1) / ModelDevice::lanes, {});
}

void Machine::add_observers() {
  if (configuration_.counters) observers_.add(std::make_unique<LaunchCounter>(result_.counters));
  if (configuration_.places) observers_.add(std::make_unique<PlaceCounter>(result_.places));
  if (configuration_.checks) {
    const dim3 grid = configuration_.grid;
    const bool single_thread = block_threads_ == 1 && std::uint64_t{grid.x} * grid.y * grid.z == 1;
    if (!single_thread) {  // it races with nobody
      auto race_checker = std::make_unique<RaceChecker>(hazards_);
      race_checker_ = race_checker.get();
      observers_.add(std::move(race_checker));
    }
    observers_.add(std::make_unique<InitialisationChecker>(hazards_));
  }
  if (configuration_.wide_accesses) observers_.add(std::make_unique<WideAccesses>(hazards_));
  for (Observer* const observer : configuration_.observers) observers_.add(*observer);
  if (configuration_.trace) observers_.add(std::make_unique<Tracer>(configuration_, result_.trace.emplace()));
}

void Machine::prepare(const LaunchConfiguration& configuration) {
  configuration_ = configuration;
  launch_indices = {{}, configuration.block, configuration.grid};
  block_threads_ = configuration.block.x * configuration.block.y * configuration.block.z;
  prepare_threads();
  result_ = {};
  result_.counters = counted_by(configuration);
  stopped_ = false;
  failed_ = false;
  overdue_ = stalled_ = false;
  until_observed_ = configuration.lockstep_seed ? INT64_MAX : configuration.patience / 2;
  until_looked_at_ = std::min(long_idle, until_observed_);
  until_looked_at_behind_end_ = until_looked_at_;
  const bool wants_values = configuration.values || (configuration.trace && configuration.trace->values);
  if (wants_values) look_at_turns();
  loop_ = {};
  time_is_stale_at_ = progress.clock;
  hazards_.clear();
  swap_loops_.clear();
  observers_.clear();
  race_checker_ = nullptr;
  read_only_loads_.clear();
  Synchronisation::instance().begin_launch();
  if (!configuration.lockstep_seed) {
    add_observers();
  } else if (configuration.trace) {
    observers_.add(std::make_unique<Tracer>(configuration_, result_.trace.emplace()));
  }
  recording_ = configuration.counters || configuration.places || configuration.checks ||
               configuration.trace || !configuration.observers.empty() || configuration.lockstep_seed;
  recorder_.clear(recording_);
  recording = {};
  recording.values = wants_values;
  recording.load_address = ProgramImage::instance().load_address();
  recording.shallow_base = (std::uint64_t{row_key::deepest} << row_key::depth_shift) -
                           (recording.load_address << row_key::place_shift);
  set_depth(0);
  simulator_fixed = ProgramImage::instance().fixed();
  memory_.emplace(configuration.dynamic_shared_bytes);
  dealt_draws_.reset();
  skipped_draws_.reset();
  if (configuration.skips_draws) skipped_draws_.emplace();
  const dim3 grid = configuration.grid;
  if (configuration.deals_draws) dealt_draws_.emplace(std::uint64_t{grid.x} * grid.y * grid.z);
  entered_.fill(0);
  // Arrays of functions that are entered later are poisoned before anyone can read them.
  const std::span<unsigned char> all = ProgramImage::instance().shared_memory();
  std::memset(all.data(), poison, all.size());
}

void Machine::poison_shared_memory() {
  for (const NamedArray& array : memory_->shared_arrays())
    std::memset(reinterpret_cast<void*>(array.begin), poison, array.bytes);
}

facts::Counters counted_by(const LaunchConfiguration& configuration) {
  using facts::Counter;
  facts::Counters counters;
  for (const Counter counter : {Counter::threads, Counter::warps, Counter::barriers}) counters[counter] = 0;
  if (!configuration.counters || configuration.lockstep_seed) return counters;
  for (const facts::CounterRow& row : facts::counter_table) counters[row.counter] = 0;
  return counters;
}

LaunchResult Machine::launch(const LaunchConfiguration& configuration, ThreadProgram program) {
  if (auto refused = refusal(configuration)) {
    LaunchResult result;
    result.refused = std::move(refused);
    return result;
  }
  prepare(configuration);
  program_ = program;
  const KernelSignals signals(configuration.time_limit);
  if (configuration.lockstep_seed) {
    Lockstep(*this, *configuration.lockstep_seed).run();
  } else {
    run_blocks();
  }
  if (!configuration.own_memory) Fiber::spoil_registers();
  note_unrepeated_swaps();
  if (race_checker_) read_only_loads_.report(*race_checker_, hazards_);
  result_.static_shared_bytes = memory_->static_shared_bytes();
  result_.hazards = hazards_.take();
  const auto notes =
      std::stable_partition(result_.hazards.begin(), result_.hazards.end(),
                            [](const Hazard& hazard) { return hazard.kind != facts::Verdict::pass; });
  result_.notes.assign(std::make_move_iterator(notes), std::make_move_iterator(result_.hazards.end()));
  result_.hazards.erase(notes, result_.hazards.end());
  observers_.clear();
  return std::move(result_);
}

void Machine::run_blocks() {
  const dim3 grid = configuration_.grid;
  const std::vector<std::uint64_t>& chosen = configuration_.blocks;
  const std::uint64_t blocks = chosen.empty() ? std::uint64_t{grid.x} * grid.y * grid.z : chosen.size();
  for (std::uint64_t i = 0; i < blocks && !stopped_; ++i) {
    // A kernel of which nothing is instrumented comes to no place where a thread would see it.
    if (overdue_) return stop_overdue_launch();
    block_number_ = chosen.empty() ? i : chosen[i];
    const std::uint64_t row = block_number_ / grid.x;
    launch_indices.block = {static_cast<unsigned>(block_number_ % grid.x),
                            static_cast<unsigned>(row % grid.y), static_cast<unsigned>(row / grid.y)};
    observers_.block_begins({launch_indices.block, block_number_, configuration_.block, grid});
    Synchronisation::instance().begin_block(static_cast<std::uint32_t>(block_number_), block_threads_);
    run_block();
    if (i > 0) Fiber::spoil_registers();
    if (!failed_) observers_.block_ends();
  }
}

void Machine::give_up() {
  result_.given_up = true;
  failed_ = stopped_ = true;
  look_at_ = INT64_MIN;
}

// Asking the system for the time takes as long as hundreds of basic blocks: short blocks share an answer.
void Machine::note_time_of_block() {
  constexpr std::int64_t basic_blocks = 1 << 16;
  if (progress.clock < time_is_stale_at_) return;
  block_began_ = processor_time();
  time_is_stale_at_ = progress.clock + basic_blocks;
}

void Machine::begin_block() {
  note_time_of_block();
  poison_shared_memory();
  result_.counters[facts::Counter::threads] += block_threads_;
  result_.counters[facts::Counter::warps] += warps_.size();
  if (anyone_looked_) {
    for (unsigned t = 0; t < block_threads_; ++t)
      threads_[t].watched = threads_[t].looks = threads_[t].spins = 0;
  }
  if (anyone_failed_swap_) {
    for (unsigned t = 0; t < block_threads_; ++t) threads_[t].failed_swap = 0;
  }
  if (std::exchange(repetition_observed_, false)) {
    for (Thread& thread : threads_) thread.repetition = {};
  }
  arrivals_ = {};
  if (!warp_storages_.empty()) warp_storages_.clear();
  for (unsigned w = 0; w < warps_.size(); ++w) {
    const unsigned lanes = std::min(block_threads_ - w * ModelDevice::lanes, ModelDevice::lanes);
    warps_[w] = {.ready = lanes == ModelDevice::lanes ? ~0u : (1u << lanes) - 1};
  }
}

void Machine::run_block() {
  begin_block();
  progress.changed_at = progress.clock;
  note_end();
  for (unsigned round = 1;; ++round) {
    bool anyone_ready = false, anyone_live = false;
    progress.round_is_idle = true;
    for (unsigned w = 0; w < warps_.size(); ++w) {
      run_warp(w);
      anyone_ready |= warps_[w].ready != 0;
      anyone_live |= warps_[w].live() != 0;
      if (failed_) return abandon_block();
    }
    if (!anyone_live) return;
    if (progress.round_is_idle || round % rounds_of_sleep == 0) wake_all();
    const bool in_vain = waits_in_vain();
    if (!in_vain && (anyone_ready || release_barrier())) continue;
    if (in_vain) {
      report_spinning();
    } else {
      report_deadlock();
    }
    return abandon_block();
  }
}

void Machine::abandon_block() {
  stopped_ = true;
  recorder_.clear(recording_);
}

void Machine::wake_all() {
  for (Warp& warp : warps_) warp.asleep = 0;
}

// The lanes whose words are as they were when they fell asleep.
unsigned Machine::still_asleep(Warp& warp, unsigned first_thread) {
  for_each_lane(warp.asleep, [&](unsigned lane) {
    const Thread& thread = threads_[first_thread + lane];
    if (value_at(thread.watched, thread.watched_bytes) != thread.watched_value) warp.asleep &= ~bit(thread);
  });
  return warp.asleep;
}

void Machine::run_warp(unsigned index) {
  Warp& warp = warps_[index];
  const unsigned first_thread = index * ModelDevice::lanes;
  running_warp_ = &warp;
  recorder_.begin_warp(index);
  prolonged_ = 0;
  gave_way_ = warp.asleep ? still_asleep(warp, first_thread) : 0;
  run_lanes(std::exchange(warp.goes_first, 0) & warp.ready & ~gave_way_, first_thread);
  for (bool goes_on = true; goes_on;) {
    // Lanes run as long as there is something to merge with; those that gave way wait for the other warps'
    // turn. Where all have come to an operation that it is for, it goes on before what others do at places
    // behind it: these would wait where the branches meet.
    while (const unsigned producers = warp.ready & ~gave_way_) {
      run_lanes(producers & ~recorder_.pending(), first_thread);
      if (ends_at_once()) return;
      const unsigned to_run = warp.ready & ~gave_way_;
      const CompleteGroups complete = complete_groups(warp, first_thread);
      recorder_.merge(to_run, complete.groups(), observers_);
      if (prolonged_ && recorder_.pending() == 0) leave_together(warp, first_thread);
      if (complete.count > 0 && complete_operations(warp, first_thread)) continue;
      if (recorder_.question_is_first() && !(to_run & ~recorder_.pending())) break;
    }
    recorder_.merge(0, {}, observers_);
    // Whoever is ready now has given way, and may be waiting for one of those that ask.
    goes_on = complete_operations(warp, first_thread);
    if (goes_on) continue;
    const unsigned answered = answer_question(warp, first_thread);
    goes_on = answered != 0 || go_on_at_swaps(warp, first_thread);
    if (!(answered & warp.in_step)) continue;
    warp.in_step &= ~answered;
    warp.ready |= std::exchange(warp.behind_step, 0);
    if (recorder_.pending() == 0) {  // a warp is left only when all that it has done is passed on
      warp.goes_first = answered;
      break;
    }
    run_lanes(answered & ~gave_way_, first_thread);
  }
  if (recorder_.take_stored()) note_progress();
  if (warp.at_active_mask && !recording_) answer_all_questions(warp, first_thread);
}

// Lanes that leave at different places of a loop may never meet again in it, for rows are not kept until the
// warp's next turn. So a lane that is busy goes on for a while, and all go step by step, until they stand at
// the same place.
bool Machine::prolong_turn(std::uintptr_t site) {
  const unsigned lane = bit(*recording.thread);
  const bool is_in_vain = (in_vain_ & lane) != 0 || idle() > long_idle;
  in_vain_ &= ~lane;
  if (!recording_ || overdue_ || is_in_vain || (prolonged_ & lane)) return false;
  settle_alike_turns();
  prolonged_ |= lane;
  recording.thread->site = site;
  granted_ += short_turn;
  recording.set_fuel(short_turn);
  return true;
}

void Machine::leave_together(Warp& warp, unsigned first_thread) {
  const std::uintptr_t site =
      threads_[first_thread + static_cast<unsigned>(std::countr_zero(prolonged_))].site;
  for_each_lane(warp.ready & ~gave_way_, [&](unsigned lane) { threads_[first_thread + lane].site = site; });
  warp.amid_turn &= ~(warp.ready & ~gave_way_);
  gave_way_ |= warp.ready;
}

void Machine::give_way_to_other_warps(std::uintptr_t site) {
  // The place that it looks at again and again says more than where its turn happened to end, which may be a
  // block without a line.
  const auto last_access = recorder_.last_access_of_running_lane();
  if (prolong_turn(last_access.value_or(site))) return;
  const bool is_known = (prolonged_ & bit(*recording.thread)) != 0;
  recording.thread->site = last_access.value_or(is_known ? recording.thread->site : site);
  if (overdue_) end_overdue(recording.thread->site);
  gave_way_ |= bit(*recording.thread);
  if (recording.thread->spins >= most_spins) warp_of(*recording.thread).asleep |= bit(*recording.thread);
  recording.thread->spins = 0;
  recording.set_fuel(0);
  leave<true>();
}

void Machine::count_swap(std::uintptr_t address, bool equal, std::uintptr_t site) {
  settle_alike_turns();
  Thread& self = *recording.thread;
  anyone_failed_swap_ = true;
  if (self.failed_swap && self.failed_swap != address) ++unrepeated_swaps_[self.site_of_failed_swap];
  self.failed_swap = equal ? 0 : address;
  self.site_of_failed_swap = site;
}

// (A user who asks for lockstep sees what it costs.)
void Machine::note_unrepeated_swaps() {
  if (configuration_.lockstep_seed && !configuration_.lockstep_turns) unrepeated_swaps_.clear();
  for (const auto& [site, times] : std::exchange(unrepeated_swaps_, {})) {
    hazards_.add({.kind = facts::Verdict::pass,
                  .what = fmt::format("{} a compare-and-swap found that the word had changed meanwhile, "
                                      "changed nothing, and was not tried again",
                                      times == 1 ? "once" : facts::separated(times) + " times"),
                  .threads = {},
                  .sites = {ProgramImage::instance().place_of(site)},
                  .roles = {std::string(facts::unrepeated_swap)}});
  }
}

LaunchResult launch(const LaunchConfiguration& configuration, ThreadProgram program) {
  return Machine::instance().launch(configuration, program);
}

void give_up_launch() { Machine::instance().give_up(); }

}  // namespace simulator
