// SPDX-License-Identifier: MIT
// The limit: every byte is read and nothing is kept. What the best launch of this takes, no histogram can
// undercut. Several loads of 16 bytes are under way in each thread, because latency times bandwidth asks for
// it (Little's law).
#include "problems/histogram/unit/exercise.hpp"
#include "runner/gpu/sweep.cuh"

namespace histogram {

namespace {

constexpr int loads_under_way = 4;

__global__ void read_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const runner::Pieces pieces(data, length);
  unsigned seen = 0;
  for (std::size_t tile = blockIdx.x; tile < pieces.tiles(loads_under_way); tile += gridDim.x) {
    uint4 words[loads_under_way];
    for (int i = 0; i < loads_under_way; ++i) words[i] = pieces.word(tile * loads_under_way + i);
    for (const uint4& word : words) seen ^= word.x ^ word.y ^ word.z ^ word.w;
  }
  // Read for a condition that the launch never makes true, so that the loads are not optimised away.
  if (gridDim.y > 1) histo[0] = seen;
}

struct Read {
  template <class Binning>
  static void launch(const LaunchShape& shape, const unsigned char* data, std::size_t length, Counter* histo,
                     runner::LaunchOutcome& outcome) {
    outcome.kernel = reinterpret_cast<const void*>(&read_kernel);
    read_kernel<<<shape.grid, shape.block>>>(data, length, histo);
    outcome.error = cudaGetLastError();
  }
};

}  // namespace
}  // namespace histogram

const runner::Exercise runner::exercise_under_test =
    histogram::exercise<histogram::Read>("peers", "read", runner::Outputs::one, &runner::sweep_shape);
