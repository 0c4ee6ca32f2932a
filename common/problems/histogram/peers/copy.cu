// SPDX-License-Identifier: MIT
// Every byte is read and written once: what a kernel that changes its input could reach at best.
#include "problems/histogram/unit/exercise.hpp"
#include "runner/gpu/sweep.cuh"

namespace histogram {

namespace {

constexpr int loads_under_way = 4;

__global__ void copy_kernel(const unsigned char* data, std::size_t length, unsigned char* to) {
  const runner::Pieces pieces(data, length);
  uint4* const words_to = reinterpret_cast<uint4*>(to);
  for (std::size_t tile = blockIdx.x; tile < pieces.tiles(loads_under_way); tile += gridDim.x) {
    uint4 words[loads_under_way];
    for (int i = 0; i < loads_under_way; ++i) words[i] = pieces.word(tile * loads_under_way + i);
    for (int i = 0; i < loads_under_way; ++i) {
      const std::size_t at = pieces.index(tile * loads_under_way + i);
      if (at < pieces.words()) words_to[at] = words[i];
    }
  }
}

struct Copy {
  template <class Binning>
  static void launch(const LaunchShape& shape, const unsigned char* data, std::size_t length, Counter*,
                     runner::LaunchOutcome& outcome) {
    // Made in the first run, which is a warm-up.
    static unsigned char* to = nullptr;
    static std::size_t room = 0;
    if (length > room) {
      cudaFree(to);
      room = length;
      outcome.error = cudaMalloc(reinterpret_cast<void**>(&to), room);
      if (outcome.error != cudaSuccess) return;
    }
    outcome.kernel = reinterpret_cast<const void*>(&copy_kernel);
    copy_kernel<<<shape.grid, shape.block>>>(data, length, to);
    outcome.error = cudaGetLastError();
  }
};

}  // namespace
}  // namespace histogram

const runner::Exercise runner::exercise_under_test =
    histogram::exercise<histogram::Copy>("peers", "copy", runner::Outputs::one, &runner::sweep_shape);
