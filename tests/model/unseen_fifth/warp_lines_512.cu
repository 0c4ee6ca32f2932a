// SPDX-License-Identifier: MIT
// Cooperative groups: a warp reads whole chunks of 512 bytes, 16 bytes a lane, chunk after chunk at a stride
// of all the warps of the grid; the chunk that is cut off by the end is read bytewise. Two chunks are in
// flight at a time.
#include <cooperative_groups.h>

#include "lab.hpp"

namespace cg = cooperative_groups;

constexpr unsigned kWarps = 16;
constexpr std::size_t kLine = 512;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned bins = Binning::bins;
  __shared__ unsigned int counts[kWarps / 2][bins];
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  for (unsigned i = block.thread_rank(); i < kWarps / 2 * bins; i += block.size()) (&counts[0][0])[i] = 0;
  block.sync();

  unsigned int* const mine = counts[warp.meta_group_rank() / 2];
  const auto count = [mine](unsigned char byte) {
    const int bin = Binning::bin_of(byte);
    if (bin >= 0) atomicAdd(&mine[bin], 1u);
  };
  const auto count_vector = [&](const uint4& v) {
    const unsigned int word[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int k = 0; k < 16; ++k) count(static_cast<unsigned char>(word[k / 4] >> (k % 4 * 8)));
  };

  const std::size_t warps = std::size_t{gridDim.x} * kWarps, lines = length / kLine;
  const uint4* const in = reinterpret_cast<const uint4*>(data) + warp.thread_rank();
  std::size_t line = std::size_t{blockIdx.x} * kWarps + warp.meta_group_rank();
  for (; line + warps < lines; line += 2 * warps) {
    const uint4 one = in[line * 32], two = in[(line + warps) * 32];
    count_vector(one);
    count_vector(two);
  }
  if (line < lines) {
    count_vector(in[line * 32]);
    line += warps;
  }
  if (line == lines)
    for (std::size_t i = lines * kLine + warp.thread_rank(); i < length; i += 32) count(data[i]);
  block.sync();

  for (unsigned b = block.thread_rank(); b < bins; b += block.size()) {
    unsigned int sum = 0;
#pragma unroll
    for (unsigned t = 0; t < kWarps / 2; ++t) sum += counts[t][b];
    if (sum > 0) atomicAdd(&histo[b], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = kWarps * kLine;
  const std::size_t need = (length + tile - 1) / tile;
  const std::size_t room =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, kWarps * 32);
  return {static_cast<unsigned>(need < room ? need : room), kWarps * 32};
}
