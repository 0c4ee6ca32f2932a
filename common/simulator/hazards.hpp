// SPDX-License-Identifier: MIT
// The errors that a launch has been found to make, collected while it runs, and the words in which they are
// reported.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "facts/verdict.hpp"
#include "simulator/cuda/types.hpp"

namespace simulator {

struct ThreadLocation {
  uint3 thread, block;
};

// Something that the kernel must not do. Several of one kind at the same places are one hazard with their
// number.
struct Hazard {
  // crash: the kernel ends the launch by a failed assertion, __trap(), or what a processor cannot do. limit:
  // it needs more than the simulated device has, or something that is not simulated. timeout: it still runs
  // when its time is over. pass: no hazard but worth a note, a race of writes that all leave the same.
  facts::Verdict kind;
  std::string what;                     // one sentence, in the names of the kernel's arrays
  std::vector<ThreadLocation> threads;  // the first thread that did it; of a race, both
  std::vector<std::uintptr_t>
      sites;  // the places in the program that explain it, as offsets from its load address
  std::vector<std::string> roles = {};  // what the kernel does at each of them: "reads"
  std::string absent = {};              // of a divergent barrier: a thread that has returned, "thread 40"
  std::uint64_t occurrences = 1;
  // Of a race: what it lacks.
  bool across_blocks = false;      // the threads are of different blocks
  bool within_warp = false;        // every pair so far lies in one warp
  bool read_modify_write = false;  // a thread reads, changes and writes what another thread writes
};

// In words: what happened, by which threads, and what a race lacks. Of a host's function (`of_kernel` is
// false) there is only one thread, which is not named.
facts::Observation observation_of(const Hazard& hazard, bool of_kernel);

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
