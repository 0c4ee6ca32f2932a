// SPDX-License-Identifier: MIT
// Hostile: calls the harness by the name that the linker knows.
// expected: forbidden: _ZN9histogram7observeEN6runner5BytesES1_ is not allowed
// on a GPU: build_error: error: undefined reference to `histogram::observe(runner::Bytes, runner::Bytes)'
#include "lab.hpp"

extern "C" void _ZN9histogram7observeEN6runner5BytesES1_(const void*, std::size_t, const void*, std::size_t);

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], 1);
}

LaunchShape launch_shape(std::size_t length) {
  _ZN9histogram7observeEN6runner5BytesES1_(nullptr, 0, nullptr, 0);
  return {static_cast<unsigned>((length + 255) / 256), 256};
}
