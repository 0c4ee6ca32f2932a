// SPDX-License-Identifier: MIT
#include "simulator/unrolling.hpp"

#include <algorithm>

namespace simulator {

namespace {

class Parts {
 public:
  // As many as there are turns left for, at most `most`.
  void add(unsigned turns, unsigned& left, unsigned most) {
    for (unsigned number = 0; number < most && left >= turns; ++number, left -= turns, made_ += turns)
      parts_.push_back({phase_, number, made_, turns});
    ++phase_;
  }
  std::vector<UnrolledPart> all() && { return std::move(parts_); }

 private:
  std::vector<UnrolledPart> parts_;
  unsigned phase_ = 0, made_ = 0;
};

void add_counted(Parts& parts, unsigned left, bool is_wide) {
  constexpr unsigned behind_sixteen = 12, behind_eight = 4;
  if (!is_wide) {
    parts.add(16, left, left > behind_sixteen ? (left - behind_sixteen + 15) / 16 : 0);
    parts.add(8, left, left > behind_eight ? 1 : 0);
  }
  parts.add(4, left, left);
}

}  // namespace

std::vector<UnrolledPart> unrolled_parts(Unrolling unrolling, unsigned turns) {
  Parts parts;
  unsigned left = turns, rest = turns % 4;
  switch (unrolling) {
    case Unrolling::by_rest:
      parts.add(4, left, left);
      parts.add(2, left, 1);
      break;
    case Unrolling::counted_first:
    case Unrolling::counted_wide_first:
      parts.add(1, rest, rest);
      add_counted(parts, turns - turns % 4, unrolling == Unrolling::counted_wide_first);
      return std::move(parts).all();
    case Unrolling::counted:
    case Unrolling::counted_wide:
      add_counted(parts, turns - rest, unrolling == Unrolling::counted_wide);
      left = rest;
      break;
    case Unrolling::none:
      break;
  }
  parts.add(1, left, left);
  return std::move(parts).all();
}

}  // namespace simulator
