// SPDX-License-Identifier: MIT
// Right: a thread takes 16 bytes in one load where they are aligned.
// on a GPU: pass
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t before = (16 - reinterpret_cast<std::uintptr_t>(data) % 16) % 16;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const auto count = [histo](unsigned char byte) {
    const int bin = Binning::bin_of(byte);
    if (bin >= 0) atomicAdd(&histo[bin], 1u);
  };
  if (first < before && first < length) count(data[first]);
  if (before >= length) return;
  const std::size_t pieces = (length - before) / 16;
  if (first < pieces) {
    const uint4 piece = reinterpret_cast<const uint4*>(data + before)[first];
    for (const unsigned int word : {piece.x, piece.y, piece.z, piece.w}) {
      for (int shift = 0; shift < 32; shift += 8) count(static_cast<unsigned char>(word >> shift & 0xff));
    }
  }
  const std::size_t behind = before + 16 * pieces + first;
  if (first < 16 && behind < length) count(data[behind]);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 63) / 64), 64}; }
