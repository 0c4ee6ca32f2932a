// SPDX-License-Identifier: MIT
// Kernels that show one way each of using memory. nvcc and the simulator's compiler must issue the same
// memory instructions for them: sizes that matter arrive as the argument `parameter`, every value that is
// loaded reaches `out`, and loops that lanes leave at different times are not unrolled.
//
// `in` and `out` hold `elements` words; what a launch needs of them is for launches.txt to keep below that.
#if defined(WORKBOOK_SIMULATOR)
#include "simulator/cuda/cuda.hpp"
#endif

#include "kernels.hpp"

#if defined(__CUDACC__)
#define NOT_UNROLLED _Pragma("unroll 1")
#else
#define NOT_UNROLLED
#endif

namespace golden {

namespace {

enum class AtomicFunction { sub, min, max, bitwise_or, bitwise_xor, increment, add_two, add_parameter };

constexpr unsigned last = elements - 1;  // also the mask of a valid index

__device__ inline unsigned rank() { return blockIdx.x * blockDim.x + threadIdx.x; }

// --- Global memory

__global__ void strided_load(const unsigned* in, unsigned* out, unsigned stride) {
  out[rank()] = in[rank() * stride & last];
}

__global__ void strided_store(const unsigned* in, unsigned* out, unsigned stride) {
  out[rank() * stride] = in[rank()];
}

__global__ void shifted_copy(const unsigned* in, unsigned* out, unsigned distance) {
  out[rank() + distance] = in[rank() + distance];
}

// T: 1 to 16 bytes, loaded and stored as one.
template <class T>
__global__ void copy_of(const unsigned* in, unsigned* out, unsigned stride) {
  reinterpret_cast<T*>(out)[rank() * stride] = reinterpret_cast<const T*>(in)[rank() * stride];
}

__global__ void sum_of_pairs(const unsigned* in, unsigned* out, unsigned stride) {
  const uint2 pair = reinterpret_cast<const uint2*>(in)[rank() * stride];
  out[rank()] = pair.x + pair.y;
}

__global__ void sum_of_quads(const unsigned* in, unsigned* out, unsigned stride) {
  const uint4 quad = reinterpret_cast<const uint4*>(in)[rank() * stride];
  out[rank()] = quad.x + quad.y + quad.z + quad.w;
}

// From anywhere among `words` words.
__global__ void gather(const unsigned* in, unsigned* out, unsigned words) {
  out[rank()] = in[in[rank()] & (words - 1)];
}

// --- Control flow

__global__ void conditional_copy(const unsigned* in, unsigned* out, unsigned one_of) {
  if (in[rank()] % one_of == 0) out[rank()] = in[(rank() + 1000) & last];
}

__global__ void divergent_loop(const unsigned* in, unsigned* out, unsigned trips_below) {
  const unsigned trips = in[rank()] % trips_below;
  unsigned sum = 0;
  NOT_UNROLLED
  for (unsigned k = 0; k < trips; ++k) sum += in[(rank() + k * 977) & last];
  out[rank()] = sum;
}

__global__ void divergent_nested_loops(const unsigned* in, unsigned* out, unsigned trips_below) {
  const unsigned trips = in[rank()] % trips_below;
  unsigned sum = 0;
  NOT_UNROLLED
  for (unsigned k = 0; k < trips; ++k) {
    const unsigned inner_trips = in[(rank() + k * 977) & last] % trips_below;
    NOT_UNROLLED
    for (unsigned m = 0; m < inner_trips; ++m) sum += in[(rank() + k * 977 + m * 131) & last];
  }
  out[rank()] = sum;
}

__global__ void divergent_branches(const unsigned* in, unsigned* out, unsigned trips) {
  const unsigned threads = gridDim.x * blockDim.x;
  if (in[rank()] & 1) {
    unsigned sum = 0;
    NOT_UNROLLED
    for (unsigned k = 0; k < trips; ++k) sum += in[(rank() + k * 977) & last];
    out[rank()] = sum;
  } else {
    NOT_UNROLLED
    for (unsigned k = 0; k < trips; ++k) out[rank() + k * threads] = k;
  }
}

__global__ void early_return(const unsigned* in, unsigned* out, unsigned rounds) {
  const unsigned threads = gridDim.x * blockDim.x;
  NOT_UNROLLED
  for (unsigned k = 0; k < rounds; ++k) {
    const unsigned value = in[rank() + k * threads];
    if (value % 4 == 0) return;
    out[rank() + k * threads] = value;
  }
}

// --- Shared memory

__global__ void transpose_directly(const unsigned* in, unsigned* out, unsigned tiles) {
  const unsigned width = 32 * tiles, column = threadIdx.x % 32;
  const unsigned x = blockIdx.x % tiles * 32 + column, y = blockIdx.x / tiles * 32;
  for (unsigned row = threadIdx.x / 32; row < 32; row += blockDim.x / 32)
    out[x * width + y + row] = in[(y + row) * width + x];
}

// A square of `tiles` times `tiles` tiles, one for each block.
template <unsigned padding>
__global__ void transpose(const unsigned* in, unsigned* out, unsigned tiles) {
  __shared__ unsigned tile[32][32 + padding];
  const unsigned width = 32 * tiles, column = threadIdx.x % 32;
  const unsigned x = blockIdx.x % tiles * 32, y = blockIdx.x / tiles * 32;
  for (unsigned row = threadIdx.x / 32; row < 32; row += blockDim.x / 32)
    tile[row][column] = in[(y + row) * width + x + column];
  __syncthreads();
  for (unsigned row = threadIdx.x / 32; row < 32; row += blockDim.x / 32)
    out[(x + row) * width + y + column] = tile[column][row];
}

// The sum of 7 neighbours, all of whom a block brings into shared memory; beyond `length` there are zeros.
__global__ void stencil(const unsigned* in, unsigned* out, unsigned length) {
  constexpr unsigned radius = 3;
  __shared__ unsigned tile[1024 + 2 * radius];
  const unsigned at = threadIdx.x + radius;
  tile[at] = rank() < length ? in[rank()] : 0;
  if (threadIdx.x < radius) {
    tile[threadIdx.x] = rank() >= radius ? in[rank() - radius] : 0;
    tile[at + blockDim.x] = rank() + blockDim.x < length ? in[rank() + blockDim.x] : 0;
  }
  __syncthreads();
  unsigned sum = 0;
  for (unsigned k = 0; k <= 2 * radius; ++k) sum += tile[threadIdx.x + k];
  if (rank() < length) out[rank()] = sum;
}

__global__ void reduce_interleaved(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned values[1024];
  values[threadIdx.x] = in[rank()];
  __syncthreads();
  NOT_UNROLLED
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (threadIdx.x % (2 * stride) == 0) values[threadIdx.x] += values[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = values[0];
}

__global__ void reduce_sequential(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned values[1024];
  values[threadIdx.x] = in[rank()];
  __syncthreads();
  NOT_UNROLLED
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) values[threadIdx.x] += values[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = values[0];
}

__device__ inline unsigned warp_sum(unsigned value) {
  for (unsigned distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}

__global__ void reduce_by_shuffle(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned sums[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned sum = warp_sum(in[rank()]);
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  if (warp > 0) return;
  const unsigned total = warp_sum(lane < blockDim.x / 32 ? sums[lane] : 0);
  if (lane == 0) out[blockIdx.x] = total;
}

// Each element becomes the sum of those up to it (Hillis and Steele).
__global__ void scan(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned values[1024];
  values[threadIdx.x] = in[rank()];
  __syncthreads();
  NOT_UNROLLED
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    const unsigned before = threadIdx.x >= distance ? values[threadIdx.x - distance] : 0;
    __syncthreads();
    values[threadIdx.x] += before;
    __syncthreads();
  }
  out[rank()] = values[threadIdx.x];
}

__global__ void shared_load(const unsigned* in, unsigned* out, unsigned stride) {
  __shared__ unsigned words[4096];
  for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) words[i] = in[i];
  __syncthreads();
  out[rank()] = words[threadIdx.x * stride % 4096];
}

// Precondition: blockDim.x * stride <= 4096.
__global__ void shared_store(const unsigned* in, unsigned* out, unsigned stride) {
  __shared__ unsigned words[4096];
  words[threadIdx.x * stride] = in[rank()];
  __syncthreads();
  out[rank()] = words[(blockDim.x - 1 - threadIdx.x) * stride];
}

__global__ void shared_load_bytes(const unsigned* in, unsigned* out, unsigned stride) {
  __shared__ unsigned char bytes[4096];
  for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) bytes[i] = static_cast<unsigned char>(in[i]);
  __syncthreads();
  out[rank()] = bytes[threadIdx.x * stride % 4096];
}

// T: 8 or 16 bytes. Precondition: blockDim.x is a power of two.
template <class T>
__global__ void shared_load_of(const unsigned* in, unsigned* out, unsigned stride) {
  __shared__ T values[1024];
  values[threadIdx.x] = reinterpret_cast<const T*>(in)[rank()];
  __syncthreads();
  reinterpret_cast<T*>(out)[rank()] = values[threadIdx.x * stride & (blockDim.x - 1)];
}

// --- Atomics

constexpr unsigned counters = 1024;  // in shared memory

__device__ inline void clear(unsigned* words) {
  for (unsigned i = threadIdx.x; i < counters; i += blockDim.x) words[i] = 0;
  __syncthreads();
}

__device__ inline void commit(const unsigned* words, unsigned* out) {
  __syncthreads();
  for (unsigned i = threadIdx.x; i < counters; i += blockDim.x) out[blockIdx.x * counters + i] = words[i];
}

__global__ void shared_count(const unsigned* in, unsigned* out, unsigned words) {
  __shared__ unsigned counts[counters];
  clear(counts);
  atomicAdd(&counts[in[rank()] & (words - 1)], 1u);
  commit(counts, out);
}

__global__ void shared_count_strided(const unsigned*, unsigned* out, unsigned stride) {
  __shared__ unsigned counts[counters];
  clear(counts);
  atomicAdd(&counts[threadIdx.x * stride % counters], 1u);
  commit(counts, out);
}

__global__ void shared_add(const unsigned* in, unsigned* out, unsigned words) {
  __shared__ unsigned sums[counters];
  clear(sums);
  const unsigned value = in[rank()];
  atomicAdd(&sums[value & (words - 1)], value >> 16);
  commit(sums, out);
}

__global__ void shared_add_strided(const unsigned* in, unsigned* out, unsigned stride) {
  __shared__ unsigned sums[counters];
  clear(sums);
  atomicAdd(&sums[threadIdx.x * stride % counters], in[rank()]);
  commit(sums, out);
}

__global__ void shared_maximum(const unsigned* in, unsigned* out, unsigned words) {
  __shared__ unsigned maxima[counters];
  clear(maxima);
  const unsigned value = in[rank()];
  atomicMax(&maxima[value & (words - 1)], value);
  commit(maxima, out);
}

// Operations that shared memory has no instruction for, by blocks of one warp: others would come in between.
enum class Looped { sum, maximum, bits, none };

template <class T, Looped operation>
__global__ void shared_cas_loop(const unsigned* in, unsigned* out, unsigned words) {
  constexpr unsigned all = 64;
  __shared__ T values[all];
  for (unsigned i = threadIdx.x; i < all; i += blockDim.x) values[i] = 0;
  __syncthreads();
  const unsigned value = in[rank()];
  T* const word = &values[value & (words - 1)];
  if constexpr (operation == Looped::sum) atomicAdd(word, static_cast<T>(value >> 16));
  if constexpr (operation == Looped::maximum) atomicMax(word, static_cast<T>(value >> 16));
  if constexpr (operation == Looped::bits) atomicOr(word, static_cast<T>(value >> 16));
  // For comparison: shared memory has an instruction for this one.
  if constexpr (operation == Looped::none) atomicExch(word, static_cast<T>(value & (words - 1)));
  __syncthreads();
  out[rank()] = static_cast<unsigned>(values[threadIdx.x % all]);
}

__global__ void shared_tickets(const unsigned* in, unsigned* out, unsigned words) {
  __shared__ unsigned next[counters];
  clear(next);
  out[rank()] = atomicAdd(&next[in[rank()] & (words - 1)], 1u);
}

// The words are 0, not 1, and stay so: which thread comes first does not matter.
__global__ void shared_compare_and_swap(const unsigned* in, unsigned* out, unsigned words) {
  __shared__ unsigned targets[counters];
  clear(targets);
  const unsigned value = in[rank()];
  out[rank()] = value + atomicCAS(&targets[value & (words - 1)], 1u, value);
}

// --- Atomics on one word of shared memory by many lanes. What the compiler knows decides how the warp goes
// about it: the place may be the same for all by what is written, or only in fact.

enum class Place {
  constant,
  of_loop,
  of_block,
  of_warp,
  of_parameter,
  of_load,  // what all load from the same place
  of_vote,
  of_shuffle,  // from one lane
  of_branch,   // that all take together
  of_parting_branch,
  of_parting_loop,  // which lanes leave after other numbers of rounds
};

// `value`: the lane's; `loop`: the number of the round.
template <Place place>
__device__ inline unsigned place_of(const unsigned* in, unsigned value, unsigned parameter, unsigned loop) {
  switch (place) {
    case Place::constant:
      return 5;
    case Place::of_loop:
    case Place::of_parting_loop:
      return loop;
    case Place::of_block:
      return blockIdx.x % 8;
    case Place::of_warp:
      return threadIdx.x / 32;
    case Place::of_parameter:
      return parameter;
    case Place::of_load:
      return in[blockIdx.x] % 8;
    case Place::of_vote:
      return __ballot_sync(~0u, value % 3 == 0) % 8;
    case Place::of_shuffle:
      return __shfl_sync(~0u, value, 3) % 8;
    case Place::of_branch:
      return parameter + blockIdx.x > 8 ? in[blockIdx.x + 40] % 8 : 3;
    case Place::of_parting_branch:
      return value % 5 == 0 ? in[blockIdx.x + 40] % 8 : 3;
  }
  return 0;
}

// One of so many lanes takes part.
template <Place place>
__global__ void shared_sum_in_place(const unsigned* in, unsigned* out, unsigned one_of) {
  __shared__ unsigned words[64];
  if (threadIdx.x < 64) words[threadIdx.x] = 0;
  __syncthreads();
  const unsigned value = in[rank()];
  const unsigned rounds = place == Place::of_loop ? 7 : place == Place::of_parting_loop ? value % 7 : 1;
  NOT_UNROLLED
  for (unsigned k = 0; k < rounds; ++k) {
    const unsigned at = place_of<place>(in, value, one_of, k);
    if ((value >> k) % one_of == 0) atomicAdd(&words[at], value % 16);
  }
  __syncthreads();
  if (threadIdx.x < 64) out[blockIdx.x * 64 + threadIdx.x] = words[threadIdx.x];
}

// What the word held before is used. (Which lane finds what is not said: only that it is less than the end.)
template <AtomicFunction function>
__global__ void shared_change_and_use_in_place(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned words[64];
  if (threadIdx.x < 64) words[threadIdx.x] = 100;
  __syncthreads();
  const unsigned value = in[rank()] % 4096;
  const unsigned before = function == AtomicFunction::max       ? atomicMax(&words[5], value)
                          : function == AtomicFunction::add_two ? atomicAdd(&words[5], 2)
                                                                : atomicAdd(&words[5], value);
  __syncthreads();
  out[rank()] = before <= words[5];
}

template <AtomicFunction function>
__global__ void shared_change_in_place(const unsigned* in, unsigned* out, unsigned one_of) {
  __shared__ unsigned words[64];
  if (threadIdx.x < 64) words[threadIdx.x] = 100;
  __syncthreads();
  const unsigned value = in[rank()] % 4096;
  if (value % one_of == 0) {
    if (function == AtomicFunction::sub) atomicSub(&words[5], value);
    if (function == AtomicFunction::min) atomicMin(&words[5], value);
    if (function == AtomicFunction::max) atomicMax(&words[5], value);
    if (function == AtomicFunction::bitwise_or) atomicOr(&words[5], value);
    if (function == AtomicFunction::bitwise_xor) atomicXor(&words[5], value);
    if (function == AtomicFunction::increment) atomicInc(&words[5], 1000000);
    if (function == AtomicFunction::add_two) atomicAdd(&words[5], 2);
    if (function == AtomicFunction::add_parameter) atomicAdd(&words[5], one_of);
  }
  __syncthreads();
  if (threadIdx.x < 64) out[blockIdx.x * 64 + threadIdx.x] = words[threadIdx.x];
}

// --- Neighbours in shared memory, one by one

// Two or four words that belong together are cleared, changed and read by one thread.
template <unsigned count>
__global__ void shared_neighbours(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned words[256 * count];
  const unsigned value = in[rank()], own = threadIdx.x * count, other = (threadIdx.x ^ 1) * count;
  words[own] = value;
  words[own + 1] = value + 1;
  if constexpr (count == 4) {
    words[own + 2] = value + 2;
    words[own + 3] = value + 3;
  }
  __syncthreads();
  unsigned sum = words[other] + (words[other + 1] << 1);
  if constexpr (count == 4) sum += (words[other + 2] << 2) + (words[other + 3] << 3);
  out[rank()] = sum;
}

__global__ void global_count(const unsigned* in, unsigned* out, unsigned words) {
  atomicAdd(&out[in[rank()] & (words - 1)], 1u);
}

__global__ void global_add(const unsigned* in, unsigned* out, unsigned words) {
  const unsigned value = in[rank()];
  if (value % 8 != 0) atomicAdd(&out[value & (words - 1)], value >> 16);
}

__global__ void global_tickets(const unsigned* in, unsigned* out, unsigned words) {
  out[words + rank()] = atomicAdd(&out[in[rank()] & (words - 1)], 1u);
}

// A loop of compare-and-swaps, in which lanes of a warp want the same of its `words` words.
__device__ void add_by_swaps(unsigned* word) {
  unsigned seen = *word, assumed;
  do {
    assumed = seen;
    seen = atomicCAS(word, assumed, assumed + 1);
  } while (seen != assumed);
}

__global__ void shared_swaps(const unsigned* in, unsigned* out, unsigned words) {
  __shared__ unsigned counts[1024];
  counts[threadIdx.x] = 0;
  __syncthreads();
  add_by_swaps(&counts[threadIdx.x / 32 * 32 + in[rank()] % words]);
  __syncthreads();
  out[rank()] = counts[threadIdx.x];
}

__global__ void global_swaps(const unsigned* in, unsigned* out, unsigned words) {
  add_by_swaps(&out[rank() / 32 * 32 + in[rank()] % words]);
}

// Each thread 16 times, so that lanes of a warp drift apart in the loop; a warp's words are its own.
__global__ void repeated_swaps(const unsigned* in, unsigned* out, unsigned words) {
  __shared__ unsigned counts[32 * 64];
  for (unsigned i = threadIdx.x; i < 32 * 64; i += blockDim.x) counts[i] = 0;
  __syncthreads();
  const unsigned threads = gridDim.x * blockDim.x;
  for (unsigned i = rank(); i < 16 * threads; i += threads)
    add_by_swaps(&counts[threadIdx.x / 32 * 64 + in[i] % words]);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 32 * 64; i += blockDim.x) out[blockIdx.x * 32 * 64 + i] = counts[i];
}

// A number goes to the first place that is free or has it, from the one where it belongs.
__global__ void repeated_probes(const unsigned* in, unsigned* out, unsigned places) {
  __shared__ unsigned keys[32 * 64], counts[32 * 64];
  for (unsigned i = threadIdx.x; i < 32 * 64; i += blockDim.x) keys[i] = counts[i] = 0;
  __syncthreads();
  const unsigned threads = gridDim.x * blockDim.x, table = threadIdx.x / 32 * 64;
  for (unsigned i = rank(); i < 16 * threads; i += threads) {
    const unsigned key = in[i] % 48 + 1;
    unsigned place = key * 2654435761u >> 16 & (places - 1);
    for (;;) {
      const unsigned found = atomicCAS(&keys[table + place], 0u, key);
      if (found == 0 || found == key) break;
      place = (place + 1) & (places - 1);
    }
    atomicAdd(&counts[table + place], 1u);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 32 * 64; i += blockDim.x) out[blockIdx.x * 32 * 64 + i] = counts[i];
}

// --- How they are launched

#if defined(__CUDACC__)

template <void (*kernel)(const unsigned*, unsigned*, unsigned)>
void launch(unsigned grid, unsigned block, const unsigned* in, unsigned* out, unsigned parameter,
            runner::LaunchOutcome& outcome) {
  kernel<<<grid, block>>>(in, out, parameter);
  outcome.error = cudaGetLastError();
}

#else

struct Arguments {
  const unsigned* in;
  unsigned* out;
  unsigned parameter;
};

// Not instrumented, as in exercise/kernel_entry.hpp.
template <void (*kernel)(const unsigned*, unsigned*, unsigned)>
#undef no_sanitize
__attribute__((no_sanitize("thread"), noinline)) void run_thread(const void* arguments) {
  const auto& [in, out, parameter] = *static_cast<const Arguments*>(arguments);
  kernel(in, out, parameter);
}

template <void (*kernel)(const unsigned*, unsigned*, unsigned)>
void launch(unsigned grid, unsigned block, const unsigned* in, unsigned* out, unsigned parameter,
            runner::LaunchOutcome& outcome) {
  const Arguments arguments{in, out, parameter};
  outcome.result = simulator::launch({grid, block}, {&run_thread<kernel>, &arguments});
}

#endif

const Kernel kernels[] = {
    {"strided_load_0", 0, &launch<strided_load>},
    {"strided_load_1", 1, &launch<strided_load>},
    {"strided_load_2", 2, &launch<strided_load>},
    {"strided_load_3", 3, &launch<strided_load>},
    {"strided_load_8", 8, &launch<strided_load>},
    {"strided_load_32", 32, &launch<strided_load>},
    {"strided_store_2", 2, &launch<strided_store>},
    {"strided_store_9", 9, &launch<strided_store>},
    {"shifted_copy_1", 1, &launch<shifted_copy>},
    {"shifted_copy_12", 12, &launch<shifted_copy>},
    {"copy_bytes", 1, &launch<copy_of<unsigned char>>},
    {"copy_bytes_strided", 5, &launch<copy_of<unsigned char>>},
    {"copy_halves", 1, &launch<copy_of<unsigned short>>},
    {"copy_pairs", 1, &launch<copy_of<uint2>>},
    {"copy_pairs_strided", 3, &launch<copy_of<uint2>>},
    {"copy_quads", 1, &launch<copy_of<uint4>>},
    {"copy_quads_strided", 3, &launch<copy_of<uint4>>},
    {"sum_of_pairs", 1, &launch<sum_of_pairs>},
    {"sum_of_quads", 1, &launch<sum_of_quads>},
    {"gather_32", 32, &launch<gather>},
    {"gather_4096", 4096, &launch<gather>},
    {"gather_all", elements, &launch<gather>},
    {"conditional_copy_2", 2, &launch<conditional_copy>},
    {"conditional_copy_40", 40, &launch<conditional_copy>},
    {"divergent_loop", 17, &launch<divergent_loop>},
    {"divergent_nested_loops", 6, &launch<divergent_nested_loops>},
    {"divergent_branches", 5, &launch<divergent_branches>},
    {"early_return", 12, &launch<early_return>},
    {"transpose_directly", 8, &launch<transpose_directly>},
    {"transpose", 8, &launch<transpose<0>>},
    {"transpose_padded", 8, &launch<transpose<1>>},
    {"stencil", 16380, &launch<stencil>},
    {"reduce_interleaved", 0, &launch<reduce_interleaved>},
    {"reduce_sequential", 0, &launch<reduce_sequential>},
    {"reduce_by_shuffle", 0, &launch<reduce_by_shuffle>},
    {"scan", 0, &launch<scan>},
    {"shared_load_0", 0, &launch<shared_load>},
    {"shared_load_1", 1, &launch<shared_load>},
    {"shared_load_2", 2, &launch<shared_load>},
    {"shared_load_4", 4, &launch<shared_load>},
    {"shared_load_8", 8, &launch<shared_load>},
    {"shared_load_32", 32, &launch<shared_load>},
    {"shared_load_33", 33, &launch<shared_load>},
    {"shared_store_2", 2, &launch<shared_store>},
    {"shared_store_16", 16, &launch<shared_store>},
    {"shared_load_bytes_1", 1, &launch<shared_load_bytes>},
    {"shared_load_bytes_64", 64, &launch<shared_load_bytes>},
    {"shared_load_pairs_0", 0, &launch<shared_load_of<uint2>>},
    {"shared_load_pairs_1", 1, &launch<shared_load_of<uint2>>},
    {"shared_load_pairs_2", 2, &launch<shared_load_of<uint2>>},
    {"shared_load_quads_0", 0, &launch<shared_load_of<uint4>>},
    {"shared_load_quads_1", 1, &launch<shared_load_of<uint4>>},
    {"shared_load_quads_2", 2, &launch<shared_load_of<uint4>>},
    {"shared_count_1", 1, &launch<shared_count>},
    {"shared_count_8", 8, &launch<shared_count>},
    {"shared_count_1024", 1024, &launch<shared_count>},
    {"shared_count_strided_2", 2, &launch<shared_count_strided>},
    {"shared_count_strided_32", 32, &launch<shared_count_strided>},
    {"shared_add_1", 1, &launch<shared_add>},
    {"shared_add_8", 8, &launch<shared_add>},
    {"shared_add_1024", 1024, &launch<shared_add>},
    {"shared_add_strided_1", 1, &launch<shared_add_strided>},
    {"shared_add_strided_32", 32, &launch<shared_add_strided>},
    {"shared_maximum_8", 8, &launch<shared_maximum>},
    {"shared_float_sum_1", 1, &launch<shared_cas_loop<float, Looped::sum>>},
    {"shared_float_sum_8", 8, &launch<shared_cas_loop<float, Looped::sum>>},
    {"shared_float_sum_64", 64, &launch<shared_cas_loop<float, Looped::sum>>},
    {"shared_double_sum_8", 8, &launch<shared_cas_loop<double, Looped::sum>>},
    {"shared_long_sum_1", 1, &launch<shared_cas_loop<unsigned long long, Looped::sum>>},
    {"shared_long_sum_8", 8, &launch<shared_cas_loop<unsigned long long, Looped::sum>>},
    {"shared_long_sum_64", 64, &launch<shared_cas_loop<unsigned long long, Looped::sum>>},
    {"shared_long_bits_8", 8, &launch<shared_cas_loop<unsigned long long, Looped::bits>>},
    {"shared_long_maximum_1", 1, &launch<shared_cas_loop<unsigned long long, Looped::maximum>>},
    {"shared_long_maximum_8", 8, &launch<shared_cas_loop<unsigned long long, Looped::maximum>>},
    {"shared_long_exchange_1", 1, &launch<shared_cas_loop<unsigned long long, Looped::none>>},
    {"shared_long_exchange_8", 8, &launch<shared_cas_loop<unsigned long long, Looped::none>>},
    {"shared_long_exchange_64", 64, &launch<shared_cas_loop<unsigned long long, Looped::none>>},
    {"shared_float_sum_16", 16, &launch<shared_cas_loop<float, Looped::sum>>},
    {"shared_double_sum_64", 64, &launch<shared_cas_loop<double, Looped::sum>>},
    {"shared_long_bits_64", 64, &launch<shared_cas_loop<unsigned long long, Looped::bits>>},
    {"shared_long_maximum_64", 64, &launch<shared_cas_loop<unsigned long long, Looped::maximum>>},
    {"shared_signed_maximum_8", 8, &launch<shared_cas_loop<long long, Looped::maximum>>},
    {"shared_tickets_8", 8, &launch<shared_tickets>},
    {"shared_compare_and_swap_8", 8, &launch<shared_compare_and_swap>},
    {"shared_sum_in_place", 1, &launch<shared_sum_in_place<Place::constant>>},
    {"shared_sum_in_place_by_some", 3, &launch<shared_sum_in_place<Place::constant>>},
    {"shared_sum_of_loop", 1, &launch<shared_sum_in_place<Place::of_loop>>},
    {"shared_sum_of_loop_by_some", 3, &launch<shared_sum_in_place<Place::of_loop>>},
    {"shared_sum_of_block", 1, &launch<shared_sum_in_place<Place::of_block>>},
    {"shared_sum_of_warp", 1, &launch<shared_sum_in_place<Place::of_warp>>},
    {"shared_sum_of_parameter", 3, &launch<shared_sum_in_place<Place::of_parameter>>},
    {"shared_sum_of_load", 3, &launch<shared_sum_in_place<Place::of_load>>},
    {"shared_sum_of_vote", 3, &launch<shared_sum_in_place<Place::of_vote>>},
    {"shared_sum_of_shuffle", 3, &launch<shared_sum_in_place<Place::of_shuffle>>},
    {"shared_sum_of_branch", 3, &launch<shared_sum_in_place<Place::of_branch>>},
    {"shared_sum_of_parting_branch", 3, &launch<shared_sum_in_place<Place::of_parting_branch>>},
    {"shared_sum_of_parting_loop", 3, &launch<shared_sum_in_place<Place::of_parting_loop>>},
    {"shared_sum_used", 1, &launch<shared_change_and_use_in_place<AtomicFunction::add_parameter>>},
    {"shared_maximum_used", 1, &launch<shared_change_and_use_in_place<AtomicFunction::max>>},
    {"shared_add_two_used", 1, &launch<shared_change_and_use_in_place<AtomicFunction::add_two>>},
    {"shared_subtract_in_place", 3, &launch<shared_change_in_place<AtomicFunction::sub>>},
    {"shared_minimum_in_place", 3, &launch<shared_change_in_place<AtomicFunction::min>>},
    {"shared_maximum_in_place", 3, &launch<shared_change_in_place<AtomicFunction::max>>},
    {"shared_or_in_place", 3, &launch<shared_change_in_place<AtomicFunction::bitwise_or>>},
    {"shared_xor_in_place", 3, &launch<shared_change_in_place<AtomicFunction::bitwise_xor>>},
    {"shared_increment_in_place", 3, &launch<shared_change_in_place<AtomicFunction::increment>>},
    {"shared_add_two_in_place", 3, &launch<shared_change_in_place<AtomicFunction::add_two>>},
    {"shared_add_parameter_in_place", 3, &launch<shared_change_in_place<AtomicFunction::add_parameter>>},
    {"shared_neighbours_2", 0, &launch<shared_neighbours<2>>},
    {"shared_neighbours_4", 0, &launch<shared_neighbours<4>>},
    {"global_count_1", 1, &launch<global_count>},
    {"global_count_4096", 4096, &launch<global_count>},
    {"global_add_64", 64, &launch<global_add>},
    {"global_tickets_64", 64, &launch<global_tickets>},
    {"shared_swaps_1", 1, &launch<shared_swaps>},
    {"shared_swaps_5", 5, &launch<shared_swaps>},
    {"shared_swaps_32", 32, &launch<shared_swaps>},
    {"repeated_swaps_1", 1, &launch<repeated_swaps>},
    {"repeated_swaps_8", 8, &launch<repeated_swaps>},
    {"repeated_swaps_64", 64, &launch<repeated_swaps>},
    {"repeated_probes_64", 64, &launch<repeated_probes>},
    {"global_swaps_1", 1, &launch<global_swaps>},
    {"global_swaps_5", 5, &launch<global_swaps>},
};

}  // namespace

const Kernel* find_kernel(std::string_view name) {
  for (const Kernel& kernel : kernels) {
    if (name == kernel.name) return &kernel;
  }
  return nullptr;
}

}  // namespace golden
