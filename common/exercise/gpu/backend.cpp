// SPDX-License-Identifier: MIT
// Runs a kernel on the first GPU, and times it with events. Every call of the CUDA runtime is checked: the first that
// fails ends the run with its name and CUDA's words.
#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include <algorithm>

#include "exercise/backend.hpp"
#include "exercise/gpu/nvtx_range.hpp"
#include "exercise/guard.hpp"
#include "exercise/launch_outcome.hpp"

namespace exercise {

namespace {

struct CudaError {
  cudaError_t code;
  std::string words() const { return fmt::format("{}: {}", cudaGetErrorName(code), cudaGetErrorString(code)); }
};

void check(cudaError_t code) {
  if (code != cudaSuccess) throw CudaError{code};
}

class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t bytes) { check(cudaMalloc(reinterpret_cast<void**>(&data_), bytes)); }
  ~DeviceMemory() { cudaFree(data_); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  unsigned char* data() const { return data_; }

 private:
  unsigned char* data_ = nullptr;
};

class Event {
 public:
  Event() { check(cudaEventCreate(&event_)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record() { check(cudaEventRecord(event_)); }
  float milliseconds_since(const Event& start) const {
    float elapsed = 0;
    check(cudaEventElapsedTime(&elapsed, start.event_, event_));
    return elapsed;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

std::vector<unsigned char> copied_back(const unsigned char* from, std::size_t bytes) {
  std::vector<unsigned char> result(bytes);
  check(cudaMemcpy(result.data(), from, bytes, cudaMemcpyDeviceToHost));
  return result;
}

// A buffer between guard zones on the device.
class GuardedMemory {
 public:
  GuardedMemory(GuardedLayout layout, unsigned char guard) : layout_(layout), guard_(guard), memory_(layout.total()) {}

  unsigned char* payload() const { return memory_.data() + layout_.begin(); }
  const GuardedLayout& layout() const { return layout_; }

  void poison_guards() {
    check(cudaMemset(memory_.data(), guard_, layout_.begin()));
    check(cudaMemset(memory_.data() + layout_.end(), guard_, guard_bytes));
  }

  std::optional<std::int64_t> overwritten() const {
    return first_overwritten(layout_, copied_back(memory_.data(), layout_.begin()),
                             copied_back(memory_.data() + layout_.end(), guard_bytes), guard_);
  }

 private:
  GuardedLayout layout_;
  unsigned char guard_;
  DeviceMemory memory_;
};

// Sends the input piece by piece; what lies between its extents is 0 and need not travel.
void upload(const histogram::Input& input, unsigned char* to) {
  constexpr std::uint64_t piece_bytes = 64 << 20;
  const NvtxRange range("upload");
  check(cudaMemset(to, 0, input.length()));
  std::vector<unsigned char> piece;
  for (const histogram::Extent& extent : input.extents()) {
    for (std::uint64_t done = 0; done < extent.length; done += piece.size()) {
      piece.resize(std::min(piece_bytes, extent.length - done));
      input.read(extent.offset + done, piece);
      check(cudaMemcpy(to + extent.offset + done, piece.data(), piece.size(), cudaMemcpyHostToDevice));
    }
  }
}

bool is_refusal(cudaError_t code) {
  return code == cudaErrorInvalidConfiguration || code == cudaErrorInvalidValue ||
         code == cudaErrorLaunchOutOfResources || code == cudaErrorInvalidDeviceFunction ||
         code == cudaErrorNoKernelImageForDevice;
}

class GpuBackend final : public Backend {
 public:
  explicit GpuBackend(const Exercise& exercise) : exercise_(exercise) {
    try {
      check(cudaSetDevice(0));
      check(cudaGetDeviceProperties(&properties_, 0));
    } catch (const CudaError& error) {
      unavailable_ = error.words();
    }
  }

  std::string name() const override { return "gpu"; }
  std::string device() const override { return properties_.name; }
  std::string unavailable() const override { return unavailable_; }

  RunAnswer run(const Kernel& kernel, const RunRequest& request, const histogram::Input& input) override {
    RunAnswer answer;
    try {
      run(kernel, request, input, answer);
    } catch (const CudaError& error) {
      const auto kind = error.code == cudaErrorMemoryAllocation ? RunFailure::Kind::too_large : RunFailure::Kind::device_error;
      answer.failure = RunFailure{kind, error.words()};
    }
    return answer;
  }

 private:
  void run(const Kernel& kernel, const RunRequest& request, const histogram::Input& input, RunAnswer& answer) {
    const LaunchShape shape = requested_shape(exercise_, request);
    answer.grid = shape.grid;
    answer.block = shape.block;
    // A launch that CUDA will refuse must not fail earlier, for want of memory for its many copies.
    const bool hopeless = shape.block == 0 || shape.block > static_cast<unsigned>(properties_.maxThreadsPerBlock) ||
                          shape.grid > static_cast<unsigned>(properties_.maxGridSize[0]);
    GuardedMemory data({request.misalignment, request.length}, data_guard);
    GuardedMemory histo({0, hopeless ? 0 : histogram_bytes(exercise_, kernel, shape)}, histogram_guard);
    data.poison_guards();
    upload(input, data.payload());
    Event start, stop;
    for (unsigned i = 0; i < request.warm_ups + request.samples; ++i) {
      const NvtxRange range(i < request.warm_ups ? "warm-up" : "sample");
      zero(histo);
      start.record();
      // CUDA refuses a grid of no blocks, so an empty input is not launched.
      LaunchOutcome outcome;
      if (request.length > 0) {
        const NvtxRange launching("launch");
        kernel.launch(shape, data.payload(), request.length, reinterpret_cast<unsigned int*>(histo.payload()), outcome);
      }
      if (is_refusal(outcome.error)) {
        answer.failure = RunFailure{RunFailure::Kind::launch_error, CudaError{outcome.error}.words()};
        return;
      }
      check(outcome.error);
      stop.record();
      check(cudaDeviceSynchronize());
      if (i < request.warm_ups) continue;
      answer.times_ms.push_back(stop.milliseconds_since(start));
      collect(kernel.bins, data, histo, answer);
      if (!answer.observations.empty()) return;
    }
  }

  static void zero(GuardedMemory& histo) {
    const NvtxRange range("zero");
    histo.poison_guards();
    check(cudaMemset(histo.payload(), 0, histo.layout().payload));
  }

  static void collect(int bins, const GuardedMemory& data, const GuardedMemory& histo, RunAnswer& answer) {
    const NvtxRange range("copy back");
    if (const auto at = data.overwritten()) answer.observations.push_back(data_overwritten(*at, data.layout().payload));
    if (const auto at = histo.overwritten()) {
      answer.observations.push_back(histogram_overrun(*at, histo.layout().payload / sizeof(std::uint32_t)));
    }
    std::vector<std::uint32_t> result(static_cast<std::size_t>(bins));
    check(cudaMemcpy(result.data(), histo.payload(), result.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost));
    add_bins(answer, std::move(result));
  }

  const Exercise& exercise_;
  cudaDeviceProp properties_{};
  std::string unavailable_;
};

}  // namespace

std::unique_ptr<Backend> make_backend(const Exercise& exercise) { return std::make_unique<GpuBackend>(exercise); }

}  // namespace exercise
