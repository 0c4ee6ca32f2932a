// SPDX-License-Identifier: MIT
// Runs an exercise that is a plain function, and times it with the steady clock.
#include <sched.h>

#include <chrono>

#include "runner/executor.hpp"

namespace runner {

struct LaunchOutcome {};

namespace {

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

class CpuExecutor final : public Executor {
 public:
  explicit CpuExecutor(const Exercise& exercise) : exercise_(exercise) {}

  std::string name() const override { return "cpu"; }
  std::string device() const override { return "one thread of the CPU"; }

  RunAnswer run(const Variant& variant, const RunRequest& request, const problems::Input& input) override {
    const LaunchShape one_thread{1, 1};
    memory_.prepare(layouts_of(exercise_, variant, request, one_thread), input, request.same_input);
    RunAnswer answer;
    answer.grid = one_thread.grid;
    answer.block = one_thread.block;
    const PinnedThread pinned;
    for (unsigned i = 0; i < request.warm_ups + request.samples; ++i) {
      memory_.clear_output();
      LaunchOutcome outcome;
      const auto start = std::chrono::steady_clock::now();
      variant.launch(one_thread, memory_.input(), request.length, memory_.output(), outcome);
      const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
      if (i < request.warm_ups) continue;
      if (request.timed) answer.times_ms.push_back(elapsed.count());
      memory_.collect(variant.result_bytes(request.length), answer);
      if (!request.timed) memory_.compare_input(input, answer);
      if (!answer.observations.empty()) break;
    }
    return answer;
  }

 private:
  const Exercise& exercise_;
  HostMemory memory_{exercise_};
};

}  // namespace

std::unique_ptr<Executor> make_executor(const Exercise& exercise) {
  return std::make_unique<CpuExecutor>(exercise);
}

}  // namespace runner
