// SPDX-License-Identifier: MIT
#include "simulator/lockstep.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "simulator/memory_map.hpp"

namespace simulator {

void Lockstep::Rounds::basic_block(unsigned, unsigned, std::uint32_t place, unsigned depth) {
  of->rounds.enter(place, depth);
}

void Lockstep::run() {
  auto rounds = std::make_unique<Rounds>();
  rounds_ = rounds.get();
  machine_.observers_.add(std::move(rounds));
  const dim3 grid = machine_.configuration_.grid;
  const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y * grid.z;
  const unsigned resident =
      std::max(resident_blocks({.threads = machine_.block_threads_,
                                .shared_bytes = machine_.configuration_.dynamic_shared_bytes}),
               1u);
  slots_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(blocks, resident)));
  progress.changed_at = progress.clock;
  for (unsigned slot = 0; slot < slots_.size(); ++slot) begin_next_block(slot);
  const auto& turns = machine_.configuration_.lockstep_turns;
  for (std::uint64_t steps = 0; !runnable_.empty() && !machine_.stopped_; ++steps) {
    if (turns && steps == turns->most_steps) {
      machine_.result_.given_up = true;
      break;
    }
    step(next_runnable());
  }
  note_lost_update();
  if (current_ != nobody) exchange(slots_[current_]);
}

void Lockstep::observe_update(const Thread& thread, const Machine::PendingAccess& made) {
  constexpr unsigned slot_shift = 48;
  const std::uint64_t number = number_in_grid({current_, thread.number});
  const std::uint64_t word =
      made.address | (made.space == Space::shared ? std::uint64_t{current_ + 1} << slot_shift : 0);
  if (made.kind == AccessKind::load) return lost_updates_.load(number, word, made.site);
  if (made.kind == AccessKind::store)
    return lost_updates_.store(number, word, made.address, made.size, made.site);
  lost_updates_.atomic(number, word);
}

void Lockstep::note_lost_update() {
  const auto& update = lost_updates_.first();
  if (!update) return;
  const dim3 extent = machine_.configuration_.block, grid = machine_.configuration_.grid;
  const auto split = [](std::uint64_t number, dim3 of) {
    return uint3{static_cast<unsigned>(number % of.x), static_cast<unsigned>(number / of.x % of.y),
                 static_cast<unsigned>(number / of.x / of.y)};
  };
  const auto location = [&](std::uint64_t number) {
    return ThreadLocation{split(number % machine_.block_threads_, extent),
                          split(number / machine_.block_threads_, grid)};
  };
  const ProgramImage& program = ProgramImage::instance();
  machine_.hazards_.add(
      {.kind = facts::Verdict::pass,
       .what = fmt::format("one thread reads {} and then writes it, while another changes it in between",
                           name_of_element(update->address, update->size)),
       .threads = {location(update->by), location(update->between)},
       .sites = {program.place_of(update->read_site), program.place_of(update->write_site)},
       .roles = {"reads", "writes"}});
}

std::uint64_t Lockstep::number_in_grid(const Runnable& runnable) const {
  return slots_[runnable.slot].number * machine_.block_threads_ + runnable.thread;
}

std::size_t Lockstep::next_runnable() {
  if (!machine_.configuration_.lockstep_order.empty()) return next_in_order();
  if (!machine_.configuration_.lockstep_turns) return draw();
  // Some steps are anybody's, and more of them where those that are preferred seem to wait for others.
  constexpr unsigned anybodys = 64, anybodys_of_idle = 2, patience = 64;
  const bool idle = idle_steps_ > patience * runnable_.size();
  return random_() % (idle ? anybodys_of_idle : anybodys) == 0 ? draw() : next_preferred();
}

// One of the lowest rank: mostly one of the first that are drawn, and of the block that runs already if one
// of them is, because going over to another one takes time.
std::size_t Lockstep::next_preferred() {
  const facts::Preferred preferred = machine_.configuration_.lockstep_turns->preferred;
  const bool prefers_last = preferred == facts::Preferred::last_blocks;
  std::uint64_t lowest = 0;
  if (preferred != facts::Preferred::readers) {
    lowest = UINT64_MAX;
    for (unsigned slot = 0; slot < slots_.size(); ++slot) {
      const std::uint64_t number = slots_[slot].number;
      if (slots_[slot].runnable > 0) lowest = std::min(lowest, prefers_last ? ~number : number);
    }
  }
  constexpr unsigned most_draws = 8;
  std::optional<std::size_t> elsewhere;
  for (unsigned drawn = 0; drawn < most_draws; ++drawn) {
    const std::size_t at = draw();
    if (rank(runnable_[at]) != lowest) continue;
    if (runnable_[at].slot == current_) return at;
    elsewhere = at;
  }
  if (elsewhere) return *elsewhere;
  std::size_t at = draw(), best = at;
  for (std::size_t seen = 0; seen < runnable_.size() && rank(runnable_[best]) != lowest; ++seen) {
    if (rank(runnable_[at]) < rank(runnable_[best])) best = at;
    if (++at == runnable_.size()) at = 0;
  }
  return best;
}

