// SPDX-License-Identifier: MIT
// Runs an exercise that is a plain function, and times it with the steady clock.
#include <chrono>

#include "runner/backend.hpp"
#include "runner/host_memory.hpp"
#include "runner/pinned_thread.hpp"

namespace runner {

struct LaunchOutcome {};

namespace {

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(const Exercise& exercise) : exercise_(exercise) {}

  std::string name() const override { return "cpu"; }
  std::string device() const override { return "one thread of the CPU"; }

  RunAnswer run(const Kernel& kernel, const RunRequest& request, const histogram::Input& input) override {
    const LaunchShape one_thread{1, 1};
    const RunLayouts layouts{{request.misalignment, request.length},
                             {0, histogram_bytes(exercise_, kernel, one_thread)}};
    std::vector<unsigned char> histo(layouts.histogram.total());
    const bool same = request.same_input && layouts.data == data_layout_;
    if (!same) {
      data_layout_ = layouts.data;
      data_.assign(layouts.data.total(), data_guard);
      input.read(0, std::span(data_).subspan(layouts.data.begin(), layouts.data.payload));
    }
    auto* const counters = reinterpret_cast<unsigned int*>(histo.data() + layouts.histogram.begin());
    RunAnswer answer;
    answer.grid = one_thread.grid;
    answer.block = one_thread.block;
    const PinnedThread pinned;
    for (unsigned i = 0; i < request.warm_ups + request.samples; ++i) {
      clear_histogram(layouts.histogram, histo);
      LaunchOutcome outcome;
      const auto start = std::chrono::steady_clock::now();
      kernel.launch(one_thread, data_.data() + layouts.data.begin(), request.length, counters, outcome);
      const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
      if (i < request.warm_ups) continue;
      if (request.timed) answer.times_ms.push_back(elapsed.count());
      collect(layouts, kernel.bins, data_, histo, answer);
      if (!answer.observations.empty()) break;
    }
    return answer;
  }

 private:
  const Exercise& exercise_;
  std::optional<GuardedLayout> data_layout_;  // of the request before
  std::vector<unsigned char> data_;
};

}  // namespace

std::unique_ptr<Backend> make_backend(const Exercise& exercise) {
  return std::make_unique<CpuBackend>(exercise);
}

}  // namespace runner
