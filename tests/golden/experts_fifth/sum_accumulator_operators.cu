// SPDX-License-Identifier: MIT
// An accumulator with operators hides the combination; 96 threads fold by thirds, 96 to 32, and then the warp
// by halves without barriers of the block.
#include "lab.hpp"

template <class Operator>
class Accumulator {
 public:
  using value = typename Operator::value;
  __device__ Accumulator() : held(Operator::identity()) {}
  __device__ explicit Accumulator(const value& v) : held(v) {}
  __device__ Accumulator& operator+=(const value& v) {
    held = Operator::combine(held, v);
    return *this;
  }
  __device__ Accumulator& operator+=(const Accumulator& other) { return *this += other.held; }
  __device__ friend Accumulator operator+(Accumulator a, const Accumulator& b) { return a += b; }
  __device__ const value& get() const { return held; }

 private:
  value held;
};

constexpr unsigned kThreads = 96;

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using Sum = Accumulator<Operator>;
  __shared__ typename Operator::value slots[kThreads];
  Sum first, second;
  const std::size_t step = std::size_t{gridDim.x} * kThreads * 2;
  std::size_t i = std::size_t{blockIdx.x} * kThreads * 2 + threadIdx.x;
#pragma unroll 2
  for (; i + kThreads < length; i += step) {
    first += data[i];
    second += data[i + kThreads];
  }
  if (i < length) first += data[i];
  slots[threadIdx.x] = (first + second).get();
  __syncthreads();
  if (threadIdx.x >= 32) return;

  Sum own(slots[threadIdx.x]);
  own += slots[threadIdx.x + 32];
  own += slots[threadIdx.x + 64];
  slots[threadIdx.x] = own.get();
  __syncwarp();
#pragma unroll
  for (unsigned half = 16; half > 0; half >>= 1) {
    if (threadIdx.x < half) slots[threadIdx.x] = (own += slots[threadIdx.x + half]).get();
    __syncwarp();
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = own.get();
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t blocks = (length + kThreads * 24 - 1) / (kThreads * 24);
  const std::size_t most = 16 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(blocks == 0 ? 1 : blocks < most ? blocks : most), kThreads};
}
