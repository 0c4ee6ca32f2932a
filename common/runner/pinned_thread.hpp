// SPDX-License-Identifier: MIT
#pragma once

#include <sched.h>

namespace runner {

// While it lives, the calling thread stays on the CPU that it runs on: moved to another one in the middle of
// a sample it would find its caches cold. Does nothing where the system does not allow it.
class PinnedThread {
 public:
  PinnedThread() {
    cpu_set_t here;
    CPU_ZERO(&here);
    const int cpu = sched_getcpu();
    if (cpu < 0 || sched_getaffinity(0, sizeof before_, &before_) != 0) return;
    CPU_SET(cpu, &here);
    pinned_ = sched_setaffinity(0, sizeof here, &here) == 0;
  }
  ~PinnedThread() {
    if (pinned_) sched_setaffinity(0, sizeof before_, &before_);
  }
  PinnedThread(const PinnedThread&) = delete;
  PinnedThread& operator=(const PinnedThread&) = delete;

 private:
  cpu_set_t before_;
  bool pinned_ = false;
};

}  // namespace runner
