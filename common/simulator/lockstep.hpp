// SPDX-License-Identifier: MIT
// Runs a launch access by access. Before each access to global or shared memory a thread stops, and which
// thread makes the next step is drawn from a seed, among all threads that can run of the blocks that one
// multiprocessor of the model device holds at a time. So between a thread's load and its store there is room
// for others, and a race loses what it may lose: the same for the same seed. Instead of a seed a list may say
// whose access is next, or some threads are preferred (facts/turns.hpp). With a list every thread goes on to
// its next access by itself, and a step is one access.
//
// Instructions are not merged, so nothing is counted but threads, warps and barriers, and only memory and
// barriers are checked; a trace is made of the steps. Everything else is as in machine_waiting.cpp and
// machine_memory.cpp: barriers, warp operations, faults, waiting in vain.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "simulator/lost_updates.hpp"
#include "simulator/machine.hpp"

namespace simulator {

class Lockstep {
 public:
  // For a launch that the machine is prepared for.
  Lockstep(Machine& machine, std::uint64_t seed) : machine_(machine), random_(seed) {}

  void run();

 private:
  // A resident block. While it runs, the machine holds its threads and memory, and this the machine's.
  struct Slot {
    uint3 index{};
    std::vector<Thread> threads;
    std::vector<Warp> warps;
    Machine::Arrivals arrivals;
    int barrier_result = 0;
    std::vector<std::vector<unsigned char>> shared;  // what the shared arrays hold while another block runs
    std::vector<unsigned>
        gave_way;  // of each warp, the lanes that have used up a turn since it was asked for its active mask
    unsigned runnable = 0;
    std::uint64_t number = 0;                     // of the block
    std::vector<Machine::PendingAccess> pending;  // of each thread, the access that it has stopped before
  };
  struct Runnable {
    unsigned slot, thread;
  };

  // Follows the rounds of the thread that makes a step.
  struct Rounds final : Observer {
    Thread* of = nullptr;
    void basic_block(unsigned warp, unsigned lanes, std::uint32_t place, unsigned depth) override;
    bool follows_basic_blocks() const override { return true; }
  };

  void enter(unsigned slot);
  void exchange(Slot& slot);
  void save_shared_memory(Slot& slot);
  void load_shared_memory(const Slot& slot);
  void begin_next_block(unsigned slot);
  void add_ready(unsigned warp, unsigned lanes);
  void step(std::size_t at);
  void run(Thread& thread, Machine::PendingAccess& pending);
  std::size_t next_runnable();
  std::size_t draw() { return static_cast<std::size_t>(random_() % runnable_.size()); }
  std::size_t next_preferred();
  std::uint64_t rank(const Runnable& runnable) const;  // the lowest is preferred
  std::size_t next_in_order();
  std::uint64_t number_in_grid(const Runnable& runnable) const;
  void observe_update(const Thread& thread, const Machine::PendingAccess& made);
  void note_lost_update();
  bool waits_in_vain() const;
  void settle();

  static constexpr unsigned nobody = ~0u;

  Machine& machine_;
  std::mt19937_64 random_;
  std::vector<Slot> slots_;
  std::vector<Runnable> runnable_;
  unsigned current_ = nobody;      // the slot whose block the machine holds
  std::uint64_t idle_steps_ = 0;   // since one that changed something or ended a thread
  std::uint64_t next_block_ = 0;   // of the grid, by number
  Rounds* rounds_ = nullptr;       // one of the launch's observers
  LostUpdates lost_updates_;       // where threads take turns by what they prefer
  std::size_t next_in_order_ = 0;  // of those that the configuration lists
};

}  // namespace simulator
