// SPDX-License-Identifier: MIT
// The state of the simulated device during a launch: one block at a time, its warps and its threads. Internal to
// the simulator.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "simulator/cuda/warp.hpp"
#include "simulator/fiber.hpp"
#include "simulator/launch.hpp"
#include "simulator/model_device.hpp"

namespace simulator {

// What a lane brings to a warp operation, and what it takes away.
struct WarpRequest {
  WarpOperation operation;
  unsigned mask;
  std::uint64_t value;
  int argument, width;
  std::uint64_t result;
};

struct Thread {
  Fiber fiber;
  uint3 index;
  unsigned warp, lane;
  std::uintptr_t site;  // where it waits: the address of the call
  WarpRequest request;
  bool predicate;  // of a block barrier that reduces
  int result;      // of that barrier
  bool abandoned = false;  // ended inside the kernel: its fiber must start anew
};

// Sets of lanes, a bit each. A live lane is in exactly one of the last four.
struct Warp {
  unsigned exited = 0;
  unsigned ready = 0;
  unsigned at_barrier = 0;
  unsigned at_operation = 0;
  unsigned at_active_mask = 0;

  unsigned live() const { return ready | at_barrier | at_operation | at_active_mask; }
};

// How many basic blocks a thread runs before the others get a turn; far more than a useful loop needs between two
// barriers, few enough that a spinning thread costs a millisecond.
constexpr std::int64_t turn = 1 << 20;

// What the running thread has left of its turn; hooks.cpp counts down. Each thread starts with a whole one, so that a
// kernel is interleaved in the same way in every launch.
inline std::int64_t fuel = turn;

class Machine {
 public:
  static Machine& instance();

  LaunchResult launch(const LaunchConfiguration& configuration, ThreadProgram program);

  bool running() const { return current_ != nullptr; }
  Thread& current() { return *current_; }
  uint3 block_index() const { return block_index_; }
  const LaunchConfiguration& configuration() const { return configuration_; }
  Counters& counters() { return result_.counters; }

  // Called by the running thread.
  int wait_at_barrier(BarrierReduction reduction, bool predicate, std::uintptr_t site);
  std::uint64_t wait_for_lanes(const WarpRequest& request, std::uintptr_t site);
  unsigned wait_for_active_mask(std::uintptr_t site);
  void give_way();                                        // lets the other threads run before it goes on
  [[noreturn]] void fault(HazardKind kind, const char* what, std::uintptr_t site);  // ends it

 private:
  void prepare(const LaunchConfiguration& configuration);
  void run_block();
  void run_warp(unsigned warp);
  bool release_barrier();
  bool complete_operations(Warp& warp, unsigned first_thread);
  void complete_active_mask(Warp& warp, unsigned first_thread);
  void report_barrier(const Thread& first, const Thread* other, unsigned exited);
  void report_deadlock();
  void add_hazard(Hazard hazard);
  static void thread_body();
  void end_thread(const Thread& thread);
  unsigned bit(const Thread& thread) const { return 1u << thread.lane; }
  Warp& warp_of(const Thread& thread) { return warps_[thread.warp]; }

  LaunchConfiguration configuration_;
  ThreadProgram program_{};
  LaunchResult result_;
  uint3 block_index_{};
  std::deque<Thread> threads_;  // grows with the largest block so far
  std::vector<Warp> warps_;
  unsigned block_threads_ = 0;
  BarrierReduction reduction_ = BarrierReduction::none;
  bool stopped_ = false;
  Thread* current_ = nullptr;
};

}  // namespace simulator
