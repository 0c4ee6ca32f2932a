// SPDX-License-Identifier: MIT
// Honest: a counter as a class with operators.
#include "lab.hpp"

struct Counter {
  unsigned int* at;
  __device__ Counter& operator+=(unsigned n) {
    atomicAdd(at, n);
    return *this;
  }
  __device__ explicit operator bool() const { return at != nullptr; }
};
class Histogram {
 public:
  __device__ explicit Histogram(unsigned int* bins) : bins_(bins) {}
  __device__ Counter operator[](int bin) const { return {bin >= 0 ? bins_ + bin : nullptr}; }

 private:
  unsigned int* bins_;
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  Histogram counts(histo);
  if (Counter counter = counts[Binning::bin_of(data[i])]) counter += 1;
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
