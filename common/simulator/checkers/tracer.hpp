// SPDX-License-Identifier: MIT
// Writes down what the warps of chosen blocks do. A block's warps take turns at barriers, so the order of
// events within a warp is the program's, and that between warps is the simulator's. In lockstep the order of
// all accesses is that in which they happened.
#pragma once

#include "facts/trace.hpp"
#include "simulator/observer.hpp"

namespace simulator {

class Tracer final : public Observer {
 public:
  Tracer(const LaunchConfiguration& configuration, facts::Trace& trace)
      : configuration_(configuration), trace_(trace) {}

  void block_begins(const BlockContext& block) override;
  void block_goes_on(std::uint64_t number) override;
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
  bool choose(std::uint64_t block) const;

  bool chosen_ = false;      // the block that runs
  std::uint64_t block_ = 0;  // its number, in lockstep
  std::size_t bytes_ = 0;    // that the trace takes so far
};

}  // namespace simulator
