// SPDX-License-Identifier: MIT
// Wrong: every byte is counted in global memory, by blocks so small that G * B is more than there are bytes.
#include "lab.hpp"
template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned pretend;
  if (threadIdx.x == 0) pretend = 0;
  __syncthreads();
  atomicAdd(&pretend, 1u);
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], 1u);
}

LaunchShape launch_shape(std::size_t length) { return {unsigned((length + 3) / 4), 4}; }
