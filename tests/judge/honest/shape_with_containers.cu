// SPDX-License-Identifier: MIT
// Honest: launch_shape with arrays, pairs, optionals and algorithms.
#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

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
  std::array<unsigned, 5> sizes{};
  std::iota(sizes.begin(), sizes.end(), 1u);
  std::transform(sizes.begin(), sizes.end(), sizes.begin(), [](unsigned n) { return n * 64; });
  std::sort(sizes.rbegin(), sizes.rend());
  const auto found = std::find_if(sizes.begin(), sizes.end(), [](unsigned n) { return n == 256; });
  const std::optional<unsigned> block = found != sizes.end() ? std::optional(*found) : std::nullopt;
  const auto [grid, threads] = std::pair((length + *block - 1) / *block, *block);
  return {static_cast<unsigned>(grid), threads};
}
