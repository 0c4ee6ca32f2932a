// SPDX-License-Identifier: MIT
// What the operating system knows of running processes. On systems without /proc nothing is known.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace judge {

// All processes below `ancestor`, itself not among them.
std::vector<pid_t> descendants_of(pid_t ancestor);

struct ProcessUsage {
  std::uint64_t resident_bytes = 0;
  unsigned threads = 0;
};

// What these processes use together; those that have ended meanwhile use nothing.
ProcessUsage usage_of(const std::vector<pid_t>& processes);

}  // namespace judge
