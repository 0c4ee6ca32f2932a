// SPDX-License-Identifier: MIT
// Data races in global memory.
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

template <bool defect>
__global__ void count_bytes(const unsigned char* text, unsigned n, unsigned* histo) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if constexpr (defect) {
    ++histo[text[i]];  // DEFECT
  } else {
    atomicAdd(&histo[text[i]], 1u);
  }
}

// Any thread that finds the value says where; without an atomic nobody knows whose answer stays.
template <bool defect>
__global__ void find_value(const unsigned* in, unsigned wanted, unsigned* where) {
  const unsigned i = threadIdx.x;
  if (in[i] != wanted) return;
  if constexpr (defect) {
    *where = i;  // DEFECT
  } else {
    atomicMin(where, i);
  }
}

// Blocks leave their results for the others, which may not have run.
template <bool defect>
__global__ void add_next_block(const unsigned* in, unsigned* results, unsigned* out) {
  const unsigned next = (blockIdx.x + 1) % gridDim.x;
  if (threadIdx.x == 0) results[blockIdx.x] = 3 * in[blockIdx.x];  // OTHER
  __syncthreads();
  if (threadIdx.x > 0) return;
  if constexpr (defect) {
    out[blockIdx.x] = results[next];  // DEFECT
  } else {
    out[blockIdx.x] = 3 * in[next];
  }
}

// The block that comes last adds what all have left.
template <bool defect>
__global__ void sum_in_last_block(const unsigned* in, unsigned* partial, unsigned* finished, unsigned* out) {
  if (threadIdx.x > 0) return;
  partial[blockIdx.x] = 10 * in[blockIdx.x];  // OTHER
  if constexpr (!defect) __threadfence();
  if (atomicAdd(finished, 1u) != gridDim.x - 1) return;
  if constexpr (!defect) __threadfence();
  unsigned sum = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b];  // DEFECT
  *out = sum;
}

// Looks whether the limit is reached before it counts.
template <bool defect>
__global__ void count_up_to_limit(unsigned limit, unsigned* counter) {
  unsigned seen = 0;
  if constexpr (defect) {
    seen = *counter;  // OTHER
  } else {
    seen = atomicAdd(counter, 0u);
  }
  if (seen < limit) atomicAdd(counter, 1u);  // DEFECT
}

// Four results of one byte each lie in a word: bytes are apart, a word's bits are not.
template <bool defect>
__global__ void pack_bytes(const unsigned char* in, unsigned* words) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if constexpr (defect) {
    words[i / 4] |= static_cast<unsigned>(in[i]) << 8 * (i % 4);  // DEFECT
  } else {
    reinterpret_cast<unsigned char*>(words)[i] = in[i];
  }
}

// A comparison and a store are two steps.
template <bool defect>
__global__ void largest_of_blocks(const int* in, int* best) {
  const int value = in[blockIdx.x];
  if constexpr (defect) {
    if (value > *best)  // OTHER
      *best = value;    // DEFECT
  } else {
    atomicMax(best, value);
  }
}

// Rows of a matrix, several blocks a column.
template <bool defect>
__global__ void column_sums(const float* matrix, unsigned columns, float* sums) {
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned first_row = blockIdx.y * 8;
  float sum = 0;
  for (unsigned row = first_row; row < first_row + 8; ++row) sum += matrix[row * columns + column];
  if constexpr (defect) {
    sums[column] += sum;  // DEFECT
  } else {
    atomicAdd(&sums[column], sum);
  }
}

// Smoothing in place: a neighbour may have been overwritten.
template <bool defect>
__global__ void smooth(unsigned* cells, unsigned* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0 || i >= n - 1) return;
  unsigned* const to = defect ? cells : out;
  const unsigned sum = cells[i - 1] + cells[i + 1];  // OTHER
  to[i] = sum / 2;                                   // DEFECT
}

// A lock that is opened by a plain store.
template <bool defect>
__global__ void add_under_lock(unsigned* lock, unsigned* total) {
  while (atomicCAS(lock, 0u, 1u) != 0) {  // DEFECT
  }
  __threadfence();
  *total += blockIdx.x;
  __threadfence();
  if constexpr (defect) {
    *lock = 0;  // OTHER
  } else {
    atomicExch(lock, 0u);
  }
}

// A link is read while another thread may replace it: lists grow by an exchange of the head, not by two
// accesses.
template <bool defect>
__global__ void push_on_list(unsigned* head, unsigned* next) {
  const unsigned node = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if constexpr (defect) {
    next[node] = *head;  // DEFECT
    *head = node;        // DEFECT
  } else {
    next[node] = atomicExch(head, node);
  }
}

// A 64-bit total kept as two words, of which only one is added atomically.
template <bool defect>
__global__ void wide_total(const unsigned* in, unsigned* low, unsigned* high) {
  const unsigned value = in[threadIdx.x];
  const unsigned before = atomicAdd(low, value);
  const bool carry = before + value < before;
  if constexpr (defect) {
    if (carry) *high = *high + 1;  // DEFECT
  } else {
    if (carry) atomicAdd(high, 1u);
  }
}

BOTH(count_bytes, const unsigned char*, unsigned, unsigned*);
BOTH(find_value, const unsigned*, unsigned, unsigned*);
BOTH(add_next_block, const unsigned*, unsigned*, unsigned*);
BOTH(sum_in_last_block, const unsigned*, unsigned*, unsigned*, unsigned*);
BOTH(count_up_to_limit, unsigned, unsigned*);
BOTH(pack_bytes, const unsigned char*, unsigned*);
BOTH(largest_of_blocks, const int*, int*);
BOTH(column_sums, const float*, unsigned, float*);
BOTH(smooth, unsigned*, unsigned*, unsigned);
BOTH(add_under_lock, unsigned*, unsigned*);
BOTH(push_on_list, unsigned*, unsigned*);
BOTH(wide_total, const unsigned*, unsigned*, unsigned*);
