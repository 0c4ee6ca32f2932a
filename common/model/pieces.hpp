// SPDX-License-Identifier: MIT
// Pieces of two sectors that DRAM brings to L2, where several loads of a block want one sector each.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "model/stream.hpp"

namespace model {

// How many loads of the block have each number in common (Step::half_of).
inline std::vector<unsigned> loads_by_piece(const BlockSteps& block) {
  std::vector<unsigned> loads(1);
  for (const WarpSteps& warp : block.warps) {
    for (const Step& step : warp) {
      if (step.half_of >= loads.size()) loads.resize(step.half_of + std::size_t{1});
      ++loads[step.half_of];
    }
  }
  return loads;
}

// Of a resident block. In each turn of a loop a number stands for another piece, which the first load to come
// reads.
class Pieces {
 public:
  Pieces() = default;
  // `loads`: by their numbers; must outlive this.
  explicit Pieces(const std::vector<unsigned>& loads) : loads_(&loads), pieces_(loads.size()) {}

  // When DRAM has brought what the load wants, if another one has asked for it; else this one does, and it
  // will be there at that time.
  std::optional<double> brought(const Step& load, double if_first) {
    if (load.half_of == 0) return std::nullopt;
    Piece& piece = pieces_[load.half_of];
    if (piece.left > 0 && piece.reader != &load) {
      --piece.left;
      return piece.arrives;
    }
    piece = {if_first, (*loads_)[load.half_of] - 1, &load};
    return std::nullopt;
  }

 private:
  struct Piece {
    double arrives = 0;  // at L2
    unsigned left = 0;   // of the loads that want it, those that have not come since it was read
    const Step* reader = nullptr;
  };
  const std::vector<unsigned>* loads_ = nullptr;
  std::vector<Piece> pieces_;  // by number
};

}  // namespace model
