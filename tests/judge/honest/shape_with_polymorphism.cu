// SPDX-License-Identifier: MIT
// Honest: launch_shape chooses between objects with virtual functions.
#include <memory>

#include "lab.hpp"

struct Plan {
  virtual ~Plan() = default;
  virtual unsigned block() const = 0;
};
struct Small : Plan {
  unsigned block() const override { return 64; }
};
struct Large : Plan {
  unsigned block() const override { return 256; }
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t length) {
  std::unique_ptr<Plan> plan;
  if (length < 1000) plan = std::make_unique<Small>();
  else plan = std::make_unique<Large>();
  const unsigned block = plan->block();
  return {static_cast<unsigned>((length + block - 1) / block), block};
}
