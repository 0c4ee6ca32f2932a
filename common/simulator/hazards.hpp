// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "simulator/launch.hpp"

namespace simulator {

// What a launch has been found to do wrong: a hazard of one kind at the same places is kept once, and
// counted.
class Hazards {
 public:
  // The hazard that is known, or the new one.
  Hazard& add(Hazard hazard);

  std::vector<Hazard> take();
  void clear() { all_.clear(); }

 private:
  std::vector<Hazard> all_;
};

}  // namespace simulator
