// SPDX-License-Identifier: MIT
// The state of the simulated device during a launch: one block at a time. Internal to the simulator.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "simulator/checkers/read_only_loads.hpp"
#include "simulator/dealt_draws.hpp"
#include "simulator/fiber.hpp"
#include "simulator/hazards.hpp"
#include "simulator/kernel_signals.hpp"
#include "simulator/launch.hpp"
#include "simulator/launch_indices.hpp"
#include "simulator/machine_threads.hpp"
#include "simulator/memory_map.hpp"
#include "simulator/model_device.hpp"
#include "simulator/observer.hpp"
#include "simulator/recorder.hpp"
#include "simulator/skipped_draws.hpp"

namespace simulator {

// A look is a volatile load, or an atomic that changes nothing. A thread that has looked at one word so
// often, at no other in between, and has always found the same, waits for what another one writes: its turn
// is over.
constexpr unsigned most_looks = 256;

// A look is a spin if the thread has only looked at memory since it was here before, and at the same word.
// One that has spun so often sleeps until the word that it has looked at last holds another value. Since it
// may wait for something else, or may count how often it has looked, all wake up after a round in which
// nothing changed, and every so many rounds.
constexpr unsigned most_spins = 8, rounds_of_sleep = 64;

// A block is idle while nobody stores anything, changes anything by an atomic, or ends. After so many basic
// blocks of it turns get short, so that a thousand spinning threads are not a thousand times slower than one.
constexpr std::int64_t short_turn = 1 << 14, long_idle = 1 << 24;

class Lockstep;

class Machine {
 public:
  static Machine& instance() { return the_machine; }

  LaunchResult launch(const LaunchConfiguration& configuration, ThreadProgram program);
  void give_up();

  bool running() const { return recording.thread != nullptr; }
  Thread& current() { return *recording.thread; }
  Recorder& recorder() { return recorder_; }
  std::uint64_t block_number() const { return block_number_; }
  const LaunchConfiguration& configuration() const { return configuration_; }
  std::int64_t steps_of_thread() const {
    return recording.thread->steps + granted_ - recording.budget.fuel();
  }

  // The launch's time is over; a signal's handler says so.
  bool is_overdue() const { return overdue_; }
  void set_overdue() {
    overdue_ = true;
    look_at_turns();
  }
  void set_stalled() { stalled_ = true; }

