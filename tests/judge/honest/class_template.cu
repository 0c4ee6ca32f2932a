// SPDX-License-Identifier: MIT
// Honest: a class template with a constructor and a destructor.
#include "lab.hpp"

template <int size>
class Counts {
 public:
  __device__ explicit Counts(unsigned int* histo) : histo_(histo) {
    for (unsigned& count : all_) count = 0;
  }
  __device__ ~Counts() {
    for (int bin = 0; bin < size; ++bin) {
      if (all_[bin] > 0) atomicAdd(&histo_[bin], all_[bin]);
    }
  }
  __device__ void add(int bin) {
    if (bin >= 0) ++all_[bin];
  }

 private:
  unsigned int* histo_;
  unsigned all_[size];
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  Counts<Binning::bins> counts(histo);
  const std::size_t stride = gridDim.x * blockDim.x;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += stride) counts.add(Binning::bin_of(data[i]));
}

LaunchShape launch_shape(std::size_t) { return {8, 128}; }
