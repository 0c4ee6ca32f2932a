// SPDX-License-Identifier: MIT
// Runs a launch access by access. Before each access to global or shared memory a thread stops, and which
// thread makes the next step is drawn from a seed, among all threads that can run of the blocks that one
// multiprocessor of the model device holds at a time. So between a thread's load and its store there is room
// for others, and a race loses what it may lose: the same for the same seed.
//
// Instructions are not merged, so nothing is counted but threads, warps and barriers, and only memory and
// barriers are checked. Everything else is as in machine_waiting.cpp and machine_memory.cpp: barriers, warp
// operations, faults, waiting in vain.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

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
  };
  struct Runnable {
    unsigned slot, thread;
  };

  void enter(unsigned slot);
  void exchange(Slot& slot);
  void save_shared_memory(Slot& slot);
  void load_shared_memory(const Slot& slot);
  void begin_next_block(unsigned slot);
  void add_ready(unsigned warp, unsigned lanes);
  void step(std::size_t at);
  void settle();

  static constexpr unsigned nobody = ~0u;

  Machine& machine_;
  std::mt19937_64 random_;
  std::vector<Slot> slots_;
  std::vector<Runnable> runnable_;
  unsigned current_ = nobody;     // the slot whose block the machine holds
  std::uint64_t next_block_ = 0;  // of the grid, by number
};

}  // namespace simulator
