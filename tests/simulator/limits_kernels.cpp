// SPDX-License-Identifier: MIT
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

namespace {

__device__ unsigned rank() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Writes each page of a local array, from its far end, and reads them all again. Not inlined: the arrays of
// all sizes would take room in one frame.
template <unsigned bytes>
__attribute__((noinline)) unsigned sum_of_local_array(unsigned first) {
  constexpr unsigned page = 4096;
  volatile unsigned char array[bytes];
  for (unsigned i = 0; i < bytes; i += page) array[i] = static_cast<unsigned char>(first);
  unsigned sum = 0;
  for (unsigned i = 0; i < bytes; i += page) sum += array[i];
  return sum;
}

__attribute__((noinline)) unsigned sum_down_from(unsigned n, volatile unsigned* seen) {
  *seen = n;
  return n == 0 ? 0 : n + sum_down_from(n - 1, seen);
}

}  // namespace

void local_array(unsigned kib, unsigned* out) {
  out[rank()] = kib == 64    ? sum_of_local_array<64 * 1024>(threadIdx.x)
                : kib == 448 ? sum_of_local_array<448 * 1024>(threadIdx.x)
                             : sum_of_local_array<8192 * 1024>(threadIdx.x);
}

void recursion(unsigned depth, unsigned* out) {
  volatile unsigned seen = 0;
  out[rank()] = sum_down_from(depth, &seen);
}

void divide(unsigned who, int by, int* out) {
  out[rank()] = static_cast<int>(rank());
  if (rank() == who) out[rank()] = 7 / by;
  __syncthreads();
  out[rank()] += 1;
}

void trap_at(unsigned who, bool by_compiler, unsigned* out) {
  out[rank()] = 1;
  if (rank() != who) return;
  if (by_compiler) __builtin_trap();
  __trap();
}

void run_for_ever(Endless kind, unsigned first, unsigned* out) {
  atomicAdd(&out[rank()], 1u);
  if (rank() < first) return;
  while (kind == Endless::storing) out[rank()] += 2;
  while (kind == Endless::counting) atomicAdd(&out[rank()], 2u);
  while (true) {
  }
}

void go_round(Rounds kind, unsigned rounds, const unsigned* words, unsigned* out) {
  unsigned sum = 0;
  const bool works = kind != Rounds::beside_barrier || threadIdx.x == 0;
  for (unsigned i = 1; works && (rounds == 0 || i <= rounds); ++i) {
    if (kind == Rounds::same_word) sum += words[threadIdx.x];
    if (kind == Rounds::next_word) sum += words[i - 1];
    if (kind == Rounds::beside_barrier) atomicAdd(&out[0], 1u);
    if (kind == Rounds::around_barrier && __syncthreads_or(words[threadIdx.x] == 7)) break;
  }
  if (kind != Rounds::around_barrier) __syncthreads();
  atomicAdd(&out[threadIdx.x], sum);
}

void assert_below(unsigned limit, unsigned* out) {
  out[rank()] = 1;
  assert(rank() < limit);
  out[rank()] = 2;
}

void allocate(Allocation kind, unsigned** out) {
  switch (kind) {
    case Allocation::by_malloc:
      *out = static_cast<unsigned*>(malloc(16));
      break;
    case Allocation::by_calloc:
      *out = static_cast<unsigned*>(calloc(4, 4));
      break;
    case Allocation::by_realloc:
      *out = static_cast<unsigned*>(realloc(nullptr, 16));
      break;
    case Allocation::by_new:
      *out = new unsigned;
      break;
    case Allocation::by_new_array:
      *out = new unsigned[4];
      break;
  }
}
