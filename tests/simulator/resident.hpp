// SPDX-License-Identifier: MIT
// What this process holds in memory now; 0 where that is not known.
#pragma once

#include <fstream>
#include <string>

inline std::size_t resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::size_t kib = 0;
    if (word == "VmRSS:" && status >> kib) return kib;
  }
  return 0;
}
