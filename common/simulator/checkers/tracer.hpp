// SPDX-License-Identifier: MIT
// Writes down what the warps of chosen blocks do. A block's warps take turns at barriers, so the order of
// events within a warp is the program's, and that between warps is the simulator's.
#pragma once

#include "facts/trace.hpp"
#include "simulator/observer.hpp"

namespace simulator {

class Tracer final : public Observer {
 public:
  Tracer(const LaunchConfiguration& configuration, facts::Trace& trace)
      : configuration_(configuration), trace_(trace) {}

  void block_begins(const BlockContext& block) override;
  void access(const WarpAccess& access) override;
  void block_barrier(std::uint32_t place) override;
  void warp_barrier(unsigned warp, unsigned lanes, std::uint32_t place) override;
  void block_ends() override;

 private:
  void add(facts::TraceEvent event);
  std::size_t array_at(std::uintptr_t address, Space space);

  const LaunchConfiguration& configuration_;
  facts::Trace& trace_;
  std::vector<std::uintptr_t> begins_;  // of the trace's arrays
  bool chosen_ = false;                 // the block that runs
  std::size_t bytes_ = 0;               // that the trace takes so far
};

}  // namespace simulator
