// SPDX-License-Identifier: MIT
// The clock at which the multiprocessors run while they are all busy.
#pragma once

#include "model/calibrate/measurement.cuh"

namespace calibrate {

static __global__ void spin(long long ticks, unsigned long long* result) {
  unsigned long long begin, end;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  const long long start = clock64();
  while (clock64() - start < ticks) {
  }
  const long long stop = clock64();
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(end));
  result[0] = end - begin;
  result[1] = static_cast<unsigned long long>(stop - start);
}

inline double measured_clock_mhz() {
  unsigned long long* result;
  need(cudaMallocManaged(&result, 16));
  double mhz = 0;
  for (int i = 0; i < 3; ++i) {
    spin<<<multiprocessors(), 256>>>(40'000'000, result);
    need(cudaDeviceSynchronize());
    mhz = 1e3 * static_cast<double>(result[1]) / static_cast<double>(result[0]);
  }
  cudaFree(result);
  return mhz;
}

}  // namespace calibrate
