// SPDX-License-Identifier: MIT
// A lab's file may ask these of the device that it is compiled for:
//
//   LaunchShape        {blocks in the grid, threads per block, bytes of dynamic shared memory}
//   multiprocessors()  how many multiprocessors the device has
//   resident_blocks(kernel, block, shared_bytes = 0)
//                      how many blocks of `block` threads of this kernel one multiprocessor holds at a time
//
// With nvcc these answer for the GPU at hand, on the simulator for the model device (an H200, see
// simulator/model_device.hpp; there a kernel's registers are not counted).
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>  // without it no compiler but nvcc takes `for (x : {a, b})`

#include "facts/launch_shape.hpp"

#if defined(__CUDACC__)

#include <cuda_runtime.h>

// printf and assert, which kernels may call; on the simulator they are there too.
#include <cassert>
#include <cstdio>

inline unsigned multiprocessors() {
  int device = 0, count = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
  return static_cast<unsigned>(count);
}

template <class Kernel>
unsigned resident_blocks(Kernel kernel, unsigned block, std::size_t shared_bytes = 0) {
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(block), shared_bytes);
  return static_cast<unsigned>(blocks);
}

#elif defined(WORKBOOK_SIMULATOR) && !defined(WORKBOOK_SEQUENTIAL)

#include "simulator/cuda/cuda.hpp"
#include "simulator/model_device.hpp"

inline unsigned multiprocessors() { return simulator::launch_multiprocessors(); }

template <class Kernel>
unsigned resident_blocks(Kernel kernel, unsigned block, std::size_t shared_bytes = 0) {
  return simulator::launch_resident_blocks(reinterpret_cast<const void*>(kernel), block, shared_bytes);
}

#endif
