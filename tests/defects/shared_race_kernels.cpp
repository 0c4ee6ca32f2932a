// SPDX-License-Identifier: MIT
// Data races in shared memory.
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

// Each thread takes its right neighbour's value.
template <bool defect>
__global__ void shift_in_block(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  values[threadIdx.x] = in[threadIdx.x];  // OTHER
  if constexpr (!defect) __syncthreads();
  out[threadIdx.x] = values[(threadIdx.x + 1) % blockDim.x];  // DEFECT
}

// Sum of a block by halving; the loop's barrier is missing.
template <bool defect>
__global__ void sum_by_halving(const unsigned* in, unsigned* out) {
  __shared__ unsigned sums[128];
  sums[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (unsigned active = blockDim.x / 2; active > 0; active /= 2) {
    if (threadIdx.x < active) sums[threadIdx.x] += sums[threadIdx.x + active];  // DEFECT
    if constexpr (!defect) __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

// Every thread sums all elements, tile by tile; the next tile overwrites one that others still read.
template <bool defect>
__global__ void sum_over_tiles(const unsigned* in, unsigned tiles, unsigned* out) {
  __shared__ unsigned tile[64];
  unsigned sum = 0;
  for (unsigned t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * blockDim.x + threadIdx.x];  // DEFECT
    __syncthreads();
    for (unsigned i = 0; i < blockDim.x; ++i) sum += tile[i];  // OTHER
    if constexpr (!defect) __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// The next tile is loaded while this one is used; the defect loads it into the same half.
template <bool defect>
__global__ void double_buffer(const unsigned* in, unsigned tiles, unsigned* out) {
  __shared__ unsigned buffers[2][64];
  buffers[0][threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  unsigned largest = 0;
  for (unsigned t = 0; t < tiles; ++t) {
    const unsigned now = defect ? 0 : t % 2, next = defect ? 0 : 1 - t % 2;
    if (t + 1 < tiles) buffers[next][threadIdx.x] = in[(t + 1) * blockDim.x + threadIdx.x];  // OTHER
    const unsigned value = buffers[now][blockDim.x - 1 - threadIdx.x];                       // DEFECT
    largest = largest < value ? value : largest;
    __syncthreads();
  }
  out[threadIdx.x] = largest;
}

// Inclusive prefix sums in place: every step must read before anybody writes.
template <bool defect>
__global__ void prefix_sums(unsigned* data) {
  __shared__ unsigned sums[64];
  const unsigned t = threadIdx.x;
  sums[t] = data[t];
  __syncthreads();
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    unsigned left = 0;
    if (t >= distance) left = sums[t - distance];  // OTHER
    if constexpr (!defect) __syncthreads();
    if (t >= distance) sums[t] += left;  // DEFECT
    __syncthreads();
  }
  data[t] = sums[t];
}

// A mean of three; the first two threads load the tile's halo, after the barrier.
template <bool defect>
__global__ void stencil_tile(const unsigned* in, unsigned n, unsigned* out) {
  __shared__ unsigned cells[64 + 2];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x + 1;
  cells[t] = in[i];
  if constexpr (defect) __syncthreads();
  if (threadIdx.x == 0) cells[0] = i > 0 ? in[i - 1] : 0;
  if (threadIdx.x == 1) cells[blockDim.x + 1] = i + blockDim.x < n + 1 ? in[i + blockDim.x - 1] : 0;  // OTHER
  if constexpr (!defect) __syncthreads();
  out[i] = (cells[t - 1] + cells[t] + cells[t + 1]) / 3;  // DEFECT
}

template <bool defect>
__global__ void transpose_tile(const float* in, float* out) {
  __shared__ float square[16][16 + 1];
  const unsigned column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  const unsigned width = gridDim.x * 16, height = gridDim.y * 16;
  square[threadIdx.y][threadIdx.x] = in[row * width + column];  // OTHER
  if constexpr (!defect) __syncthreads();
  out[(blockIdx.x * 16 + threadIdx.y) * height + blockIdx.y * 16 + threadIdx.x] =
      square[threadIdx.x][threadIdx.y];  // DEFECT
}

// Nothing separates the clearing of the bins from the first counts.
template <bool defect>
__global__ void clear_and_count(const unsigned char* text, unsigned n, unsigned* out) {
  __shared__ unsigned bins[256];
  for (unsigned b = threadIdx.x; b < 256; b += blockDim.x) bins[b] = 0;  // OTHER
  if constexpr (!defect) __syncthreads();
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&bins[text[i]], 1u);  // DEFECT
  __syncthreads();
  for (unsigned b = threadIdx.x; b < 256; b += blockDim.x) out[b] = bins[b];
}

// The block's maximum is committed before every thread has brought its own.
template <bool defect>
__global__ void commit_maximum(const unsigned* in, unsigned* maximum) {
  __shared__ unsigned best;
  if (threadIdx.x == 0) best = 0;
  __syncthreads();
  atomicMax(&best, in[blockIdx.x * blockDim.x + threadIdx.x]);  // OTHER
  if constexpr (!defect) __syncthreads();
  if (threadIdx.x == 0) atomicMax(maximum, best);  // DEFECT
}

// Of two ways to fill the tile, the same for the whole block, one comes without a barrier.
template <bool defect>
__global__ void barrier_on_one_path(const unsigned* in, bool doubled, unsigned* out) {
  __shared__ unsigned staged[96];
  if (doubled) {
    staged[threadIdx.x] = 2 * in[threadIdx.x];  // OTHER
    if constexpr (!defect) __syncthreads();
  } else {
    staged[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = staged[threadIdx.x ^ 32];  // DEFECT
}

// All threads count in one shared word.
template <bool defect>
__global__ void count_in_shared_word(const int* in, int* out) {
  __shared__ int positive;
  if (threadIdx.x == 0) positive = 0;
  __syncthreads();
  if (in[threadIdx.x] > 0) {
    if constexpr (defect) {
      ++positive;  // DEFECT
    } else {
      atomicAdd(&positive, 1);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) *out = positive;
}

// The last thread tells the others where to begin; a fence is no barrier.
template <bool defect>
__global__ void broadcast_offset(const unsigned* offsets, unsigned* out) {
  __shared__ unsigned offset;
  if (threadIdx.x == blockDim.x - 1) {
    offset = offsets[blockIdx.x];  // OTHER
    if constexpr (defect) __threadfence_block();
  }
  if constexpr (!defect) __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = offset + threadIdx.x;  // DEFECT
}

// Blocks draw chunks of work; the next draw overwrites the number that others still look at.
template <bool defect>
__global__ void draw_chunks(unsigned* queue, unsigned rounds, unsigned* done) {
  __shared__ unsigned chunk;
  for (unsigned r = 0; r < rounds; ++r) {
    if (threadIdx.x == 0) chunk = atomicAdd(queue, 1u);  // DEFECT
    __syncthreads();
    const unsigned mine = chunk;  // OTHER
    atomicAdd(&done[mine], threadIdx.x);
    if constexpr (!defect) __syncthreads();
  }
}

// The first warp adds what the warps have left in shared memory.
template <bool defect>
__global__ void sum_of_warps(const unsigned* in, unsigned* out) {
  __shared__ unsigned partial[32];
  unsigned sum = __reduce_add_sync(0xffffffffu, in[threadIdx.x]);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;  // OTHER
  if constexpr (!defect) __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;  // DEFECT
  sum = __reduce_add_sync(0xffffffffu, sum);
  if (threadIdx.x == 0) *out = sum;
}

// Four threads write the bytes of one word; another warp looks at the second byte only.
template <bool defect>
__global__ void look_at_one_byte(const unsigned char* in, unsigned* out) {
  __shared__ unsigned char flags[64];
  flags[threadIdx.x] = in[threadIdx.x];  // OTHER
  if constexpr (!defect) __syncthreads();
  if (threadIdx.x == 40) *out = flags[1];  // DEFECT
}

// Positive elements move to the front; the number of them is read while others still count.
template <bool defect>
__global__ void compact(const int* in, int* out, unsigned* length) {
  __shared__ unsigned kept;
  if (threadIdx.x == 0) kept = 0;
  __syncthreads();
  const int value = in[threadIdx.x];
  if (value > 0) out[atomicAdd(&kept, 1u)] = value;  // OTHER
  if constexpr (!defect) __syncthreads();
  if (threadIdx.x == blockDim.x - 1) *length = kept;  // DEFECT
}

// Votes are counted twice, and the counter is taken back in between.
template <bool defect>
__global__ void count_twice(unsigned* out) {
  __shared__ unsigned votes;
  if (threadIdx.x == 0) votes = 0;
  __syncthreads();
  atomicAdd(&votes, 1u);
  if constexpr (!defect) __syncthreads();
  if (threadIdx.x == blockDim.x - 1) votes = 0;  // DEFECT
  if constexpr (!defect) __syncthreads();
  atomicAdd(&votes, 1u);  // OTHER
  __syncthreads();
  if (threadIdx.x == 0) *out = votes;
}

BOTH(shift_in_block, const unsigned*, unsigned*);
BOTH(sum_by_halving, const unsigned*, unsigned*);
BOTH(sum_over_tiles, const unsigned*, unsigned, unsigned*);
BOTH(double_buffer, const unsigned*, unsigned, unsigned*);
BOTH(prefix_sums, unsigned*);
BOTH(stencil_tile, const unsigned*, unsigned, unsigned*);
BOTH(transpose_tile, const float*, float*);
BOTH(clear_and_count, const unsigned char*, unsigned, unsigned*);
BOTH(commit_maximum, const unsigned*, unsigned*);
BOTH(barrier_on_one_path, const unsigned*, bool, unsigned*);
BOTH(count_in_shared_word, const int*, int*);
BOTH(broadcast_offset, const unsigned*, unsigned*);
BOTH(draw_chunks, unsigned*, unsigned, unsigned*);
BOTH(sum_of_warps, const unsigned*, unsigned*);
BOTH(look_at_one_byte, const unsigned char*, unsigned*);
BOTH(compact, const int*, int*, unsigned*);
BOTH(count_twice, unsigned*);