  // Called by the running thread.
  static int wait_at_barrier(BarrierReduction reduction, bool predicate, std::uintptr_t site);
  static void wait_at_barrier(std::uintptr_t site);  // without a result
  std::uint64_t wait_for_lanes(const WarpRequest& request, std::uintptr_t site);
  unsigned wait_for_active_mask(std::uintptr_t site);
  // Behind an atomic whose result it uses: other lanes of its warp come to theirs before it goes on, and
  // other warps have their turn. On a GPU too none can draw all the work there is before the others begin.
  void keep_step(std::uintptr_t site);
  // Whether other lanes of its warp may have to come before it makes a compare-and-swap on the word.
  bool meets_at_swap(std::uintptr_t address, std::size_t size, std::uintptr_t site);
  void wait_at_swap(const PendingSwap& swap, std::uintptr_t site);  // until it has been made
  void wait_behind_step();      // of other lanes, at a place before that of its next event
  void give_way() { leave(); }  // to the merging of its warp, and to its warp's other lanes
  // As a thread does that waits for what another one writes. Cold: not to weigh on the hook that calls it.
  [[gnu::cold]] void give_way_to_other_warps(std::uintptr_t site);
  void note_look(std::uintptr_t address, unsigned bytes) {
    Thread& self = *recording.thread;
    anyone_looked_ = true;
    const std::uint64_t value = value_at(address, bytes);
    self.looks = self.watched == address && self.watched_value == value ? self.looks + 1 : 0;
    self.watched = address;
    self.watched_bytes = bytes;
    self.watched_value = value;
    self.spins = recorder_.has_only_looked() ? self.spins + 1 : 0;
    // The turn's last events tell what it waits for: they must not have been passed on by then.
    if ((self.looks < most_looks && self.spins < most_spins) || recording.budget.left() < kept_behind_load)
      return;
    self.looks = 0;
    in_vain_ |= bit(self);
    granted_ -= recording.budget.fuel() - 1;
    recording.set_fuel(1);  // the next basic block ends the turn
  }
  // A compare-and-swap of the running thread: it is known which threads do not repeat one that has changed
  // nothing.
  void note_swap(std::uintptr_t address, bool equal, std::uintptr_t site) {
    if (recording.thread && (!equal || anyone_failed_swap_)) count_swap(address, equal, site);
  }
  // Null where each thread is given what it finds.
  DealtDraws* dealt_draws() { return dealt_draws_ ? &*dealt_draws_ : nullptr; }
  SkippedDraws* skipped_draws() { return skipped_draws_ ? &*skipped_draws_ : nullptr; }
  void note_progress() { progress.changed_at = progress.clock, progress.round_is_idle = false; }
  [[noreturn]] void fault(facts::Verdict kind, std::string what, std::uintptr_t site);  // ends it
  [[noreturn]] void fail(facts::Verdict kind, const std::string& what,
                         std::uintptr_t site);  // and the launch, as on a GPU
  [[noreturn]] void refuse(std::uintptr_t address, AccessKind kind, std::uintptr_t site);  // the access
  // A shift of a number with so many bits, by an amount that is not defined.
  // By the running thread, see cuda/warp.hpp.
  void use_storage_of_warp(std::uintptr_t storage, unsigned first_thread, std::uintptr_t site);
  void use_storage_of_block(std::uintptr_t storage, bool begins, std::uintptr_t site);
  // An atomic on a variable of the running thread's own.
  [[noreturn]] void refuse_own(std::uintptr_t site);
  [[noreturn]] void refuse_shift(unsigned bits, std::int64_t amount, std::uintptr_t site);
  // An index of an array with so many elements.
  // `column`: in the source, as the compiler tells it. `extents`: "8 elements", or "4 by 8 elements" of an
  // array of rows, whose first extent it is.
  [[noreturn]] void refuse_index(std::int64_t index, unsigned column, const std::string& extents,
                                 std::uintptr_t site);
  // An access to shared memory by a function that is for global memory.
  [[noreturn]] void refuse_space(std::uintptr_t address, std::size_t size, AccessKind kind,
                                 std::uintptr_t site);
  // A load by __ldg.
  void note_read_only_load(std::uintptr_t address, std::size_t size, std::uintptr_t site);
  [[noreturn]] void overflow_stack(std::uintptr_t site);
  // What the processor itself has refused. Of a function of the host not all memory is known that it may
  // touch, so a wild index can come that far.
  struct WildAccess {
    std::optional<std::uintptr_t> address;  // nullopt: one that no memory can have
    std::optional<AccessKind> kind;         // nullopt: not known
  };
  bool may_end_wild_access(std::uintptr_t site) const;
  [[noreturn]] void end_wild_access(const WildAccess& access, std::uintptr_t site);
  [[noreturn]] void end_overdue(std::uintptr_t site);
  // Begins no further block, and reports that the launch is out of time.
  void stop_overdue_launch();
  // The running thread has entered a function. Its shared arrays are the launch's from then on.
  void entered(std::uintptr_t site) {
    std::uintptr_t& known = entered_[site / 16 % entered_.size()];
    if (known != site) use_arrays_of_function(known = site);
  }

  // The space of an access that is none of those seen last; nothing for memory of no interest. Ends the
  // thread where it must not touch that memory.
  std::optional<Space> locate(std::uintptr_t address, std::size_t size, AccessKind kind, std::uintptr_t site);

