// SPDX-License-Identifier: MIT
// The CPU with all its threads: each counts a part of the input into a table of its own of all 256 bytes, and
// the tables are added up. Starting and joining the threads is part of the time.
#include <sched.h>

#include <algorithm>
#include <array>
#include <thread>
#include <vector>

#include "problems/histogram/unit/exercise.hpp"

namespace histogram {

namespace {

using Table = std::array<unsigned int, 256>;

// Those that this process may use. Looked up before anybody pins the main thread, as the threads would
// inherit that.
const cpu_set_t usable_cpus = [] {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  return set;
}();

void count(const unsigned char* data, std::size_t length, Table& table) {
  sched_setaffinity(0, sizeof usable_cpus, &usable_cpus);
  // Four tables take turns: a byte that follows its equal need not wait for that one's addition to be stored.
  std::array<Table, 4> turns{};
  std::size_t i = 0;
  for (; i + turns.size() <= length; i += turns.size()) {
    for (std::size_t turn = 0; turn < turns.size(); ++turn) ++turns[turn][data[i + turn]];
  }
  for (; i < length; ++i) ++turns[0][data[i]];
  for (std::size_t byte = 0; byte < table.size(); ++byte) {
    for (const Table& turn : turns) table[byte] += turn[byte];
  }
}

struct AllThreads {
  template <class Binning>
  static void launch(const LaunchShape&, const unsigned char* data, std::size_t length, Counter* histo,
                     runner::LaunchOutcome&) {
    const auto threads = static_cast<std::size_t>(std::max(CPU_COUNT(&usable_cpus), 1));
    std::vector<Table> tables(threads);
    std::vector<std::thread> running;
    for (std::size_t i = 0; i < threads; ++i) {
      const std::size_t begin = length / threads * i,
                        end = i + 1 == threads ? length : length / threads * (i + 1);
      running.emplace_back(count, data + begin, end - begin, std::ref(tables[i]));
    }
    for (std::thread& thread : running) thread.join();
    for (const Table& table : tables) {
      for (int byte = 0; byte < 256; ++byte) {
        const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
        if (bin >= 0) histo[bin] += table[static_cast<std::size_t>(byte)];
      }
    }
  }
};

}  // namespace
}  // namespace histogram

const runner::Exercise runner::exercise_under_test =
    histogram::exercise<histogram::AllThreads>("peers", "all_threads", runner::Outputs::one, nullptr);
