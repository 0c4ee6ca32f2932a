// SPDX-License-Identifier: MIT
// Built as the library's agents are: tiles of sixteen pixels a thread, loaded as four vectors of four bytes;
// all bins first, then one atomic for each run of equal ones. A tile that is not full is loaded with guards.
#include "lab.hpp"

template <int BLOCK_THREADS_, int PIXELS_PER_THREAD_>
struct AgentPolicy {
  static constexpr int BLOCK_THREADS = BLOCK_THREADS_;
  static constexpr int PIXELS_PER_THREAD = PIXELS_PER_THREAD_;
  static constexpr int TILE_PIXELS = BLOCK_THREADS * PIXELS_PER_THREAD;
};

using Policy = AgentPolicy<384, 16>;

template <class Binning, class AgentPolicy>
struct AgentHistogram {
  static constexpr int N = AgentPolicy::PIXELS_PER_THREAD;
  static constexpr int VECTORS = N / 4;

  struct TempStorage {
    unsigned int histogram[Binning::bins];
  };

  TempStorage& temp;
  const unsigned char* d_samples;
  unsigned int* d_output;

  __device__ __forceinline__ void InitBins() {
    for (int bin = threadIdx.x; bin < Binning::bins; bin += AgentPolicy::BLOCK_THREADS)
      temp.histogram[bin] = 0;
    __syncthreads();
  }

  __device__ __forceinline__ void AccumulatePixels(const int (&bins)[N]) {
    unsigned int accumulator = 1;
#pragma unroll
    for (int pixel = 0; pixel < N - 1; ++pixel) {
      if (bins[pixel] != bins[pixel + 1]) {
        if (bins[pixel] >= 0) atomicAdd(&temp.histogram[bins[pixel]], accumulator);
        accumulator = 0;
      }
      ++accumulator;
    }
    if (bins[N - 1] >= 0) atomicAdd(&temp.histogram[bins[N - 1]], accumulator);
  }

  template <bool IS_FULL>
  __device__ __forceinline__ void ConsumeTile(std::size_t offset, std::size_t valid) {
    int bins[N];
    if constexpr (IS_FULL) {
      const uchar4* const d_vectors = reinterpret_cast<const uchar4*>(d_samples + offset);
      uchar4 vectors[VECTORS];
#pragma unroll
      for (int i = 0; i < VECTORS; ++i) vectors[i] = d_vectors[i * AgentPolicy::BLOCK_THREADS + threadIdx.x];
#pragma unroll
      for (int i = 0; i < VECTORS; ++i) {
        bins[4 * i] = Binning::bin_of(vectors[i].x);
        bins[4 * i + 1] = Binning::bin_of(vectors[i].y);
        bins[4 * i + 2] = Binning::bin_of(vectors[i].z);
        bins[4 * i + 3] = Binning::bin_of(vectors[i].w);
      }
    } else {
#pragma unroll
      for (int i = 0; i < N; ++i) {
        const std::size_t pixel = i * AgentPolicy::BLOCK_THREADS + threadIdx.x;
        bins[i] = pixel < valid ? Binning::bin_of(d_samples[offset + pixel]) : -1;
      }
    }
    AccumulatePixels(bins);
  }

  __device__ __forceinline__ void ConsumeTiles(std::size_t length) {
    const bool aligned = reinterpret_cast<std::uintptr_t>(d_samples) % sizeof(uchar4) == 0;
    for (std::size_t offset = std::size_t{blockIdx.x} * AgentPolicy::TILE_PIXELS; offset < length;
         offset += std::size_t{gridDim.x} * AgentPolicy::TILE_PIXELS) {
      const std::size_t valid = length - offset;
      if (aligned && valid >= AgentPolicy::TILE_PIXELS) {
        ConsumeTile<true>(offset, valid);
      } else {
        ConsumeTile<false>(offset, valid);
      }
    }
  }

  __device__ __forceinline__ void StoreOutput() {
    __syncthreads();
    for (int bin = threadIdx.x; bin < Binning::bins; bin += AgentPolicy::BLOCK_THREADS) {
      const unsigned int count = temp.histogram[bin];
      if (count > 0) atomicAdd(d_output + bin, count);
    }
  }
};

template <class Binning>
__global__ void __launch_bounds__(Policy::BLOCK_THREADS)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  using Agent = AgentHistogram<Binning, Policy>;
  __shared__ typename Agent::TempStorage temp;
  Agent agent{temp, data, histo};
  agent.InitBins();
  agent.ConsumeTiles(length);
  agent.StoreOutput();
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + Policy::TILE_PIXELS - 1) / Policy::TILE_PIXELS;
  const std::size_t occupied =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, Policy::BLOCK_THREADS);
  return {static_cast<unsigned>(tiles < occupied ? tiles : occupied), Policy::BLOCK_THREADS};
}
