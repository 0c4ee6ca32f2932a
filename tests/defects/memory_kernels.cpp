// SPDX-License-Identifier: MIT
// Accesses to memory that is not there.
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

// The last block's surplus threads do not stop at the end.
template <bool defect>
__global__ void read_past_end(const unsigned* in, unsigned n, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!defect && i >= n) return;
  atomicAdd(out, in[i]);  // DEFECT
}

// A grid-stride loop with one element too many.
template <bool defect>
__global__ void write_past_end(unsigned n, unsigned* out) {
  const unsigned end = defect ? n + 1 : n;
  for (unsigned i = threadIdx.x; i < end; i += blockDim.x) out[i] = i;  // DEFECT
}

// Values from 0 to 10 need eleven bins.
template <bool defect>
__global__ void count_past_end(const unsigned* grades, unsigned* bins) {
  const unsigned grade = grades[threadIdx.x];
  if (!defect && grade == 10) {
    atomicAdd(&bins[9], 1u);
    return;
  }
  atomicAdd(&bins[grade], 1u);  // DEFECT
}

// Differences need a left neighbour.
template <bool defect>
__global__ void read_before_start(const int* in, int* out) {
  const int i = static_cast<int>(threadIdx.x);
  int left = 0;
  if (defect || i > 0) left = in[i - 1];  // DEFECT
  out[i] = in[i] - left;
}

// A tile without room for its halo.
template <bool defect>
__global__ void tile_too_small(const unsigned* in, unsigned* out) {
  constexpr unsigned halo = defect ? 1 : 2;
  __shared__ unsigned tile[32 + halo];
  tile[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < 2) tile[threadIdx.x + 32] = in[threadIdx.x + 32];  // DEFECT
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2];  // OTHER
}

// Two arrays in dynamic shared memory; there is room for two words a thread.
template <bool defect>
__global__ void carve_dynamic(unsigned* out) {
  extern __shared__ unsigned words[];
  unsigned* const keys = words;
  unsigned* const counts = words + blockDim.x + (defect ? 1 : 0);
  keys[threadIdx.x] = threadIdx.x;
  __syncthreads();
  counts[threadIdx.x] = keys[threadIdx.x ^ 1];  // DEFECT
  out[threadIdx.x] = counts[threadIdx.x];
}

// Pairs of words from an odd word on.
template <bool defect>
__global__ void misaligned_pairs(const unsigned* in, uint2* out) {
  const unsigned* const from = defect ? in + 1 : in + 2;
  out[threadIdx.x] = reinterpret_cast<const uint2*>(from)[threadIdx.x];  // DEFECT
}

// A number of four bytes within a record of bytes.
template <bool defect>
__global__ void misaligned_field(unsigned char* records, const int* values) {
  constexpr unsigned offset = defect ? 2 : 4;
  *reinterpret_cast<int*>(records + 8 * threadIdx.x + offset) = values[threadIdx.x];  // DEFECT
}

// A 64-bit atomic on a word that is no multiple of 8 away.
template <bool defect>
__global__ void misaligned_atomic(unsigned* header) {
  unsigned long long* const total = reinterpret_cast<unsigned long long*>(header + (defect ? 3 : 2));
  atomicAdd(total, 1ull + threadIdx.x);  // DEFECT
}

// Sixteen bytes at a time, up to a last piece that is not whole.
template <bool defect>
__global__ void copy_by_sixteen(const uint4* in, unsigned n, uint4* out) {
  const unsigned whole = defect ? (n + 15) / 16 : n / 16;
  for (unsigned i = threadIdx.x; i < whole; i += blockDim.x) {
    const uint4 piece = in[i];  // DEFECT
    out[i] = make_uint4(piece.w, piece.z, piece.y, piece.x);
  }
}

// Clears an array of an odd number of words by twos.
template <bool defect>
__global__ void clear_by_eight(unsigned* words, unsigned n) {
  unsigned long long* const twos = reinterpret_cast<unsigned long long*>(words);
  const unsigned i = threadIdx.x;
  if (2 * i + 1 < n) twos[i] = 0;
  if (2 * i + 1 == n) {
    if constexpr (defect) {
      twos[i] = 0;  // DEFECT
    } else {
      words[2 * i] = 0;
    }
  }
}

// An optional result that was not asked for.
template <bool defect>
__global__ void write_to_null(const unsigned* in, unsigned* sum, unsigned* largest) {
  const unsigned value = in[threadIdx.x];
  atomicAdd(sum, value);
  if ((defect || largest) && threadIdx.x + 1 == blockDim.x) *largest = value;  // DEFECT
}

// The argument is a pointer to the host's memory in the one case, and a copy on the device in the other.
template <bool defect>
__global__ void scale_by_pointer(const float* factor, float* data) {
  const float scale = *factor;  // DEFECT
  for (unsigned i = threadIdx.x; i < 40; i += blockDim.x) data[i] *= scale;
}

// Letters outside of ASCII are negative as signed char.
template <bool defect>
__global__ void count_letters(const signed char* text, unsigned n, unsigned* bins) {
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
    const int letter = defect ? text[i] : static_cast<unsigned char>(text[i]);
    if (letter != ' ') atomicAdd(bins + letter, 1u);  // DEFECT
  }
}

// Keeps a pointer from one launch to the next in a table on the device.
template <bool defect>
__global__ void follow_table(unsigned* const* table, unsigned* out) {
  const unsigned* const row = table[blockIdx.x];
  out[blockIdx.x] = row[threadIdx.x];  // DEFECT
}

// A picture that is wider than high, with its two extents mixed up.
template <bool defect>
__global__ void invert_picture(const unsigned char* pixels, unsigned width, unsigned height,
                               unsigned char* out) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const unsigned char pixel = pixels[defect ? x * width + y : y * width + x];  // DEFECT
  out[y * width + x] = static_cast<unsigned char>(255 - pixel);
}

BOTH(read_past_end, const unsigned*, unsigned, unsigned*);
BOTH(write_past_end, unsigned, unsigned*);
BOTH(count_past_end, const unsigned*, unsigned*);
BOTH(read_before_start, const int*, int*);
BOTH(tile_too_small, const unsigned*, unsigned*);
BOTH(carve_dynamic, unsigned*);
BOTH(misaligned_pairs, const unsigned*, uint2*);
BOTH(misaligned_field, unsigned char*, const int*);
BOTH(misaligned_atomic, unsigned*);
BOTH(copy_by_sixteen, const uint4*, unsigned, uint4*);
BOTH(clear_by_eight, unsigned*, unsigned);
BOTH(write_to_null, const unsigned*, unsigned*, unsigned*);
BOTH(scale_by_pointer, const float*, float*);
BOTH(count_letters, const signed char*, unsigned, unsigned*);
BOTH(follow_table, unsigned* const*, unsigned*);
BOTH(invert_picture, const unsigned char*, unsigned, unsigned, unsigned char*);
