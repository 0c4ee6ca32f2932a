// SPDX-License-Identifier: MIT
#include "model/accesses.hpp"

#include <algorithm>
#include <bit>

namespace model {

AccessKind of_bytes(AccessKind first, unsigned bytes) {
  return static_cast<AccessKind>(static_cast<std::size_t>(first) +
                                 static_cast<std::size_t>(std::countr_zero(std::max(bytes, 1u))));
}

bool is_global_load(AccessKind kind) {
  return kind >= AccessKind::global_load && kind <= AccessKind::global_load_16;
}

bool is_exchange(AccessKind kind) {
  return kind == AccessKind::shuffle || kind == AccessKind::match || kind == AccessKind::redux;
}

Accesses accesses_of(const Stream& stream) {
  Accesses sum{};
  double warps = 0;
  const auto add = [&](AccessKind kind, double times = 1) { sum[static_cast<std::size_t>(kind)] += times; };
  for (const BlockSteps& block : stream.blocks) {
    for (const WarpSteps& warp : block.warps) {
      ++warps;
      for (const Step& step : warp) {
        switch (step.kind) {
          case StepKind::global_load:
            add(of_bytes(AccessKind::global_load, step.bytes));
            break;
          case StepKind::global_store:
            add(of_bytes(AccessKind::global_store, step.bytes));
            break;
          case StepKind::global_atomic:
          case StepKind::global_atomic_common:
          case StepKind::global_exchange:
            add(AccessKind::global_atomic);
            break;
          case StepKind::shared_load:
            add(AccessKind::shared_load);
            break;
          case StepKind::shared_store:
            add(AccessKind::shared_store);
            break;
          case StepKind::shared_increment:
          case StepKind::shared_atomic:
          case StepKind::shared_exchange:
            add(AccessKind::shared_atomic);
            break;
          case StepKind::shared_cas_loop:
            add(AccessKind::shared_load, step.rounds);
            add(AccessKind::shared_atomic, step.rounds);
            break;
          case StepKind::block_barrier:
            add(AccessKind::barrier);
            break;
          case StepKind::shuffle:
            add(AccessKind::shuffle, step.cost);
            break;
          case StepKind::match:
            add(AccessKind::match);
            break;
          case StepKind::redux:
            add(AccessKind::redux);
            break;
          case StepKind::vote:
            add(AccessKind::vote);
            break;
          default:
            break;
        }
      }
    }
  }
  for (double& one : sum) one /= std::max(warps, 1.0);
  return sum;
}

}  // namespace model
