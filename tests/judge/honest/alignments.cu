// SPDX-License-Identifier: MIT
// Honest: alignments wherever nvcc takes them.
#include "lab.hpp"

template <class... Types>
union Room {
  alignas(Types...) unsigned char bytes[16];
};

template <int bytes>
struct alignas(bytes) Padded {
  unsigned value;
};

template <class Value>
struct alignas(2 * sizeof(Value) > 16 ? 16 : 2 * sizeof(Value)) Couple {
  Value first, second;
};
static_assert(alignof(Couple<int>) == 8 && alignof(Couple<double4>) == 16);

__constant__ alignas(16) unsigned ones[4] = {1, 1, 1, 1};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ alignas(8) unsigned char pairs[64];
  __shared__ alignas(uint4) unsigned char quads[64];
  alignas(16) __shared__ Padded<32> padded;
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  alignas(64) unsigned local[16] = {};
  local[threadIdx.x % 16] = 1;
  if (threadIdx.x == 0) {
    *reinterpret_cast<uint2*>(pairs + 8) = make_uint2(0, 1);
    *reinterpret_cast<uint4*>(quads + 16) = make_uint4(0, 0, 0, 1);
    padded.value = ones[3] + alignof(Padded<32>) - 32 + alignof(Room<char, double>) - 8;
  }
  __syncthreads();
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  const unsigned both = reinterpret_cast<uint2*>(pairs)[1].y * reinterpret_cast<uint4*>(quads)[1].w;
  if (bin >= 0) atomicAdd(&histo[bin], local[threadIdx.x % 16] * both * padded.value);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
