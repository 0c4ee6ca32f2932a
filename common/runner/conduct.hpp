// SPDX-License-Identifier: MIT
// Counts, on the simulator, how a kernel goes about its work where the profiler's counters cannot tell. What
// is counted is the problem's affair: its technique rules read it.
#pragma once

#include "runner/protocol.hpp"
#include "simulator/observer.hpp"

namespace runner {

class ConductObserver : public simulator::Observer {
 public:
  virtual Conduct counted() const = 0;
};

}  // namespace runner
