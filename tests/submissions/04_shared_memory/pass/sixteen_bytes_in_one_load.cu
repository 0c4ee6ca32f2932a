// SPDX-License-Identifier: MIT
// Right: a thread takes 16 bytes in one load where they are aligned.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();

  const std::size_t before = min(length, std::size_t{(16 - reinterpret_cast<std::uintptr_t>(data) % 16) % 16});
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t pieces = (length - before) / 16, behind = before + 16 * pieces;
  const auto count = [](unsigned char byte) {
    const int bin = Binning::bin_of(byte);
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  };
  if (thread < before) count(data[thread]);
  if (thread < length - behind) count(data[behind + thread]);
  if (thread < pieces) {
    const uint4 piece = reinterpret_cast<const uint4*>(data + before)[thread];
    for (const unsigned int word : {piece.x, piece.y, piece.z, piece.w}) {
      for (int shift = 0; shift < 32; shift += 8) count(static_cast<unsigned char>(word >> shift & 0xff));
    }
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 63) / 64), 64}; }