  // Before anything looks at what lanes have done whose turns have ended alike, or puts a row into the list.
  void settle_alike_turns() {
    if (alike_.where) settle_alike_lanes();
  }

  // Called where the running thread has ended. Tells what its fiber calls next: a fiber has thread after
  // thread, each of which has it to itself.
  static ThreadProgram end_running_thread();

 private:
  friend Lockstep;
  static Machine the_machine;

  [[gnu::noinline]] void use_arrays_of_function(std::uintptr_t site);
  void prepare(const LaunchConfiguration& configuration);
  void prepare_threads();
  void add_observers();
  void run_blocks();
  void note_time_of_block();
  void begin_block();
  void run_block();
  void abandon_block();
  [[noreturn]] void end_faulty_thread();
  void run_warp(unsigned warp);
  bool prolong_turn(std::uintptr_t site);
  void leave_together(Warp& warp, unsigned first_thread);
  void wake_all();
  unsigned still_asleep(Warp& warp, unsigned first_thread);
  void run_lanes(unsigned lanes, unsigned first_thread);
  static void prefetch_behind(const Thread& thread);
  // A thread of the block has ended, or the block begins.
  void note_end() { note_end_at(progress.clock); }
  void note_end_at(std::int64_t clock) {
    unending_since_ = clock;
    look_at_ = clock + until_looked_at_behind_end_;
    progress.changed_at = std::max(progress.changed_at, clock);
    progress.round_is_idle = false;
  }
  [[gnu::cold]] std::int64_t shortened(const Thread& thread, std::int64_t granted) const;
  // Of turns: `is_unusual` is what tells whether they have to be looked at.
  bool is_unusual() const { return progress.clock > look_at_; }
  // At each, from now on.
  void look_at_turns() {
    until_looked_at_behind_end_ = INT64_MIN / 2;
    look_at_ = INT64_MIN;
  }
  [[gnu::noinline]] void begin_part_of_turn(const Thread& thread, bool is_unusual);
  void begin_turn(Thread& thread, unsigned lane, unsigned bit, bool is_unusual);
  bool end_turn(bool is_over, std::uintptr_t where);
  [[gnu::cold]] void look_at_turn(Thread& thread);
  // A turn of what is done for a thread, and not on its fiber.
  void begin_turn_of(Thread& thread, unsigned lane);
  void end_turn_of(Thread& thread);
  // Whose turn has begun, and whether the thread begins with it; no thread: no lane is left.
  struct NextTurn {
    Thread* thread = nullptr;
    bool begins = false;
  };
  NextTurn begin_next_turn(bool is_unusual);
  // Both return the result of the barrier that was last released.
  template <bool turn_is_over = false>
  [[gnu::noinline]] static int leave();
  template <bool turn_is_over>
  static int leave_from_here(std::uintptr_t where);
  template <bool turn_is_over>
  int go_on(bool is_unusual);
  template <bool by_jump>
  int go_on_with(Fiber& self, NextTurn next);
  [[gnu::noinline]] static void wait_at_barrier_unlike(std::uintptr_t site);
  NextTurn begin_turn_behind_barrier(std::uintptr_t site);
  void begin_alike_turns(std::uintptr_t where);
  bool ends_alike(std::uintptr_t where) const;
  template <bool is_end>
  NextTurn begin_turn_behind_alike();
  [[gnu::noinline]] void settle_alike_lanes();
  template <bool turn_is_over>
  [[gnu::noinline, gnu::cold]] int go_on_unusually();
  [[gnu::noinline]] static ThreadProgram end_running_thread_unlike();
  ThreadProgram go_on_behind_end(bool is_unusual);
  ThreadProgram go_on_behind_end_with(Fiber& self, NextTurn next);
  [[gnu::noinline, gnu::cold]] ThreadProgram go_on_behind_end_unusually();
  void poison_shared_memory();
  bool release_barrier();
  // Lanes that wait in one operation, with the same mask.
  struct Group {
    unsigned lanes = 0;
    LaneRequests requests{};
  };
  Group group_of(unsigned lane, unsigned arrived, unsigned first_thread);
  // Those groups of which nobody is missing.
  struct CompleteGroups {
    std::array<unsigned, ModelDevice::lanes> lanes;
    unsigned count = 0;
    std::span<const unsigned> groups() const { return {lanes.data(), count}; }
  };
  CompleteGroups complete_groups(const Warp& warp, unsigned first_thread);
  static bool is_complete(const Group& group, const Warp& warp);
  bool complete_operations(Warp& warp, unsigned first_thread);
  void note_absent_source(const Thread& first, const LaneRequests& requests, unsigned lanes);
  void wait_at_question(std::uintptr_t site);
  unsigned answer_question(Warp& warp, unsigned first_thread);
  void answer_all_questions(Warp& warp, unsigned first_thread);
  bool go_on_at_swaps(Warp& warp, unsigned first_thread);
  static bool let_go_behind_swap(Warp& warp);
  static unsigned lanes_at_swap(const Warp& warp, std::uintptr_t site, const Thread* first_thread);
  unsigned make_swaps(unsigned lanes, unsigned first_thread);
  bool try_again(Warp& warp, unsigned lanes, std::uintptr_t site, unsigned first_thread);
  void answer_together(Warp& warp, unsigned first_thread, unsigned lanes);
  std::optional<Space> space_of(std::uintptr_t address, std::size_t size, AccessKind kind,
                                std::uintptr_t site);
  [[noreturn]] void refuse_outside(std::uintptr_t address, std::size_t size, AccessKind kind,
                                   std::uintptr_t site);
  void report_barrier(unsigned exited);
  void report_deadlock();
  // The other lanes of a warp that took too long would take as long again.
  bool ends_at_once() const { return failed_ && (overdue_ || stalled_); }
  std::int64_t idle() const { return progress.clock - progress.changed_at; }
  std::int64_t unending() const { return progress.clock - unending_since_; }
  bool observes_repetitions() const { return unending() > until_observed_; }
  void observe_repetition(Thread& thread);
  // For so many basic blocks of its block.
  bool repeats_for(const Thread& thread, std::int64_t steps) const {
    return thread.repetition.found_since(progress.clock - steps);
  }
  bool can_go_on(const Thread& thread, bool anyone_ready) const;
  bool is_idle_for_long() const { return idle() > unseen_patience * configuration_.patience; }
  bool waits_in_vain() const;
  void report_spinning();
  std::string function_name(std::uintptr_t site) const;
  bool end_thread();
  [[gnu::noinline, gnu::cold]] void note_unrepeated_swap(Thread& thread);
  void count_swap(std::uintptr_t address, bool equal, std::uintptr_t site);
  void note_unrepeated_swaps();
  unsigned bit(const Thread& thread) const { return 1u << thread.lane; }
  Warp& warp_of(const Thread& thread) { return warps_[thread.warp]; }