std::uint64_t Lockstep::rank(const Runnable& runnable) const {
  const Slot& slot = slots_[runnable.slot];
  const Machine::PendingAccess& access = slot.pending[runnable.thread];
  if (access.is_repeated) return UINT64_MAX;  // it waits for a change
  switch (machine_.configuration_.lockstep_turns->preferred) {
    case facts::Preferred::first_blocks:
      return slot.number;
    case facts::Preferred::last_blocks:
      return ~slot.number;
    case facts::Preferred::readers:
      break;
  }
  // A word that somebody has read stays as it is for longest if all can see it.
  if (access.size == 0 || access.kind == AccessKind::load) return 0;
  return access.space == Space::shared ? 1 : 2;
}

std::size_t Lockstep::next_in_order() {
  const auto has_access = [&](const Runnable& one) { return slots_[one.slot].pending[one.thread].size > 0; };
  const auto waits_for_others = [&](const Runnable& one) {
    return slots_[one.slot].gave_way[one.thread / ModelDevice::lanes] >> one.thread % ModelDevice::lanes & 1;
  };
  const auto position = [&](auto at) { return static_cast<std::size_t>(at - runnable_.begin()); };
  const auto on_its_way = std::ranges::find_if(
      runnable_, [&](const Runnable& one) { return !has_access(one) && !waits_for_others(one); });
  if (on_its_way != runnable_.end()) return position(on_its_way);
  const std::vector<std::uint64_t>& order = machine_.configuration_.lockstep_order;
  while (next_in_order_ < order.size()) {
    const std::uint64_t wanted = order[next_in_order_++];
    const auto named = std::ranges::find_if(
        runnable_, [&](const Runnable& one) { return number_in_grid(one) == wanted && has_access(one); });
    if (named != runnable_.end()) return position(named);
  }
  return position(std::ranges::min_element(
      runnable_, {}, [&](const Runnable& one) { return std::pair(!has_access(one), number_in_grid(one)); }));
}

// Lets the thread go on to its next access, and tells of the one that it makes in doing so.
void Lockstep::run(Thread& thread, Machine::PendingAccess& pending) {
  const Machine::PendingAccess made = std::exchange(pending, {});
  if (made.size > 0 && machine_.configuration_.lockstep_turns) observe_update(thread, made);
  const bool is_traced = made.size > 0 && machine_.configuration_.trace;
  const auto value = [&] {
    std::uint64_t bytes = 0;
    if (made.size <= sizeof bytes)
      std::memcpy(&bytes, reinterpret_cast<const void*>(made.address), made.size);
    return bytes;
  };
  Operands operands;
  Values values;
  operands.address[thread.lane] = made.address;
  if (is_traced) values.read[thread.lane] = value();
  machine_.pending_ = {};
  machine_.run_lanes(machine_.bit(thread), thread.warp * ModelDevice::lanes);
  pending = machine_.pending_;
  pending.is_repeated =
      pending.size > 0 && made.size > 0 && pending.address == made.address && pending.kind == made.kind;
  if (!is_traced) return;
  values.written[thread.lane] = value();
  machine_.observers_.access(
      {// whether its result is used is not seen
       .kind = made.kind == AccessKind::atomic_increment ? AccessKind::atomic : made.kind,
       .space = made.space,
       .size = static_cast<unsigned>(made.size),
       .place = static_cast<std::uint32_t>(ProgramImage::instance().place_of(made.site)),
       .warp = thread.warp,
       .lanes = machine_.bit(thread),
       .operands = &operands,
       .values = machine_.configuration_.trace->values ? &values : nullptr});
}

void Lockstep::step(std::size_t at) {
  const auto [slot, number] = runnable_[at];
  enter(slot);
  Thread& thread = machine_.threads_[number];
  Warp& warp = machine_.warp_of(thread);
  const unsigned first_thread = thread.warp * ModelDevice::lanes, before = warp.ready;
  machine_.gave_way_ = 0;
  progress.round_is_idle = true;
  rounds_->of = &thread;
  run(thread, slots_[slot].pending[number]);
  idle_steps_ = progress.round_is_idle ? idle_steps_ + 1 : 0;
  machine_.recorder_.merge(0, {}, machine_.observers_);  // in which there is no access
  machine_.complete_operations(warp, first_thread);
  unsigned& gave_way = slots_[slot].gave_way[thread.warp];
  gave_way |= machine_.gave_way_;
  if (warp.at_active_mask && !(warp.ready & ~gave_way)) {
    machine_.answer_all_questions(warp, first_thread);
    gave_way = 0;
  }
  if (!(warp.ready & machine_.bit(thread))) {
    runnable_[at] = runnable_.back();
    runnable_.pop_back();
    --slots_[slot].runnable;
  }
  add_ready(thread.warp, warp.ready & ~before);
  if (slots_[slot].runnable == 0) settle();
  if (!(machine_.is_idle_for_long() || waits_in_vain()) || machine_.stopped_) return;
  machine_.report_spinning();
  machine_.stopped_ = true;
}

