// SPDX-License-Identifier: MIT
#include "runner/simulated_launch.hpp"

#include <algorithm>
#include <iterator>

#include "runner/launch_outcome.hpp"

namespace runner {

namespace {

// What a run's further launch adds to those before it.
void add(simulator::LaunchResult& all, simulator::LaunchResult next) {
  if (!all.refused) all.refused = std::move(next.refused);
  std::ranges::move(next.hazards, std::back_inserter(all.hazards));
  std::ranges::move(next.notes, std::back_inserter(all.notes));
  all.counters += next.counters;
  for (const auto& [place, counters] : next.places) all.places[place] += counters;
  if (!all.trace) all.trace = std::move(next.trace);
}

}  // namespace

void simulate(const LaunchShape& shape, facts::ThreadProgram thread, LaunchOutcome& outcome) {
  simulator::LaunchConfiguration& configuration = outcome.configuration;
  configuration.grid = shape.grid;
  configuration.block = shape.block;
  configuration.dynamic_shared_bytes = shape.shared_bytes;
  add(outcome.result, simulator::launch(configuration, thread));
}

void simulate_host_code(facts::ThreadProgram thread, LaunchOutcome& outcome) {
  outcome.result = simulator::launch({.grid = 1,
                                      .block = 1,
                                      .counters = false,
                                      .host_code = true,
                                      .time_limit = outcome.configuration.time_limit},
                                     thread);
}

}  // namespace runner
