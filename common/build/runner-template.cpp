// SPDX-License-Identifier: MIT
// Stands for a unit in the commands that build/runner.cpp reads. As a unit does, it defines the exercise and
// nothing else that other parts of a runner may see.
#include "runner/exercise.hpp"

const runner::Exercise runner::exercise_under_test{};
