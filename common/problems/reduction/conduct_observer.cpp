// SPDX-License-Identifier: MIT
#include "problems/reduction/unit/exercise.hpp"
#include "runner/launch_outcome.hpp"

namespace reduction {

runner::ConductObserver* observe(runner::Bytes, runner::Bytes) { return nullptr; }

}  // namespace reduction
