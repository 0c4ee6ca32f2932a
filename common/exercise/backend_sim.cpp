// SPDX-License-Identifier: MIT
// Runs a kernel on the simulator.
#include <link.h>

#include <fmt/format.h>

#include "exercise/backend.hpp"
#include "exercise/host_memory.hpp"
#include "exercise/launch_outcome.hpp"
#include "simulator/device_memory.hpp"
#include "simulator/model_device.hpp"

namespace exercise {

namespace {

// What the copies of a histogram may take on the simulated device; the host has to hold them.
constexpr std::size_t histogram_limit_bytes = std::size_t{2} << 30;

// Where this program was loaded: what is to be taken off an address to get the one in the file.
std::uintptr_t load_address() {
  std::uintptr_t address = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        *static_cast<std::uintptr_t*>(result) = info->dlpi_addr;
        return 1;  // the main program comes first
      },
      &address);
  return address;
}

Observation observation_of(const simulator::Hazard& hazard) {
  const auto name = [](uint3 at) { return fmt::format("({},{},{})", at.x, at.y, at.z); };
  Observation result;
  result.kind = hazard.kind == simulator::HazardKind::out_of_bounds ? "out_of_bounds" : "divergent_barrier";
  result.message = fmt::format("{}\n  thread {} of block {}", hazard.what, name(hazard.first.thread), name(hazard.first.block));
  if (hazard.occurrences > 1) result.message += fmt::format("; {} times, the first is shown", hazard.occurrences);
  for (const std::uintptr_t site : hazard.sites) result.sites.push_back(site - load_address());
  return result;
}

class SimulatorBackend final : public Backend {
 public:
  explicit SimulatorBackend(const Exercise& exercise) : exercise_(exercise) {}

  std::string name() const override { return "sim"; }
  std::string device() const override { return simulator::ModelDevice::name; }

  RunAnswer run(const Kernel& kernel, const RunRequest& request, const histogram::Input& input) override {
    const LaunchShape shape = requested_shape(exercise_, request);
    RunAnswer answer;
    answer.grid = shape.grid;
    answer.block = shape.block;
    const RunLayouts layouts{{request.misalignment, request.length}, {0, histogram_bytes(exercise_, kernel, shape)}};
    const bool refused = shape.block == 0 || shape.block > simulator::ModelDevice::threads_of_block ||
                         shape.grid > simulator::ModelDevice::grid_x;
    if (!refused && layouts.histogram.payload > histogram_limit_bytes) {
      answer.failure = RunFailure{RunFailure::Kind::too_large,
                                  fmt::format("the {} copies of the histogram take {} MiB; the simulated device has {} MiB for them",
                                              shape.grid, layouts.histogram.payload >> 20, histogram_limit_bytes >> 20)};
      return answer;
    }
    const GuardedLayout histogram = refused ? GuardedLayout{0, 0} : layouts.histogram;
    simulator::DeviceBuffer data(layouts.data.total()), histo(histogram.total());
    fill({layouts.data, histogram}, input, data.bytes(), histo.bytes());
    LaunchOutcome outcome;
    // CUDA refuses a grid of no blocks, so an empty input is not launched.
    if (request.length > 0) {
      kernel.launch(shape, data.bytes().data() + layouts.data.begin(), request.length,
                    reinterpret_cast<unsigned int*>(histo.bytes().data() + histogram.begin()), outcome);
    }
    if (outcome.result.refused) {
      answer.failure = RunFailure{RunFailure::Kind::launch_error, *outcome.result.refused};
      return answer;
    }
    for (const simulator::Hazard& hazard : outcome.result.hazards) answer.observations.push_back(observation_of(hazard));
    const simulator::Counters& counters = outcome.result.counters;
    answer.counters = {{"threads", counters.threads},
                       {"warps", counters.warps},
                       {"barriers", counters.barriers},
                       {"global_atomics", counters.global_atomics},
                       {"shared_atomics", counters.shared_atomics}};
    collect({layouts.data, histogram}, kernel.bins, data.bytes(), histo.bytes(), answer);
    return answer;
  }

 private:
  const Exercise& exercise_;
};

}  // namespace

std::unique_ptr<Backend> make_backend(const Exercise& exercise) { return std::make_unique<SimulatorBackend>(exercise); }

}  // namespace exercise
