// SPDX-License-Identifier: MIT
// Reads of memory that nobody has written.
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

// A shared counter that nobody clears.
template <bool defect>
__global__ void count_from_nowhere(const unsigned* in, unsigned* out) {
  __shared__ unsigned even;
  if constexpr (!defect) {
    if (threadIdx.x == 0) even = 0;
  }
  __syncthreads();
  if (in[threadIdx.x] % 2 == 0) atomicAdd(&even, 1u);  // DEFECT
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = even;  // OTHER
}

// More bins than threads: the rest is not cleared.
template <bool defect>
__global__ void clear_a_part(const unsigned char* text, unsigned* out) {
  __shared__ unsigned bins[100];
  const unsigned end = defect ? blockDim.x : 100;
  for (unsigned b = threadIdx.x; b < end; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) {
    if (text[i] < 100) atomicMax(&bins[text[i]], i);  // DEFECT
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned b = 0; b < 64; ++b) out[b] = bins[b];
  }
}

// Three of the four bytes of a word.
template <bool defect>
__global__ void pack_colours(const uchar4* pixels, unsigned* out) {
  __shared__ unsigned char channels[4 * 32];
  const uchar4 pixel = pixels[threadIdx.x];
  channels[4 * threadIdx.x] = pixel.x;
  channels[4 * threadIdx.x + 1] = pixel.y;
  channels[4 * threadIdx.x + 2] = pixel.z;
  if constexpr (!defect) channels[4 * threadIdx.x + 3] = 255;
  __syncthreads();
  out[threadIdx.x] = *reinterpret_cast<const unsigned*>(channels + 4 * (31 - threadIdx.x));  // DEFECT
}

// Sums onto an array that came fresh from cudaMalloc.
template <bool defect>
__global__ void accumulate(const unsigned* in, unsigned rounds, unsigned* sums) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if constexpr (!defect) sums[i] = 0;
  for (unsigned r = 0; r < rounds; ++r) sums[i] += in[r * gridDim.x * blockDim.x + i];  // DEFECT
}

// The neighbours beyond the grid's edge are skipped when the tile is loaded, but not when it is used.
template <bool defect>
__global__ void blur_to_the_edge(const float* in, float* out) {
  __shared__ float window[2 + 64];
  const unsigned t = threadIdx.x;
  window[t + 1] = in[blockIdx.x * 64 + t];
  if (t == 0) {
    if (blockIdx.x > 0) {
      window[0] = in[blockIdx.x * 64 - 1];
    } else if (!defect) {
      window[0] = 0;
    }
  }
  if (t == 63) window[65] = blockIdx.x + 1 < gridDim.x ? in[blockIdx.x * 64 + 64] : 0;
  __syncthreads();
  out[blockIdx.x * 64 + t] = window[t] + window[t + 2];  // DEFECT
}

// Some warps leave a result, but all slots are added.
template <bool defect>
__global__ void add_all_slots(const unsigned* in, unsigned* out) {
  __shared__ unsigned slots[8];
  const unsigned votes = __ballot_sync(0xffffffffu, in[threadIdx.x] > 3);
  if (threadIdx.x % 32 == 0) slots[threadIdx.x / 32] = static_cast<unsigned>(__popc(votes));
  __syncthreads();
  if (threadIdx.x > 0) return;
  unsigned sum = 0;
  const unsigned used = defect ? 8 : blockDim.x / 32;
  for (unsigned s = 0; s < used; ++s) sum += slots[s];  // DEFECT
  *out = sum;
}

// Who shall set the flag does not exist in a block of this size.
template <bool defect>
__global__ void flag_by_absent_thread(const int* in, int* out) {
  __shared__ bool found;
  if (threadIdx.x == (defect ? 64u : 0u)) found = false;
  __syncthreads();
  if (in[threadIdx.x] == 7) found = true;
  __syncthreads();
  if (found) out[threadIdx.x] = -in[threadIdx.x];  // DEFECT
}

// A maximum in global memory that starts from what happened to be there.
template <bool defect>
__global__ void maximum_of_nothing(const int* in, int* largest) {
  if (!defect && threadIdx.x == 0) *largest = in[0];
  __syncthreads();
  atomicMax(largest, in[threadIdx.x]);  // DEFECT
}

BOTH(count_from_nowhere, const unsigned*, unsigned*);
BOTH(clear_a_part, const unsigned char*, unsigned*);
BOTH(pack_colours, const uchar4*, unsigned*);
BOTH(accumulate, const unsigned*, unsigned, unsigned*);
BOTH(blur_to_the_edge, const float*, float*);
BOTH(add_all_slots, const unsigned*, unsigned*);
BOTH(flag_by_absent_thread, const int*, int*);
BOTH(maximum_of_nothing, const int*, int*);
