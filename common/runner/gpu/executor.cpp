// SPDX-License-Identifier: MIT
// Runs a kernel on the first GPU. Every call of the CUDA runtime is checked: the first that fails ends the
// run with its name and CUDA's words.
#include "runner/executor.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <list>

#include "runner/gpu/cuda.hpp"
#include "runner/gpu/stopwatch.hpp"
#include "runner/launch_outcome.hpp"
#include "runner/passes.hpp"

namespace runner {

namespace {

bool is_refusal(cudaError_t code) {
  return code == cudaErrorInvalidConfiguration || code == cudaErrorInvalidValue ||
         code == cudaErrorLaunchOutOfResources || code == cudaErrorInvalidDeviceFunction ||
         code == cudaErrorNoKernelImageForDevice;
}

unsigned attribute(cudaDeviceAttr which) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, 0));
  return static_cast<unsigned>(value);
}

// How many blocks of such a launch a multiprocessor of this GPU holds, by the occupancy API, and which of its
// resources allows no more. `kernel` is the name by which the CUDA runtime knows it. Throws CudaError.
Occupancy occupancy(const void* kernel, const LaunchShape& shape) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel));
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(shape.block),
                                                      shape.shared_bytes));

  const unsigned warp = attribute(cudaDevAttrWarpSize);
  const unsigned most_threads = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  const unsigned warps_of_a_block = (shape.block + warp - 1) / warp;
  Occupancy result;
  result.resident_blocks = static_cast<unsigned>(blocks);
  result.warps = result.resident_blocks * warps_of_a_block;
  result.most_warps = most_threads / warp;
  result.registers = static_cast<unsigned>(attributes.numRegs);
  result.shared_bytes = attributes.sharedSizeBytes + shape.shared_bytes;

  // The numbers of blocks that each resource alone would allow. The registers' rules are the chip's own, so
  // they are what is left.
  const unsigned by_threads = most_threads / (std::max(warps_of_a_block, 1u) * warp);
  const unsigned by_blocks = attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
  const std::size_t shared_of_a_block =
      result.shared_bytes + attribute(cudaDevAttrReservedSharedMemoryPerBlock);
  const std::size_t by_shared =
      result.shared_bytes == 0 ? by_blocks
                               : attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) / shared_of_a_block;
  result.limited_by = result.resident_blocks == by_threads  ? "threads"
                      : result.resident_blocks == by_blocks ? "blocks"
                      : result.resident_blocks == by_shared ? "shared memory"
                                                            : "registers";
  return result;
}

