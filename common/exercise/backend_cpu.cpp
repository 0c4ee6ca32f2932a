// SPDX-License-Identifier: MIT
// Runs an exercise that is a plain function, and times it with the steady clock.
#include <chrono>

#include "exercise/backend.hpp"
#include "exercise/host_memory.hpp"

namespace exercise {

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
    std::vector<unsigned char> data(layouts.data.total()), histo(layouts.histogram.total());
    fill(layouts, input, data, histo);
    auto* const counters = reinterpret_cast<unsigned int*>(histo.data() + layouts.histogram.begin());
    RunAnswer answer;
    answer.grid = one_thread.grid;
    answer.block = one_thread.block;
    for (unsigned i = 0; i < request.warm_ups + request.samples; ++i) {
      clear_histogram(layouts.histogram, histo);
      LaunchOutcome outcome;
      const auto start = std::chrono::steady_clock::now();
      kernel.launch(one_thread, data.data() + layouts.data.begin(), request.length, counters, outcome);
      const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
      if (i < request.warm_ups) continue;
      answer.times_ms.push_back(elapsed.count());
      collect(layouts, kernel.bins, data, histo, answer);
      if (!answer.observations.empty()) break;
    }
    return answer;
  }

 private:
  const Exercise& exercise_;
};

}  // namespace

std::unique_ptr<Backend> make_backend(const Exercise& exercise) { return std::make_unique<CpuBackend>(exercise); }

}  // namespace exercise
