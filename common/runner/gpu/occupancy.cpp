// SPDX-License-Identifier: MIT
#include "runner/gpu/occupancy.hpp"

#include <algorithm>

#include "runner/gpu/cuda_check.hpp"

namespace runner {

namespace {

unsigned attribute(cudaDeviceAttr which) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, 0));
  return static_cast<unsigned>(value);
}

}  // namespace

Occupancy occupancy(const void* kernel, const LaunchShape& shape) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel));
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(shape.block),
                                                      shape.shared_bytes));

  const unsigned warp = attribute(cudaDevAttrWarpSize);
  const unsigned most_threads = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  const unsigned warps_of_a_block = (shape.block + warp - 1) / warp;
  Occupancy result;
  result.resident_blocks = static_cast<unsigned>(blocks);
  result.warps = result.resident_blocks * warps_of_a_block;
  result.most_warps = most_threads / warp;
  result.registers = static_cast<unsigned>(attributes.numRegs);
  result.shared_bytes = attributes.sharedSizeBytes + shape.shared_bytes;

  // What each resource alone would allow. The registers' rules are the chip's own, so they are what is left.
  const unsigned by_threads = most_threads / (std::max(warps_of_a_block, 1u) * warp);
  const unsigned by_blocks = attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
  const std::size_t shared_of_a_block =
      result.shared_bytes + attribute(cudaDevAttrReservedSharedMemoryPerBlock);
  const std::size_t by_shared =
      result.shared_bytes == 0 ? by_blocks
                               : attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) / shared_of_a_block;
  result.limited_by = result.resident_blocks == by_threads  ? "threads"
                      : result.resident_blocks == by_blocks ? "blocks"
                      : result.resident_blocks == by_shared ? "shared memory"
                                                            : "registers";
  return result;
}

}  // namespace runner
