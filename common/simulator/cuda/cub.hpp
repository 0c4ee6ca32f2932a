// SPDX-License-Identifier: MIT
// CUB, as far as it is simulated: the collectives of a warp and of a block, and its operators' names. The
// rest is refused by name.
#pragma once

#include "simulator/cuda/cub_block.hpp"
#include "simulator/cuda/cub_warp.hpp"

#define CUB_VERSION 300001  // of CUDA 13
#define CUB_PTX_WARP_THREADS 32
#define CUB_PTX_LOG_WARP_THREADS 5

namespace cub {

// What CUB has besides is refused where it is used, in one sentence at the line that uses it, and by no
// macro: a kernel may have names of its own that are CUB's too.
namespace simulated {

template <class...>
inline constexpr bool is_simulated = false;

}  // namespace simulated

// A collective is refused when it gets its arguments: it is an alias that needs what is inside of a class
// which cannot be made.
#define SIMULATOR_REFUSED_COLLECTIVE(name, parameters)                                 \
  namespace simulated {                                                                \
  template <class T>                                                                   \
  struct Refused##name {                                                               \
    static_assert(is_simulated<T>, "cub::" #name " is not simulated: it needs a GPU"); \
    using type = Refused##name;                                                        \
  };                                                                                   \
  }                                                                                    \
  template <parameters>                                                                \
  using name = typename simulated::Refused##name<T>::type;

// The parameters of a template: types and numbers in CUB's order.
#define SIMULATOR_NUMBERS class T, auto...
#define SIMULATOR_TYPE_AFTER_TWO class T, int, int, class = void, auto...
#define SIMULATOR_TYPE_AFTER_THREE class T, int, int, int, class = void, auto...

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };
enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };
enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };

SIMULATOR_REFUSED_COLLECTIVE(BlockAdjacentDifference, SIMULATOR_NUMBERS)
SIMULATOR_REFUSED_COLLECTIVE(BlockDiscontinuity, SIMULATOR_NUMBERS)
SIMULATOR_REFUSED_COLLECTIVE(BlockExchange, SIMULATOR_NUMBERS)
SIMULATOR_REFUSED_COLLECTIVE(BlockLoad, SIMULATOR_NUMBERS)
SIMULATOR_REFUSED_COLLECTIVE(BlockMergeSort, SIMULATOR_TYPE_AFTER_TWO)
SIMULATOR_REFUSED_COLLECTIVE(BlockRadixSort, SIMULATOR_TYPE_AFTER_TWO)
SIMULATOR_REFUSED_COLLECTIVE(BlockRunLengthDecode, SIMULATOR_TYPE_AFTER_THREE)
SIMULATOR_REFUSED_COLLECTIVE(BlockShuffle, SIMULATOR_NUMBERS)
SIMULATOR_REFUSED_COLLECTIVE(BlockStore, SIMULATOR_NUMBERS)
SIMULATOR_REFUSED_COLLECTIVE(WarpExchange, SIMULATOR_NUMBERS)
SIMULATOR_REFUSED_COLLECTIVE(WarpLoad, SIMULATOR_NUMBERS)
SIMULATOR_REFUSED_COLLECTIVE(WarpMergeSort, SIMULATOR_TYPE_AFTER_TWO)
SIMULATOR_REFUSED_COLLECTIVE(WarpStore, SIMULATOR_NUMBERS)

#undef SIMULATOR_NUMBERS
#undef SIMULATOR_TYPE_AFTER_TWO
#undef SIMULATOR_TYPE_AFTER_THREE
#undef SIMULATOR_REFUSED_COLLECTIVE

// What is done by the whole device is refused when one of its functions is named.
#define SIMULATOR_REFUSED_OF_DEVICE(name)                                              \
  namespace simulated {                                                                \
  template <class T>                                                                   \
  struct Refused##name {                                                               \
    static_assert(is_simulated<T>, "cub::" #name " is not simulated: it needs a GPU"); \
  };                                                                                   \
  }                                                                                    \
  using name = simulated::Refused##name<void>;

SIMULATOR_REFUSED_OF_DEVICE(DeviceAdjacentDifference)
SIMULATOR_REFUSED_OF_DEVICE(DeviceCopy)
SIMULATOR_REFUSED_OF_DEVICE(DeviceFor)
SIMULATOR_REFUSED_OF_DEVICE(DeviceHistogram)
SIMULATOR_REFUSED_OF_DEVICE(DeviceMemcpy)
SIMULATOR_REFUSED_OF_DEVICE(DeviceMerge)
SIMULATOR_REFUSED_OF_DEVICE(DeviceMergeSort)
SIMULATOR_REFUSED_OF_DEVICE(DevicePartition)
SIMULATOR_REFUSED_OF_DEVICE(DeviceRadixSort)
SIMULATOR_REFUSED_OF_DEVICE(DeviceReduce)
SIMULATOR_REFUSED_OF_DEVICE(DeviceRunLengthEncode)
SIMULATOR_REFUSED_OF_DEVICE(DeviceScan)
SIMULATOR_REFUSED_OF_DEVICE(DeviceSegmentedRadixSort)
SIMULATOR_REFUSED_OF_DEVICE(DeviceSegmentedReduce)
SIMULATOR_REFUSED_OF_DEVICE(DeviceSegmentedSort)
SIMULATOR_REFUSED_OF_DEVICE(DeviceSelect)
SIMULATOR_REFUSED_OF_DEVICE(DeviceTransform)

#undef SIMULATOR_REFUSED_OF_DEVICE

}  // namespace cub
