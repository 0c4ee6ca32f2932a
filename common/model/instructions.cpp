// SPDX-License-Identifier: MIT
#include "model/instructions.hpp"

#include <algorithm>

namespace model {

InstructionTable times(const InstructionTable& table, double factor) {
  return {.warp = factor * table.warp,
          .access = factor * table.access,
          .computed = factor * table.computed,
          .arithmetic = factor * table.arithmetic,
          .branch = factor * table.branch,
          .between = factor * table.between,
          .folded = factor * table.folded,
          .guarded = factor * table.guarded,
          .division = factor * table.division,
          .barrier = factor * table.barrier,
          .unmade = factor * table.unmade,
          .cas_round = factor * table.cas_round,
          .error = table.error};
}

double instructions(const Step& step, const InstructionTable& table) {
  // One of the blocks entered is that of the access, and what goes on where the block before ends is none of
  // a GPU's.
  const int folded = std::max(step.folded, step.joined), between = std::max(0, step.entered - folded - 1);
  const double before = table.between * between + table.folded * folded + table.arithmetic * step.arithmetic +
                        table.branch * step.branches + table.division * step.divisions;
  switch (step.kind) {
    case StepKind::shared_cas_word:
      return 0;
    case StepKind::warp_ends:
      return before;
    case StepKind::block_barrier:
      return before + table.barrier + table.unmade * step.unmade;
    case StepKind::global_load:
    case StepKind::shared_load:
    case StepKind::constant_load:
    case StepKind::shuffle:
    case StepKind::vote:
    case StepKind::match:
    case StepKind::redux:
      return before + table.access + (step.computed ? table.computed : 0);
    default:
      return before + table.access + (step.computed ? table.computed : 0) +
             (step.entered > 1 ? table.guarded : 0) + table.cas_round * step.rounds;
  }
}

}  // namespace model
