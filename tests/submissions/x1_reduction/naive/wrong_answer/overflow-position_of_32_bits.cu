// SPDX-License-Identifier: MIT
// Wrong: the position is an int, which is negative from 2^31 elements on, so the elements there are left out.
// on a GPU: wrong_answer overflow
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  __shared__ typename Operator::value values[2 * 512];
  const int first = 2 * (blockIdx.x * blockDim.x + threadIdx.x), second = first + 1;
  const unsigned place = 2 * threadIdx.x, count = 2 * blockDim.x;
  values[place] = first < length ? data[first] : Operator::identity();
  values[place + 1] = second < length ? data[second] : Operator::identity();
  for (unsigned apart = 1; apart < count; apart += apart) {
    __syncthreads();
    const bool works = threadIdx.x % apart == 0;
    if (works && place + apart < count) values[place] = Operator::combine(values[place], values[place + apart]);
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t block = 512;
  return {static_cast<unsigned>((length + 2 * block - 1) / (2 * block)), block};
}
