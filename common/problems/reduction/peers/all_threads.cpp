// SPDX-License-Identifier: MIT
// The CPU with all its threads: each reduces a part of the input, and the parts' results are combined.
// Starting and joining the threads is part of the time.
#include <sched.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "problems/reduction/unit/exercise.hpp"

namespace reduction {

namespace {

// Those that this process may use. Looked up before anybody pins the main thread, as the threads would
// inherit that.
const cpu_set_t usable_cpus = [] {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  return set;
}();

// Several values take turns, so that no operation waits for the one before.
template <class Operator>
void reduce(const typename Operator::value* data, std::size_t length, typename Operator::value& result) {
  sched_setaffinity(0, sizeof usable_cpus, &usable_cpus);
  constexpr std::size_t turns = 8;
  typename Operator::value values[turns];
  std::fill(values, values + turns, Operator::identity());
  std::size_t i = 0;
  for (; i + turns <= length; i += turns) {
    for (std::size_t turn = 0; turn < turns; ++turn)
      values[turn] = Operator::combine(values[turn], data[i + turn]);
  }
  for (; i < length; ++i) values[0] = Operator::combine(values[0], data[i]);
  result = Operator::identity();
  for (const auto& value : values) result = Operator::combine(result, value);
}

struct AllThreads {
  template <class Operator>
  static void launch(const LaunchShape&, const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials, runner::LaunchOutcome&) {
    const auto threads = static_cast<std::size_t>(std::max(CPU_COUNT(&usable_cpus), 1));
    std::vector<typename Operator::value> results(threads);
    std::vector<std::thread> running;
    for (std::size_t i = 0; i < threads; ++i) {
      const std::size_t begin = length / threads * i,
                        end = i + 1 == threads ? length : length / threads * (i + 1);
      running.emplace_back(reduce<Operator>, data + begin, end - begin, std::ref(results[i]));
    }
    for (std::thread& thread : running) thread.join();
    partials[0] = Operator::identity();
    for (const auto& result : results) partials[0] = Operator::combine(partials[0], result);
  }
};

}  // namespace
}  // namespace reduction

const runner::Exercise runner::exercise_under_test =
    reduction::exercise<reduction::AllThreads>("peers", "all_threads", runner::Outputs::one, nullptr);
