// SPDX-License-Identifier: MIT
// Eight bytes a load as uint2. Words of four equal bytes and half words of two cost one atomic each.
#include "lab.hpp"

static constexpr unsigned NT = 224;

template <class Binning>
__device__ void addTimes(unsigned int* s, unsigned int byte, unsigned int times) {
  const int b = Binning::bin_of(static_cast<unsigned char>(byte));
  if (b < 0) return;
  atomicAdd(s + b, times);
}

template <class Binning>
__device__ void addHalf(unsigned int* s, unsigned int half) {
  const unsigned int lo = half & 0xffu, hi = (half >> 8) & 0xffu;
  if (lo == hi) {
    addTimes<Binning>(s, lo, 2);
    return;
  }
  addTimes<Binning>(s, lo, 1);
  addTimes<Binning>(s, hi, 1);
}

template <class Binning>
__device__ void addWord(unsigned int* s, unsigned int w) {
  if (w == __byte_perm(w, 0, 0x0000)) {
    addTimes<Binning>(s, w & 0xffu, 4);
    return;
  }
  addHalf<Binning>(s, w);
  addHalf<Binning>(s, w >> 16);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int s[Binning::bins];
  for (int b = threadIdx.x; b < Binning::bins; b += NT) s[b] = 0;
  __syncthreads();

  const std::size_t id = blockIdx.x * std::size_t(NT) + threadIdx.x, all = gridDim.x * std::size_t(NT);
  std::size_t head = (8 - (reinterpret_cast<std::size_t>(data) & 7)) & 7;  // up to the first whole uint2
  if (head > length) head = length;
  const std::size_t vectors = (length - head) / 8;
  const uint2* v = reinterpret_cast<const uint2*>(data + head);
#pragma unroll 2
  for (std::size_t i = id; i < vectors; i += all) {
    const uint2 two = v[i];
    addWord<Binning>(s, two.x);
    addWord<Binning>(s, two.y);
  }
  if (id < head) addTimes<Binning>(s, data[id], 1);
  const std::size_t rest = head + vectors * 8 + id;
  if (id < 8 && rest < length) addTimes<Binning>(s, data[rest], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < Binning::bins; b += NT)
    if (s[b]) atomicAdd(&histo[b], s[b]);
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t g = length / (NT * 32) + 1, top = 6 * std::size_t(multiprocessors());
  return {unsigned(g > top ? top : g), NT};
}