// Where threads take turns by what they prefer: all that run make the same access again and again, and what
// they find does not change. One that gives up in the end has tried less often.
bool Lockstep::waits_in_vain() const {
  constexpr std::uint64_t patience = 100'000, patience_of_each = 512;
  if (!machine_.configuration_.lockstep_turns || idle_steps_ <= patience ||
      idle_steps_ <= patience_of_each * runnable_.size())
    return false;
  return std::ranges::all_of(
      runnable_, [this](const Runnable& one) { return slots_[one.slot].pending[one.thread].is_repeated; });
}

// No thread of the block can go on: it is at a barrier or at its end, or stuck.
void Lockstep::settle() {
  const bool ended = std::all_of(machine_.warps_.begin(), machine_.warps_.end(),
                                 [](const Warp& warp) { return warp.live() == 0; });
  if (ended) {
    machine_.observers_.block_ends();
    begin_next_block(current_);
  } else if (machine_.release_barrier()) {
    for (unsigned w = 0; w < machine_.warps_.size(); ++w) add_ready(w, machine_.warps_[w].ready);
  } else {
    machine_.report_deadlock();
    machine_.stopped_ = true;
  }
}

void Lockstep::begin_next_block(unsigned slot) {
  const dim3 grid = machine_.configuration_.grid;
  const std::uint64_t number = next_block_;
  if (number >= std::uint64_t{grid.x} * grid.y * grid.z) return;
  ++next_block_;
  enter(slot);
  launch_indices.block = {static_cast<unsigned>(number % grid.x),
                          static_cast<unsigned>(number / grid.x % grid.y),
                          static_cast<unsigned>(number / grid.x / grid.y)};
  slots_[slot].number = number;
  machine_.observers_.block_goes_on(number);
  machine_.observers_.block_begins({launch_indices.block, number, machine_.configuration_.block, grid});
  machine_.prepare_threads();
  machine_.begin_block();
  slots_[slot].pending.assign(machine_.block_threads_, {});
  slots_[slot].gave_way.assign(machine_.warps_.size(), 0);
  for (unsigned w = 0; w < machine_.warps_.size(); ++w) add_ready(w, machine_.warps_[w].ready);
}

void Lockstep::add_ready(unsigned warp, unsigned lanes) {
  for (; lanes; lanes &= lanes - 1) {
    runnable_.push_back(
        {current_, warp * ModelDevice::lanes + static_cast<unsigned>(std::countr_zero(lanes))});
    ++slots_[current_].runnable;
  }
}

void Lockstep::enter(unsigned slot) {
  if (slot == current_) return;
  if (current_ != nobody) {
    save_shared_memory(slots_[current_]);
    exchange(slots_[current_]);
  }
  exchange(slots_[slot]);
  load_shared_memory(slots_[slot]);
  current_ = slot;
  machine_.observers_.block_goes_on(slots_[slot].number);
}

void Lockstep::exchange(Slot& slot) {
  std::swap(launch_indices.block, slot.index);
  std::swap(machine_.threads_, slot.threads);
  std::swap(machine_.warps_, slot.warps);
  std::swap(machine_.arrivals_, slot.arrivals);
  std::swap(machine_.barrier_result_, slot.barrier_result);
}

void Lockstep::save_shared_memory(Slot& slot) {
  const std::span<const NamedArray> arrays = machine_.memory_->shared_arrays();
  slot.shared.resize(arrays.size());
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    slot.shared[i].resize(arrays[i].bytes);
    std::memcpy(slot.shared[i].data(), reinterpret_cast<const void*>(arrays[i].begin), arrays[i].bytes);
  }
}

void Lockstep::load_shared_memory(const Slot& slot) {
  const std::span<const NamedArray> arrays = machine_.memory_->shared_arrays();
  // An array that has come into use meanwhile is as this block will find it.
  if (slot.shared.size() < arrays.size()) machine_.poison_shared_memory();
  for (std::size_t i = 0; i < slot.shared.size(); ++i) {
    std::memcpy(reinterpret_cast<void*>(arrays[i].begin), slot.shared[i].data(), arrays[i].bytes);
  }
}

}  // namespace simulator