  LaunchConfiguration configuration_;
  ThreadProgram program_{};
  LaunchResult result_;
  Hazards hazards_;
  Observers observers_;
  Recorder recorder_;
  std::optional<MemoryMap> memory_;
  std::optional<DealtDraws> dealt_draws_;
  std::optional<SkippedDraws> skipped_draws_;
  std::array<std::uintptr_t, 64> entered_{};  // functions that the memory map has been told of lately
  bool recording_ = false;
  std::uint64_t block_number_ = 0;  // counted through the grid, x first
  // Grows with the largest block so far, and holds a few more, whose stacks are looked at ahead.
  static constexpr unsigned stacks_ahead = 2;
  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  unsigned block_threads_ = 0;
  std::int64_t unending_since_ = 0;  // what the clock showed when a thread of the block ended last
  // So many since the latter, and what threads repeat is observed; and from when on turns may be short.
  std::int64_t until_observed_ = 0, until_looked_at_ = 0;
  // What the clock shows when turns have to be looked at, so that one comparison tells most of them.
  volatile std::int64_t look_at_ = 0;
  volatile std::int64_t until_looked_at_behind_end_ = 0;
  bool repetition_observed_ = false;  // in the block that runs
  // A thread that repeats itself, and the elements that it accesses in doing so.
  struct Loop {
    const Thread* thread = nullptr;
    std::string elements;
  };
  Loop loop_;
  std::int64_t granted_ = 0;  // basic blocks to the running thread
  unsigned gave_way_ = 0;     // lanes of the warp that runs which let other warps go first
  unsigned prolonged_ = 0;    // of these, whose turns were over: see prolong_turn
  unsigned in_vain_ = 0;      // lanes that have looked at a word for so long that their turns end
  // Whether any thread has looked at a word, or has failed at a compare-and-swap since the program began: few
  // kernels do, and else nothing of it has to be reset.
  bool anyone_looked_ = false, anyone_failed_swap_ = false;
  // The threads of the block that have come to the barrier so far.
  struct Arrivals {
    BarrierReduction reduction = BarrierReduction::none;
    unsigned votes = 0;
    std::uintptr_t site = 0;  // of the first; 0: none has come
    bool sites_differ = false;
  };
  Arrivals arrivals_;
  // Who has used a storage of CUB's last, in the block that runs.
  struct WarpStorage {
    std::uintptr_t address;
    std::uint64_t interval;  // between barriers
    unsigned first_thread;   // of the logical warp
    uint3 thread;
    std::uintptr_t site;
  };
  std::vector<WarpStorage> warp_storages_;
  ReadOnlyLoads read_only_loads_;
  RaceChecker* race_checker_ = nullptr;                       // of the launch, if it has one
  std::map<std::uintptr_t, std::uint64_t> unrepeated_swaps_;  // by their sites
  std::set<std::uintptr_t> swap_loops_;  // sites of compare-and-swaps that lanes have tried again
  int barrier_result_ = 0;               // of the barrier that was last released
  bool stopped_ = false;
  bool failed_ = false;
  volatile bool overdue_ = false;
  std::chrono::nanoseconds block_began_{};  // in processor_time(); short blocks before it are counted in
  std::int64_t time_is_stale_at_ = 0;       // by the clock
  bool stalled_ = false;                    // a thread came to no basic block any more
  // The warp that runs: its first thread, the lanes that run next, and those of them that had not begun.
  Warp* running_warp_ = nullptr;
  Thread* first_of_warp_ = nullptr;
  unsigned next_lanes_ = 0, fresh_lanes_ = 0;
  // How the lane before the running one has ended its turn: behind which event, and at which barrier or at
  // the kernel's end. Most lanes end theirs as the one before: of such a turn only what is the thread's own
  // is done at once, and the rest for all of them together (settle_alike_turns).
  //
  // Of the lanes behind it, those up to `end` have all of their turns left, and none has begun, or all of
  // them: one goes on to the next, and `next_lanes_` is not told before something else happens.
  struct AlikeTurns {
    std::uintptr_t where = 0;  // 0: none may follow
    const Row* ahead = nullptr;
    Row* last = nullptr;
    unsigned left = 0;  // lanes that had yet to run when the first of them had ended its turn
    unsigned end = 0;
    bool begin = false;
  };
  AlikeTurns alike_;
  Fiber::Place goes_on_{};  // behind a thread's end
  // In lockstep: the access that the thread which ran last will make first when it runs again.
  struct PendingAccess {
    AccessKind kind;
    Space space;
    std::uintptr_t address, site;
    std::size_t size;          // 0: none
    bool is_repeated = false;  // the thread's last one was the same
  };
  PendingAccess pending_{};
};

}  // namespace simulator
