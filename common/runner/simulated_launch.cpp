// SPDX-License-Identifier: MIT
#include "runner/simulated_launch.hpp"

#include "runner/launch_outcome.hpp"

namespace runner {

void simulate(const LaunchShape& shape, facts::ThreadProgram thread, LaunchOutcome& outcome) {
  simulator::LaunchConfiguration& configuration = outcome.configuration;
  configuration.grid = shape.grid;
  configuration.block = shape.block;
  configuration.dynamic_shared_bytes = shape.shared_bytes;
  outcome.result = simulator::launch(configuration, thread);
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
