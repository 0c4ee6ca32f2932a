// SPDX-License-Identifier: MIT
// Honest: names of its own, as a struct, a template, a function, a variable, a label and a member, that CUB has too and the
// simulator does not.
#include <cub/cub.cuh>

#include "lab.hpp"

struct BlockLoad {
  const unsigned char* data;
  __device__ unsigned char at(std::size_t i) const { return data[i]; }
};

template <class Binning>
struct BlockStore {
  unsigned int* histo;
  __device__ void add(int bin) const { atomicAdd(&histo[bin], 1u); }
};

__device__ std::size_t WarpLoad(std::size_t position, std::size_t length) { return position < length ? position : length; }

enum class BlockShuffle { none, some };

namespace DeviceScan {
constexpr unsigned int block = 128;
}

struct Places {
  std::size_t DeviceFor, WarpStore;
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const BlockLoad load{data};
  const BlockStore<Binning> store{histo};
  const BlockShuffle BlockExchange = BlockShuffle::some;
  const Places places{WarpLoad(std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, length), length};
  if (places.DeviceFor == places.WarpStore || BlockExchange == BlockShuffle::none) goto BlockRadixSort;
  if (const int DeviceHistogram = Binning::bin_of(load.at(places.DeviceFor)); DeviceHistogram >= 0) store.add(DeviceHistogram);
BlockRadixSort:
  return;
}

LaunchShape launch_shape(std::size_t length) {
  const auto DeviceReduce = static_cast<unsigned>((length + DeviceScan::block - 1) / DeviceScan::block);
  return {DeviceReduce, DeviceScan::block};
}
