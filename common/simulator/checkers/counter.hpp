// SPDX-License-Identifier: MIT
// Counts what a GPU's profiler would count: of the whole launch, and, where that is asked for, of each place
// in the program.
#pragma once

#include <cstdint>
#include <map>

#include "simulator/checkers/access_counts.hpp"
#include "simulator/checkers/joined.hpp"
#include "simulator/checkers/kept_loads.hpp"

namespace simulator {

class LaunchCounter final : public Joined {
 public:
  explicit LaunchCounter(facts::Counters& counters) : counters_(counters) {}

 private:
  void issued(const WarpAccess& access) override { count(access, counters_); }
  void block_entered(unsigned warp, unsigned lanes, std::uint32_t place) override;
  void passes_by(unsigned warp, unsigned lanes) override { kept_.passes_by(warp, lanes); }
  bool is_kept(const WarpAccess& access) override;
  void shared_memory_changes() override { kept_.shared_memory_changes(); }
  void shared_array_changes(const WarpAccess& atomic) override { kept_.shared_array_changes(atomic); }
  void apart(std::uint32_t, const facts::Counters& missing) override { counters_ += missing; }

  facts::Counters& counters_;
  KeptLoads kept_;
};

class PlaceCounter final : public Joined {
 public:
  explicit PlaceCounter(std::map<std::uint32_t, facts::Counters>& places) : places_(places) {}

 private:
  void issued(const WarpAccess& access) override { count(access, places_[access.place]); }
  void block_entered(unsigned, unsigned, std::uint32_t place) override { kept_.basic_block(place); }
  void passes_by(unsigned warp, unsigned lanes) override { kept_.passes_by(warp, lanes); }
  bool is_kept(const WarpAccess& access) override;
  void shared_memory_changes() override { kept_.shared_memory_changes(); }
  void shared_array_changes(const WarpAccess& atomic) override { kept_.shared_array_changes(atomic); }
  void apart(std::uint32_t place, const facts::Counters& missing) override { places_[place] += missing; }

  std::map<std::uint32_t, facts::Counters>& places_;
  KeptLoads kept_;
};

}  // namespace simulator
