#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo, int one = 1) {
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (position < length) {
    const int bin = Binning::bin_of(data[position]);
    if (bin >= 0) atomicAdd(&histo[bin], one);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  return {static_cast<unsigned>((length + block - 1) / block), block};
}
