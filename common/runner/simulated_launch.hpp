// SPDX-License-Identifier: MIT
// What an exercise's unit asks of the simulator. It includes nothing of the standard library: a unit is
// compiled at every save of a student's file.
#pragma once

#include "facts/launch_shape.hpp"

namespace runner {

struct LaunchOutcome;

// Runs all threads of a grid.
void simulate(const LaunchShape& shape, facts::ThreadProgram thread, LaunchOutcome& outcome);

// Runs a function of the host as a kernel's only thread runs, under the memory checker.
void simulate_host_code(facts::ThreadProgram thread, LaunchOutcome& outcome);

}  // namespace runner
