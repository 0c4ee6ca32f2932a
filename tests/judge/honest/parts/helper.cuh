// SPDX-License-Identifier: MIT
// For ../helper_header.cu.
#ifndef __HELPER_CUH__
#define __HELPER_CUH__
#include "constants.h"
__device__ __forceinline__ void count_one(unsigned int* histo, int bin) {
  if (bin >= first_bin) atomicAdd(&histo[bin], 1);
}
#endif  // __HELPER_CUH__
