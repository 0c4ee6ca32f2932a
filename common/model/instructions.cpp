// SPDX-License-Identifier: MIT
#include "model/instructions.hpp"

#include <algorithm>

namespace model {

double instructions(const Step& step, const InstructionTable& table) {
  const int between = std::max(0, int{step.entered} - 1);
  double count = table.between * between + (step.entered > 0 ? table.entered : 0);
  switch (step.kind) {
    case StepKind::warp_ends:
      return count;
    case StepKind::block_barrier:
      return count + table.barrier;
    case StepKind::global_atomic:
    case StepKind::global_atomic_common:
    case StepKind::global_exchange:
      count += table.global_atomic;
      break;
    default:
      break;
  }
  return count + table.access + (step.computed ? table.computed : 0);
}

}  // namespace model
