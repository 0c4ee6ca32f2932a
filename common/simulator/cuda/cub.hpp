// SPDX-License-Identifier: MIT
// CUB, as far as it is simulated: the collectives of a warp and of a block, and its operators' names. The
// rest is refused by name.
#pragma once

#include "simulator/cuda/cub_block.hpp"
#include "simulator/cuda/cub_warp.hpp"

namespace cub {

// CUDA 12's names; later ones have cuda::std::plus, cuda::maximum and cuda::minimum alone.
using Sum = ::cuda::std::plus<>;
using Max = ::cuda::maximum<>;
using Min = ::cuda::minimum<>;

}  // namespace cub

#define BlockAdjacentDifference                                                               \
  SIMULATOR_REFUSE(GCC error "cub::BlockAdjacentDifference is not simulated: it needs a GPU") \
  BlockAdjacentDifference
#define BlockDiscontinuity \
  SIMULATOR_REFUSE(GCC error "cub::BlockDiscontinuity is not simulated: it needs a GPU") BlockDiscontinuity
#define BlockExchange \
  SIMULATOR_REFUSE(GCC error "cub::BlockExchange is not simulated: it needs a GPU") BlockExchange
#define BlockLoad SIMULATOR_REFUSE(GCC error "cub::BlockLoad is not simulated: it needs a GPU") BlockLoad
#define BlockMergeSort \
  SIMULATOR_REFUSE(GCC error "cub::BlockMergeSort is not simulated: it needs a GPU") BlockMergeSort
#define BlockRadixSort \
  SIMULATOR_REFUSE(GCC error "cub::BlockRadixSort is not simulated: it needs a GPU") BlockRadixSort
#define BlockRunLengthDecode                                                               \
  SIMULATOR_REFUSE(GCC error "cub::BlockRunLengthDecode is not simulated: it needs a GPU") \
  BlockRunLengthDecode
#define BlockShuffle \
  SIMULATOR_REFUSE(GCC error "cub::BlockShuffle is not simulated: it needs a GPU") BlockShuffle
#define BlockStore SIMULATOR_REFUSE(GCC error "cub::BlockStore is not simulated: it needs a GPU") BlockStore
#define DeviceAdjacentDifference                                                               \
  SIMULATOR_REFUSE(GCC error "cub::DeviceAdjacentDifference is not simulated: it needs a GPU") \
  DeviceAdjacentDifference
#define DeviceCopy SIMULATOR_REFUSE(GCC error "cub::DeviceCopy is not simulated: it needs a GPU") DeviceCopy
#define DeviceFor SIMULATOR_REFUSE(GCC error "cub::DeviceFor is not simulated: it needs a GPU") DeviceFor
#define DeviceHistogram \
  SIMULATOR_REFUSE(GCC error "cub::DeviceHistogram is not simulated: it needs a GPU") DeviceHistogram
#define DeviceMemcpy \
  SIMULATOR_REFUSE(GCC error "cub::DeviceMemcpy is not simulated: it needs a GPU") DeviceMemcpy
#define DeviceMerge \
  SIMULATOR_REFUSE(GCC error "cub::DeviceMerge is not simulated: it needs a GPU") DeviceMerge
#define DeviceMergeSort \
  SIMULATOR_REFUSE(GCC error "cub::DeviceMergeSort is not simulated: it needs a GPU") DeviceMergeSort
#define DevicePartition \
  SIMULATOR_REFUSE(GCC error "cub::DevicePartition is not simulated: it needs a GPU") DevicePartition
#define DeviceRadixSort \
  SIMULATOR_REFUSE(GCC error "cub::DeviceRadixSort is not simulated: it needs a GPU") DeviceRadixSort
#define DeviceReduce \
  SIMULATOR_REFUSE(GCC error "cub::DeviceReduce is not simulated: it needs a GPU") DeviceReduce
#define DeviceRunLengthEncode                                                               \
  SIMULATOR_REFUSE(GCC error "cub::DeviceRunLengthEncode is not simulated: it needs a GPU") \
  DeviceRunLengthEncode
#define DeviceScan SIMULATOR_REFUSE(GCC error "cub::DeviceScan is not simulated: it needs a GPU") DeviceScan
#define DeviceSegmentedRadixSort                                                               \
  SIMULATOR_REFUSE(GCC error "cub::DeviceSegmentedRadixSort is not simulated: it needs a GPU") \
  DeviceSegmentedRadixSort
#define DeviceSegmentedReduce                                                               \
  SIMULATOR_REFUSE(GCC error "cub::DeviceSegmentedReduce is not simulated: it needs a GPU") \
  DeviceSegmentedReduce
#define DeviceSegmentedSort \
  SIMULATOR_REFUSE(GCC error "cub::DeviceSegmentedSort is not simulated: it needs a GPU") DeviceSegmentedSort
#define DeviceSelect \
  SIMULATOR_REFUSE(GCC error "cub::DeviceSelect is not simulated: it needs a GPU") DeviceSelect
#define DeviceTransform \
  SIMULATOR_REFUSE(GCC error "cub::DeviceTransform is not simulated: it needs a GPU") DeviceTransform
#define WarpExchange \
  SIMULATOR_REFUSE(GCC error "cub::WarpExchange is not simulated: it needs a GPU") WarpExchange
#define WarpLoad SIMULATOR_REFUSE(GCC error "cub::WarpLoad is not simulated: it needs a GPU") WarpLoad
#define WarpMergeSort \
  SIMULATOR_REFUSE(GCC error "cub::WarpMergeSort is not simulated: it needs a GPU") WarpMergeSort
#define WarpStore SIMULATOR_REFUSE(GCC error "cub::WarpStore is not simulated: it needs a GPU") WarpStore
