// SPDX-License-Identifier: MIT
// Counts what a GPU's profiler would count: of the whole launch, and, where that is asked for, of each place
// in the program.
#pragma once

#include <cstdint>
#include <map>

#include "simulator/checkers/access_counts.hpp"
#include "simulator/checkers/issued_accesses.hpp"

namespace simulator {

class LaunchCounter final : public IssuedAccesses {
 public:
  explicit LaunchCounter(facts::Counters& counters) : counters_(counters) {}

 private:
  void issued(const WarpAccess& access) override { count(access, counters_); }
  void block_entered(unsigned, unsigned lanes, std::uint32_t) override { count_step(lanes, counters_); }
  void apart(std::uint32_t, const facts::Counters& missing) override { counters_ += missing; }

  facts::Counters& counters_;
};

class PlaceCounter final : public IssuedAccesses {
 public:
  explicit PlaceCounter(std::map<std::uint32_t, facts::Counters>& places) : places_(places) {}

 private:
  void issued(const WarpAccess& access) override { count(access, places_[access.place]); }
  void apart(std::uint32_t place, const facts::Counters& missing) override { places_[place] += missing; }

  std::map<std::uint32_t, facts::Counters>& places_;
};

}  // namespace simulator
