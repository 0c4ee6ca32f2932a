// SPDX-License-Identifier: MIT
// Honest: launch_shape allocates in every way that there is.
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t length) {
  auto* const numbers = new unsigned[3]{64, 128, 256};
  auto one = std::make_unique<unsigned>(numbers[2]);
  auto shared = std::make_shared<unsigned>(*one);
  auto* const raw = static_cast<unsigned*>(std::malloc(8));
  raw[1] = *shared;
  auto* const more = static_cast<unsigned*>(std::realloc(raw, 64));
  auto* const zeros = static_cast<unsigned*>(std::calloc(4, 4));
  auto* const maybe = new (std::nothrow) unsigned(0);
  std::vector<std::vector<unsigned>> rows(3, std::vector<unsigned>(4, more[1]));
  rows.emplace_back().push_back(*maybe);
  const unsigned block = rows[2][3] + zeros[3] + rows.back().front();
  delete[] numbers;
  delete maybe;
  std::free(more);
  std::free(zeros);
  return {static_cast<unsigned>((length + block - 1) / block), block};
}
