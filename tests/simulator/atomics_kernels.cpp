// SPDX-License-Identifier: MIT
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

namespace {

// Which types CUDA offers an operation for: the CUDA C++ Programming Guide, "Atomic functions".
template <class T>
constexpr bool is_32_bit_integer = std::is_same_v<T, int> || std::is_same_v<T, unsigned>;
template <class T>
constexpr bool is_unsigned_long_long = std::is_same_v<T, unsigned long long>;
template <class T>
constexpr bool has_add = !std::is_same_v<T, long long>;
template <class T>
constexpr bool has_exchange = is_32_bit_integer<T> || is_unsigned_long_long<T> || std::is_same_v<T, float>;
template <class T>
constexpr bool has_bitwise = is_32_bit_integer<T> || is_unsigned_long_long<T>;
template <class T>
constexpr bool has_minimum = std::is_integral_v<T>;

template <class T>
__device__ T apply(Atomic operation, T* word, T operand) {
  if constexpr (has_add<T>) {
    if (operation == Atomic::add) return atomicAdd(word, operand);
  }
  if constexpr (has_exchange<T>) {
    if (operation == Atomic::exchange) return atomicExch(word, operand);
  }
  if constexpr (is_32_bit_integer<T>) {
    if (operation == Atomic::sub) return atomicSub(word, operand);
  }
  if constexpr (std::is_same_v<T, unsigned>) {
    if (operation == Atomic::inc) return atomicInc(word, operand);
    if (operation == Atomic::dec) return atomicDec(word, operand);
  }
  if constexpr (has_minimum<T>) {
    if (operation == Atomic::min) return atomicMin(word, operand);
    if (operation == Atomic::max) return atomicMax(word, operand);
  }
  if constexpr (has_bitwise<T>) {
    if (operation == Atomic::bitwise_and) return atomicAnd(word, operand);
    if (operation == Atomic::bitwise_or) return atomicOr(word, operand);
    if (operation == Atomic::bitwise_xor) return atomicXor(word, operand);
  }
  return T{};
}

}  // namespace

template <class T>
__global__ void apply_atomic(Atomic operation, T* word, T operand, T* old) {
  *old = apply(operation, word, operand);
}

template <class T>
__global__ void apply_atomic_in_shared(Atomic operation, T* word, T operand, T* old) {
  __shared__ T shared;
  shared = *word;
  *old = apply(operation, &shared, operand);
  *word = shared;
}

template <class T>
__global__ void apply_compare_and_swap(T* word, T compare, T value, T* old) {
  *old = atomicCAS(word, compare, value);
}

#define INSTANTIATE(T)                                      \
  template __global__ void apply_atomic(Atomic, T*, T, T*); \
  template __global__ void apply_atomic_in_shared(Atomic, T*, T, T*);
INSTANTIATE(int)
INSTANTIATE(unsigned)
INSTANTIATE(long long)
INSTANTIATE(unsigned long long)
INSTANTIATE(float)
INSTANTIATE(double)
template __global__ void apply_compare_and_swap(int*, int, int, int*);
template __global__ void apply_compare_and_swap(unsigned*, unsigned, unsigned, unsigned*);
template __global__ void apply_compare_and_swap(unsigned long long*, unsigned long long, unsigned long long,
                                                unsigned long long*);

__global__ void add_of_block_scope(unsigned* word, unsigned* old) { *old = atomicAdd_block(word, 3u); }

__global__ void add_everywhere(unsigned* word) { atomicAdd(word, 1); }

__global__ void take_tickets(unsigned* word, unsigned limit, unsigned* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = atomicInc(word, limit);
}

__global__ void add_by_compare_and_swap(unsigned* word) {
  unsigned seen = *word, assumed;
  do {
    assumed = seen;
    seen = atomicCAS(word, assumed, assumed + 2);
  } while (seen != assumed);
}