class GpuExecutor final : public Executor {
 public:
  explicit GpuExecutor(const Exercise& exercise) : exercise_(exercise) {
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

  RunAnswer run(const Variant& variant, const RunRequest& request, const problems::Input& input) override {
    RunAnswer answer;
    try {
      run(variant, request, input, answer);
    } catch (const CudaError& error) {
      const auto kind = error.code == cudaErrorMemoryAllocation ? RunFailure::Kind::too_large
                                                                : RunFailure::Kind::device_error;
      answer.failure = RunFailure{kind, error.words()};
    }
    return answer;
  }

 private:
  void run(const Variant& variant, const RunRequest& request, const problems::Input& input,
           RunAnswer& answer) {
    const LaunchShape shape = requested_shape(exercise_, request);
    answer.grid = shape.grid;
    answer.block = shape.block;
    const Exercise exercise = exercise_.made_for(variant);
    // A launch that CUDA will refuse must not fail earlier, for want of memory for its many copies.
    const bool hopeless = is_hopeless(shape), empty = request.length == 0;
    const Passes passes = hopeless || empty
                              ? Passes{{{shape, request.length}}, {}}
                              : passes_of(exercise, request.length, shape, exercise.launch_shape);
    if (!passes.fault.empty()) {
      answer.failure = RunFailure{RunFailure::Kind::unending, passes.fault};
      return;
    }
    const RunLayouts layouts = layouts_of(exercise, variant, request, shape);
    GuardedMemory& data = uploaded(exercise, layouts.input, request, input);
    GuardedLayout output_layout = layouts.output;
    if (hopeless) output_layout.payload = variant.result_bytes(request.length);
    // What the launches but the last leave, each in memory of its own, lies between bytes that change every
    // result, for the next launch reads it.
    std::list<GuardedMemory> outputs;
    for (std::size_t i = 0; i + 1 < passes.all.size(); ++i)
      outputs.emplace_back(GuardedLayout{0, values_left_by(passes.all[i].shape) * variant.output_bytes},
                           exercise.input_guard);
    outputs.emplace_back(output_layout, output_guard);
    if (request.timed && !stopwatch_) stopwatch_.emplace();
    LaunchOutcome outcome;
    const auto launch = [&] {
      // CUDA refuses a grid of no blocks, so an empty input is not launched.
      if (empty) return;
      const unsigned char* from = data.payload();
      auto output = outputs.begin();
      for (const Pass& pass : passes.all) {
        const NvtxRange range("launch");
        variant.launch(pass.shape, from, pass.length, output->payload(), outcome);
        if (outcome.error != cudaSuccess) {
          answer.grid = pass.shape.grid;
          answer.block = pass.shape.block;
          return;
        }
        from = (output++)->payload();
      }
    };
    for (unsigned i = 0; i < request.warm_ups + request.samples; ++i) {
      const bool is_sample = i >= request.warm_ups;
      const NvtxRange range(is_sample ? "sample" : "warm-up");
      clear(exercise, outputs);
      if (empty) fill(outputs.back(), empty_output(variant));
      if (request.timed && is_sample) {
        const TimedLaunch timed = stopwatch_->time(launch, request.options.warm_cache);
        answer.times_ms.push_back(timed.time_ms);
        answer.clocks_mhz.push_back(timed.clock_mhz);
      } else {
        launch();
      }
      if (is_refusal(outcome.error)) {
        answer.failure = RunFailure{RunFailure::Kind::launch_error, CudaError{outcome.error}.words()};
        return;
      }
      check(outcome.error);
      check(cudaDeviceSynchronize());
      if (is_sample) collect(exercise, variant.result_bytes(request.length), data, outputs, answer);
      if (is_sample && !request.timed) compare_input(exercise, input, data, answer);
      if (is_sample && request.options.parts && exercise.outputs == Outputs::until_one && !empty)
        answer.parts = beginning_of(outputs.front());
      if (!answer.observations.empty()) return;
    }
    if (request.timed && outcome.kernel) answer.occupancy = occupancy(outcome.kernel, shape);
  }

  bool is_hopeless(const LaunchShape& shape) const {
    return shape.block == 0 || shape.block > static_cast<unsigned>(properties_.maxThreadsPerBlock) ||
           shape.grid > static_cast<unsigned>(properties_.maxGridSize[0]);
  }

  // The input on the device, from the request before where that is the same.
  GuardedMemory& uploaded(const Exercise& exercise, const GuardedLayout& layout, const RunRequest& request,
                          const problems::Input& input) {
    if (request.same_input && data_ && data_->layout() == layout) return *data_;
    data_.reset();
    data_.emplace(layout, exercise.input_guard);
    data_->poison_guards();
    const NvtxRange range("upload");
    upload(input, data_->payload());
    return *data_;
  }

  static void fill(const GuardedMemory& output, const problems::Output& with) {
    check(cudaMemcpy(output.payload(), with.data(), with.size(), cudaMemcpyHostToDevice));
  }

  static problems::Output beginning_of(const GuardedMemory& output) {
    problems::Output bytes(std::min(output.layout().payload, most_parts_bytes));
    check(cudaMemcpy(bytes.data(), output.payload(), bytes.size(), cudaMemcpyDeviceToHost));
    return bytes;
  }

  // What a kernel has to write for itself is filled with what changes every result.
  static void clear(const Exercise& exercise, std::list<GuardedMemory>& outputs) {
    const NvtxRange range("zero");
    const unsigned char fill = exercise.outputs == Outputs::until_one ? exercise.input_guard : 0;
    for (GuardedMemory& output : outputs) {
      output.poison_guards();
      check(cudaMemset(output.payload(), fill, output.layout().payload));
    }
  }

  static void collect(const Exercise& exercise, std::size_t result_bytes, const GuardedMemory& data,
                      const std::list<GuardedMemory>& outputs, RunAnswer& answer) {
    const NvtxRange range("copy back");
    if (const auto at = data.overwritten()) {
      answer.observations.push_back(input_overwritten(exercise, *at, data.layout().payload));
    }
    for (const GuardedMemory& output : outputs) {
      const auto at = output.overwritten();
      if (!at) continue;
      answer.observations.push_back(output_overrun(exercise, *at, output.layout().payload));
      break;
    }
    problems::Output result(result_bytes);
    check(cudaMemcpy(result.data(), outputs.back().payload(), result.size(), cudaMemcpyDeviceToHost));
    add_output(answer, std::move(result));
  }

  static void compare_input(const Exercise& exercise, const problems::Input& input, const GuardedMemory& data,
                            RunAnswer& answer) {
    const NvtxRange range("compare input");
    const auto read_back = [&](std::span<unsigned char> found) {
      check(cudaMemcpy(found.data(), data.payload(), found.size(), cudaMemcpyDeviceToHost));
    };
    auto changed = input_changed(exercise, input, data.layout().payload, read_back);
    if (changed) answer.observations.push_back(std::move(*changed));
  }

  const Exercise& exercise_;
  cudaDeviceProp properties_{};
  std::string unavailable_;
  std::optional<Stopwatch> stopwatch_;
  std::optional<GuardedMemory> data_;
};

}  // namespace

std::unique_ptr<Executor> make_executor(const Exercise& exercise) {
  return std::make_unique<GpuExecutor>(exercise);
}

}  // namespace runner
