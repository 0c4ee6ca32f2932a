// SPDX-License-Identifier: MIT
// Honest: a table that the compiler fills.
// nvcc refuses it
#include "lab.hpp"

namespace {
struct Table {
  int entries[256];
  constexpr int operator[](int i) const { return entries[i]; }
};
template <class Binning>
constexpr Table make() {
  Table table{};
  for (int i = 0; i < 256; ++i) table.entries[i] = Binning::bin_of(static_cast<unsigned char>(i));
  return table;
}
template <class Binning>
constexpr Table table = make<Binning>();
static_assert(table<Letters>['a'] == 0 && table<Letters>['z'] == 25);
}  // namespace

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int bin = table<Binning>[data[i]];
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
