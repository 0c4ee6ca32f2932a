// SPDX-License-Identifier: MIT
// Finds words that are read by __ldg and changed in the same launch. Such a load goes through a cache that
// nobody keeps up to date, so what it finds is not defined then, whatever barriers and fences stand between
// (CUDA C++ Programming Guide, "Read-Only Data Cache Load Function").
//
// A word may be changed after it has been read: so the words are noted, and judged at the end of the launch
// by what the race checker remembers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "simulator/hazards.hpp"

namespace simulator {

class RaceChecker;

class ReadOnlyLoads {
 public:
  // `site`: inside the call, an address of the running program.
  void note(std::uintptr_t address, std::size_t bytes, std::uintptr_t site, const ThreadLocation& thread);
  void report(RaceChecker& races, Hazards& hazards) const;
  void clear() {
    loads_.clear();
    known_.clear();
  }

 private:
  struct Load {
    std::uintptr_t address;
    std::size_t bytes;
    std::uintptr_t site;
    ThreadLocation thread;
  };
  std::vector<Load> loads_;                   // the first of each address, in their order
  std::unordered_set<std::uintptr_t> known_;  // their addresses
};

}  // namespace simulator
