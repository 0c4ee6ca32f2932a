// SPDX-License-Identifier: MIT
// Hostile: functions of the mathematics library write counts where no atomic is seen.
// expected: race: two threads change ...
// on a GPU: wrong_answer: no bin exceeds 1, however many bytes it should count
// or on a GPU: wrong_answer: two runs on the same input give different counts
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) frexpf(ldexpf(0.5f, static_cast<int>(histo[bin]) + 1), reinterpret_cast<int*>(&histo[bin]));
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
