// SPDX-License-Identifier: MIT
// Measures on this machine's GPU what the timing model needs to know of one: latencies, throughputs, and what
// contention costs. Prints one JSON document per line: {"schema":1,"kind":"calibration","gpu":…,"what":…, the
// setting, and what was found: "cycles" of a multiprocessor for each request, "ns" for a launch}. A few
// seconds for all parts; with arguments, the parts of these names (`main`).
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

void need(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "calibrate: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

constexpr unsigned samples = 7;
cudaDeviceProp device;
double clock_mhz;

// The median of several launches, in nanoseconds, after one that is not counted.
double time_ns(const std::function<void()>& launch) {
  cudaEvent_t begin, end;
  need(cudaEventCreate(&begin));
  need(cudaEventCreate(&end));
  launch();
  std::vector<float> times;
  for (unsigned i = 0; i < samples; ++i) {
    need(cudaEventRecord(begin));
    launch();
    need(cudaEventRecord(end));
    need(cudaEventSynchronize(end));
    float ms = 0;
    need(cudaEventElapsedTime(&ms, begin, end));
    times.push_back(ms);
  }
  need(cudaGetLastError());
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  std::sort(times.begin(), times.end());
  return times[times.size() / 2] * 1e6;
}

using Setting = std::vector<std::pair<const char*, double>>;

// How each line begins.
std::string head(const char* what) {
  char text[400];
  std::snprintf(
      text, sizeof text,
      "{\"schema\":1,\"kind\":\"calibration\",\"gpu\":\"%s\",\"multiprocessors\":%d,\"clock_mhz\":%.0f,"
      "\"what\":\"%s\"",
      device.name, device.multiProcessorCount, clock_mhz, what);
  return text;
}

void say(const char* what, const Setting& setting, const char* unit, double value) {
  std::printf("%s", head(what).c_str());
  for (const auto& [key, number] : setting) std::printf(",\"%s\":%.10g", key, number);
  std::printf(",\"%s\":%.6g}\n", unit, value);
  std::fflush(stdout);
}

unsigned multiprocessors() { return static_cast<unsigned>(device.multiProcessorCount); }
double cycles(double ns) { return ns * clock_mhz * 1e-3; }

__device__ unsigned sink;

__global__ void spin(long long ticks, unsigned long long* result) {
  unsigned long long begin, end;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  const long long start = clock64();
  while (clock64() - start < ticks) {
  }
  const long long stop = clock64();
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(end));
  result[0] = end - begin;
  result[1] = static_cast<unsigned long long>(stop - start);
}

double measured_clock_mhz() {
  unsigned long long* result;
  need(cudaMallocManaged(&result, 16));
  double mhz = 0;
  for (int i = 0; i < 3; ++i) {
    spin<<<multiprocessors(), 256>>>(40'000'000, result);
    need(cudaDeviceSynchronize());
    mhz = 1e3 * static_cast<double>(result[1]) / static_cast<double>(result[0]);
  }
  cudaFree(result);
  return mhz;
}

// --- latencies: one thread follows a chain

enum class Through { l1, l2, shared };

template <Through through>
__global__ void chase(const unsigned* chain, unsigned begin_at, unsigned words, unsigned steps,
                      long long* ticks) {
  __shared__ unsigned copy[through == Through::shared ? 1024 : 1];
  if (through == Through::shared) {
    for (unsigned i = 0; i < 1024; ++i) copy[i] = (i + 33) % 1024;
  }
  unsigned at = begin_at;
  const auto follow = [&] {
    if (through == Through::shared)
      at = copy[at];
    else if (through == Through::l1)
      at = __ldca(chain + at);
    else
      at = __ldcg(chain + at);
  };
  if (through == Through::l1)
    for (unsigned i = 0; i < words / 32; ++i) follow();
  const long long begin = clock64();
  for (unsigned i = 0; i < steps; ++i) follow();
  const long long end = clock64();
  if (at == ~0u) sink = at;
  *ticks = (end - begin) / steps;
}

__global__ void fill_chain(unsigned* chain, std::size_t words, std::size_t stride) {
  const std::size_t count = words / stride;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x)
    chain[i * stride] =
        static_cast<unsigned>((i + 12'345'677) % count * stride);  // prime: every element comes
}

template <Through through>
__global__ void chase_atomic(unsigned* word, unsigned steps, long long* ticks) {
  __shared__ unsigned copy;
  unsigned* const own = through == Through::shared ? &copy : word;
  *own = 0;
  unsigned at = 0;
  const long long begin = clock64();
  for (unsigned i = 0; i < steps; ++i) at = atomicAdd(own, at & 1);
  const long long end = clock64();
  if (at == ~0u) sink = at;
  *ticks = (end - begin) / steps;
}

void latencies(unsigned* memory, std::size_t bytes) {
  long long* ticks;
  need(cudaMallocManaged(&ticks, 8));
  const auto one = [&](const char* what, auto kernel, std::size_t footprint, std::size_t stride,
                       unsigned steps, bool from_dram = false) {
    fill_chain<<<1024, 256>>>(memory, footprint / 4, stride / 4);
    const auto words = static_cast<unsigned>(footprint / 4);
    // The second launch of two that begin alike finds in L2 what the first has brought there; of DRAM the
    // other half of the chain.
    for (unsigned i = 0; i < 2; ++i)
      kernel<<<1, 1>>>(memory, from_dram ? i * (words / 2) : 0, words, steps, ticks);
    need(cudaDeviceSynchronize());
    say("latency", {{"bytes", double(footprint)}}, what, double(*ticks));
  };
  one("shared_cycles", chase<Through::shared>, 4096, 128, 4096);
  one("l1_cycles", chase<Through::l1>, 16384, 128, 4096);
  one("l2_cycles", chase<Through::l2>, std::size_t{8} << 20, 4096, 16384);
  // more sectors than L2 holds
  one("dram_cycles", chase<Through::l2>, bytes, 256, 16384, true);
  for (int i = 0; i < 2; ++i) chase_atomic<Through::l2><<<1, 1>>>(memory, 4096, ticks);
  need(cudaDeviceSynchronize());
  say("latency", {}, "atomic_cycles", double(*ticks));
  for (int i = 0; i < 2; ++i) chase_atomic<Through::shared><<<1, 1>>>(memory, 4096, ticks);
  need(cudaDeviceSynchronize());
  say("latency", {}, "shared_atomic_cycles", double(*ticks));
  cudaFree(ticks);
}

// --- reading: how fast for how many loads under way

template <class Element, unsigned under_way>
__global__ void read(const Element* data, std::size_t count, unsigned rounds) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  unsigned sum = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
         i + (under_way - 1) * threads < count; i += under_way * threads) {
      Element found[under_way];
#pragma unroll
      for (unsigned k = 0; k < under_way; ++k) found[k] = __ldcg(data + i + k * threads);
#pragma unroll
      for (unsigned k = 0; k < under_way; ++k) {
        if constexpr (sizeof(Element) == 16)
          sum ^= found[k].x ^ found[k].y ^ found[k].z ^ found[k].w;
        else
          sum ^= found[k];
      }
      if (sum == 0x12345678u) sink = sum;  // each round waits for what it has loaded
    }
  }
}

template <class Element, unsigned under_way>
void reading(const void* memory, std::size_t bytes, unsigned rounds, const char* from) {
  for (unsigned warps : {8u, 16u, 32u, 64u}) {
    const unsigned blocks = multiprocessors() * warps / 8;
    // Fewer elements than are under way at a time: nothing would be read.
    if (bytes / sizeof(Element) < std::size_t{under_way} * blocks * 256) continue;
    const double ns = time_ns([&] {
      read<Element, under_way>
          <<<blocks, 256>>>(static_cast<const Element*>(memory), bytes / sizeof(Element), rounds);
    });
    const double total = double(bytes) * rounds;
    say(from, {{"load_bytes", double(sizeof(Element))}, {"under_way", under_way}, {"warps", double(warps)}},
        "bytes_per_cycle", total / cycles(ns) / multiprocessors());
  }
}

void readings(const void* memory) {
  constexpr std::size_t large = std::size_t{256} << 20, huge = std::size_t{1} << 30,
                        small = std::size_t{8} << 20;
  reading<unsigned char, 1>(memory, large, 1, "read_dram");
  reading<unsigned char, 2>(memory, large, 1, "read_dram");
  reading<unsigned char, 4>(memory, large, 1, "read_dram");
  reading<unsigned char, 8>(memory, large, 1, "read_dram");
  reading<unsigned char, 16>(memory, large, 1, "read_dram");
  reading<unsigned, 1>(memory, huge, 1, "read_dram");
  reading<unsigned, 4>(memory, huge, 1, "read_dram");
  reading<uint4, 1>(memory, huge, 1, "read_dram");
  reading<uint4, 4>(memory, huge, 1, "read_dram");
  reading<unsigned char, 1>(memory, small, 8, "read_l2");
  reading<unsigned char, 4>(memory, small, 8, "read_l2");
  reading<unsigned char, 16>(memory, small, 8, "read_l2");
  reading<uint4, 1>(memory, small, 32, "read_l2");
  reading<uint4, 4>(memory, small, 32, "read_l2");
}

// --- one multiprocessor: L1, shared memory, issue, barriers

constexpr unsigned repeats = 2048;

// All 32 KiB that a warp goes through stay in L1. No load is of the same address as in the turn before, or
// the compiler would leave it out. Every turn goes through the same addresses, so that of two unrolled ones
// it would leave out the second.
__global__ void l1_loads(const unsigned char* data, unsigned stride, long long* ticks) {
  const unsigned char* const own = data + (threadIdx.x % 32) * stride;
  unsigned sum = 0;
  const auto go_through = [&] {
#pragma unroll 1
    for (unsigned i = 0; i < repeats / 8; ++i) {
#pragma unroll
      for (unsigned k = 0; k < 8; ++k) sum += __ldca(own + ((i + k) % 8) * 4096);
    }
  };
  go_through();
  __syncthreads();
  const long long begin = clock64();
  go_through();
  __syncthreads();
  const long long end = clock64();
  if (sum == 0x12345678u) sink = sum;
  if (threadIdx.x == 0) *ticks = end - begin;
}

// Lane l adds to word (l / lanes_a_word) * word_stride.
template <bool increments>
__global__ void shared_atomics(unsigned lanes_a_word, unsigned word_stride, unsigned active,
                               long long* ticks) {
  __shared__ unsigned counts[1024];
  for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) counts[i] = 0;
  const unsigned lane = threadIdx.x % 32, addend = increments ? 1 : threadIdx.x | 1;
  unsigned* const own = counts + lane / lanes_a_word * word_stride % 1024;
  __syncthreads();
  const long long begin = clock64();
  if (lane < active) {
#pragma unroll 8
    for (unsigned i = 0; i < repeats; ++i) {
      if (increments)
        atomicAdd(own, 1u);
      else
        atomicAdd(own, addend);
    }
  }
  __syncthreads();
  const long long end = clock64();
  if (threadIdx.x == 0) *ticks = end - begin;
}

template <unsigned chains>
__global__ void arithmetic(unsigned a, unsigned b, long long* ticks) {
  unsigned x[chains];
  for (unsigned c = 0; c < chains; ++c) x[c] = threadIdx.x + c;
  __syncthreads();
  const long long begin = clock64();
  for (unsigned i = 0; i < repeats; i += 16) {
#pragma unroll
    for (unsigned k = 0; k < 16 / chains; ++k) {
#pragma unroll
      for (unsigned c = 0; c < chains; ++c)
        asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(x[c]) : "r"(a), "r"(b));
    }
  }
  __syncthreads();
  const long long end = clock64();
  unsigned sum = 0;
  for (unsigned c = 0; c < chains; ++c) sum ^= x[c];
  if (sum == 0x12345678u) sink = sum;
  if (threadIdx.x == 0) *ticks = end - begin;
}

__global__ void barriers(long long* ticks) {
  __syncthreads();
  const long long begin = clock64();
  for (unsigned i = 0; i < repeats; ++i) __syncthreads();
  const long long end = clock64();
  if (threadIdx.x == 0) *ticks = end - begin;
}

void one_multiprocessor(const unsigned char* memory) {
  long long* ticks;
  need(cudaMallocManaged(&ticks, 8));
  const auto took = [&](double requests) {
    need(cudaDeviceSynchronize());
    need(cudaGetLastError());
    return double(*ticks) / requests;
  };
  for (unsigned warps : {1u, 8u, 32u}) {
    for (unsigned stride : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u}) {
      for (int i = 0; i < 2; ++i) l1_loads<<<1, warps * 32>>>(memory, stride, ticks);
      say("l1_load",
          {{"lane_stride", double(stride)},
           {"lines", std::max(1.0, stride * 32 / 128.0)},
           {"warps", double(warps)}},
          "cycles", took(double(repeats) * warps));
    }
    for (bool increments : {true, false}) {
      const auto one = [&](unsigned lanes_a_word, unsigned word_stride, unsigned active) {
        for (int i = 0; i < 2; ++i) {
          if (increments)
            shared_atomics<true><<<1, warps * 32>>>(lanes_a_word, word_stride, active, ticks);
          else
            shared_atomics<false><<<1, warps * 32>>>(lanes_a_word, word_stride, active, ticks);
        }
        say(increments ? "shared_increment" : "shared_add",
            {{"lanes_a_word", double(lanes_a_word)},
             {"word_stride", double(word_stride)},
             {"active", double(active)},
             {"warps", double(warps)}},
            "cycles", took(double(repeats) * warps));
      };
      for (unsigned lanes : {1u, 2u, 4u, 8u, 16u, 32u}) one(lanes, 1, 32);
      for (unsigned stride : {2u, 4u, 8u, 16u, 32u}) one(1, stride, 32);
      for (unsigned active : {1u, 8u, 16u}) one(1, 1, active);
      for (unsigned active : {1u, 8u, 16u}) one(32, 1, active);
    }
  }
  for (unsigned warps : {1u, 2u, 4u, 8u, 16u, 32u}) {
    for (int i = 0; i < 2; ++i) arithmetic<1><<<1, warps * 32>>>(3, 5, ticks);
    say("issue", {{"chains", 1}, {"warps", double(warps)}}, "cycles", took(double(repeats) * warps));
    for (int i = 0; i < 2; ++i) arithmetic<4><<<1, warps * 32>>>(3, 5, ticks);
    say("issue", {{"chains", 4}, {"warps", double(warps)}}, "cycles", took(double(repeats) * warps));
    for (int i = 0; i < 2; ++i) barriers<<<1, warps * 32>>>(ticks);
    say("barrier", {{"warps", double(warps)}}, "cycles", took(repeats));
  }
  cudaFree(ticks);
}

// --- operations of a warp

enum class Exchange { shuffle, ballot, match_any, match_all, reduce_add, reduce_max };

// One operation after the other: each takes what the one before gave, or, with four chains, what the fourth
// before gave. `groups`: how many different values the lanes bring.
template <Exchange exchange, unsigned chains>
__global__ void exchanges(unsigned groups, long long* ticks) {
  const unsigned lane = threadIdx.x % 32;
  unsigned x[chains];
  for (unsigned c = 0; c < chains; ++c) x[c] = lane % groups + c * 64;
  const auto once = [&](unsigned value) {
    int all = 0;
    if constexpr (exchange == Exchange::shuffle) return __shfl_sync(~0u, value, (lane + 1) % 32);
    // Nobody knows that these are never 0, and the lanes keep their own values.
    if constexpr (exchange == Exchange::ballot)
      return __ballot_sync(~0u, value != ~0u) == 0 ? value + 1 : value;
    if constexpr (exchange == Exchange::match_any)
      return __match_any_sync(~0u, value) == 0 ? value + 1 : value;
    if constexpr (exchange == Exchange::match_all)
      return __match_all_sync(~0u, value, &all) == 1 ? value + 1 : value;
#if __CUDA_ARCH__ >= 800
    if constexpr (exchange == Exchange::reduce_add) return __reduce_add_sync(~0u, value);
    if constexpr (exchange == Exchange::reduce_max) return __reduce_max_sync(~0u, value);
#endif
    return value;
  };
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 4
  for (unsigned i = 0; i < repeats; i += chains) {
#pragma unroll
    for (unsigned c = 0; c < chains; ++c) x[c] = once(x[c]);
  }
  __syncthreads();
  const long long end = clock64();
  unsigned sum = 0;
  for (unsigned c = 0; c < chains; ++c) sum ^= x[c];
  if (sum == 0x12345678u) sink = sum;
  if (threadIdx.x == 0) *ticks = end - begin;
}

template <Exchange exchange, unsigned chains>
void measure_exchange(const char* name, const std::vector<unsigned>& groups) {
  long long* ticks;
  need(cudaMallocManaged(&ticks, 8));
  for (unsigned of : groups) {
    for (unsigned warps : {1u, 2u, 4u, 8u, 16u, 32u}) {
      for (int i = 0; i < 2; ++i) exchanges<exchange, chains><<<1, warps * 32>>>(of, ticks);
      need(cudaDeviceSynchronize());
      std::printf("%s,\"operation\":\"%s\"", head("exchange").c_str(), name);
      std::printf(",\"chains\":%u,\"values\":%u,\"warps\":%u,\"cycles\":%.6g}\n", chains, of, warps,
                  double(*ticks) / (double(repeats) * warps));
      std::fflush(stdout);
    }
  }
  cudaFree(ticks);
}

template <Exchange kind>
void exchange_of(const char* name, const std::vector<unsigned>& groups) {
  measure_exchange<kind, 1>(name, groups);
  measure_exchange<kind, 4>(name, groups);
}

void exchange_parts() {
  exchange_of<Exchange::shuffle>("shuffle", {32});
  exchange_of<Exchange::ballot>("ballot", {32});
  exchange_of<Exchange::match_any>("match_any", {1, 2, 4, 8, 16, 32});
  exchange_of<Exchange::match_all>("match_all", {1, 2, 32});
  if (device.major >= 8) {
    exchange_of<Exchange::reduce_add>("reduce_add", {32});
    exchange_of<Exchange::reduce_max>("reduce_max", {32});
  }
}

// --- code that is longer than what a scheduler keeps of it

// A loop of so many instructions, of 16 bytes each, four of which do not wait for each other. 4,096 is the
// most: nvcc takes minutes for longer ones.
template <unsigned count>
__global__ void straight_code(float a, float b, unsigned turns, long long* ticks) {
  float x[4] = {a, b, a + b, a - b};
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (unsigned turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (unsigned i = 0; i < count; ++i)
      asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x[i % 4]) : "f"(a), "f"(b));
  }
  __syncthreads();
  const long long end = clock64();
  const float sum = x[0] + x[1] + x[2] + x[3];
  if (sum == 12345.0f) sink = 1;
  if (threadIdx.x == 0 && blockIdx.x == 0) *ticks = end - begin;
}

template <unsigned count>
void code_of() {
  long long* ticks;
  need(cudaMallocManaged(&ticks, 8));
  const unsigned turns = std::max(8u, 65536 / count);
  for (unsigned blocks : {1u, multiprocessors()}) {
    for (unsigned warps : {1u, 4u, 8u, 16u, 32u}) {
      for (int i = 0; i < 2; ++i) straight_code<count><<<blocks, warps * 32>>>(1, 2, turns, ticks);
      need(cudaDeviceSynchronize());
      say("code", {{"instructions", double(count)}, {"blocks", double(blocks)}, {"warps", double(warps)}},
          "cycles", double(*ticks) / (double(turns) * count * warps));
    }
  }
  cudaFree(ticks);
}

void code_lengths() {
  code_of<256>();
  code_of<512>();
  code_of<768>();
  code_of<1024>();
  code_of<1536>();
  code_of<2048>();
  code_of<3072>();
  code_of<4096>();
}

// --- remainders, for which a GPU has no instruction

__global__ void remainders(unsigned divisor, long long* ticks) {
  unsigned x[2] = {threadIdx.x + 77777, threadIdx.x + 99999}, kept = 0;
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (unsigned i = 0; i < repeats; i += 2) {
    const unsigned by = divisor + i;
    for (unsigned c = 0; c < 2; ++c) kept ^= x[c] % by;
  }
  __syncthreads();
  const long long end = clock64();
  if (kept == 0x12345678u) sink = kept;
  if (threadIdx.x == 0) *ticks = end - begin;
}

void remainder_parts() {
  long long* ticks;
  need(cudaMallocManaged(&ticks, 8));
  for (unsigned warps : {1u, 4u, 8u, 16u, 32u}) {
    for (int i = 0; i < 2; ++i) remainders<<<1, warps * 32>>>(1000, ticks);
    need(cudaDeviceSynchronize());
    say("remainder", {{"warps", double(warps)}}, "cycles", double(*ticks) / (double(repeats) * warps));
  }
  cudaFree(ticks);
}

// --- global atomics whose result nobody uses, from all multiprocessors

// Warp w adds to line w % lines (w itself where lines is 0), lines lying line_stride bytes apart; lane l to
// word (l / lanes_a_word) * word_stride of it.
__global__ void global_adds(unsigned* counts, unsigned lanes_a_word, unsigned word_stride, unsigned active,
                            unsigned lines, std::size_t line_stride, unsigned times) {
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  const std::size_t line = lines ? warp % lines : warp;
  unsigned* const own = counts + line * (line_stride / 4) + lane / lanes_a_word * word_stride;
  if (lane >= active) return;
  for (unsigned i = 0; i < times; ++i) atomicAdd(own, i | 1);
}

void global_atomics(unsigned* counts) {
  const auto one = [&](unsigned blocks, unsigned lanes_a_word, unsigned word_stride, unsigned active,
                       unsigned lines, std::size_t line_stride, unsigned times) {
    const unsigned threads = 256;
    const double ns = time_ns([&] {
      global_adds<<<blocks, threads>>>(counts, lanes_a_word, word_stride, active, lines, line_stride, times);
    });
    const double requests = double(blocks) * (threads / 32) * times;
    say("global_atomic",
        {{"blocks", double(blocks)},
         {"lanes_a_word", double(lanes_a_word)},
         {"word_stride", double(word_stride)},
         {"active", double(active)},
         {"lines", double(lines)},
         {"line_stride", double(line_stride)},
         {"times", double(times)}},
        "cycles", cycles(ns) / requests);
  };
  const unsigned full = multiprocessors() * 8;
  // One line for all: the turns of a word, and sectors.
  for (unsigned lanes : {1u, 2u, 4u, 8u, 16u, 32u}) one(full, lanes, 1, 32, 1, 128, 32);
  for (unsigned stride : {2u, 4u, 8u, 16u, 32u}) one(full, 1, stride, 32, 1, 128, 32);
  for (unsigned active : {1u, 2u, 4u, 8u, 16u}) one(full, 1, 1, active, 1, 128, 64);
  // Lanes of a warp on words far apart, all warps on the same ones.
  for (unsigned lanes : {1u, 4u, 16u}) one(full, lanes, 8, 32, 1, 128, 32);
  // How many lines work side by side, and where they have to lie for that.
  for (unsigned lines : {2u, 4u, 8u, 16u, 32u, 64u, 256u, 1024u, 4096u}) one(full, 1, 1, 32, lines, 128, 32);
  for (std::size_t stride : {256u, 512u, 1024u, 4096u, 65536u}) {
    for (unsigned lines : {2u, 4u, 8u, 32u}) one(full, 1, 1, 32, lines, stride, 32);
  }
  // A line for each warp: one word, a sector, the line.
  for (unsigned active : {1u, 8u, 32u}) one(full, 1, 1, active, 0, 128, 64);
  for (unsigned lanes : {2u, 4u, 8u, 32u}) one(full, lanes, 1, 32, 0, 128, 64);
  one(full, 1, 8, 32, 0, 1024, 64);
  // Fewer warps: what one can have under way.
  for (unsigned blocks : {1u, 8u, multiprocessors(), multiprocessors() * 2, multiprocessors() * 4}) {
    one(blocks, 1, 1, 32, 1, 128, 64);
    one(blocks, 32, 1, 32, 1, 128, 64);
    one(blocks, 1, 1, 32, 0, 128, 64);
  }
}

// --- atomics that wait for each other, on one multiprocessor

// Each thread adds once, all at the same time: when each warp sent its atomic, and when it had the results.
// Thread t of those that add goes to word t % words * word_stride.
template <bool shared>
__global__ void one_atomic_each(unsigned* counts, unsigned words, unsigned word_stride, unsigned active,
                                unsigned addend, long long* sent, long long* answered) {
  __shared__ unsigned copy[shared ? 1024 : 1];
  for (unsigned i = threadIdx.x; shared && i < 1024; i += blockDim.x) copy[i] = 0;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned* const own = (shared ? copy : counts) + (warp * active + lane) % words * word_stride;
  __syncthreads();
  if (lane >= active) return;
  const long long begin = clock64();
  const unsigned old = atomicAdd(own, addend + lane);
  if (old == ~0u) *const_cast<volatile unsigned*>(&sink) = old;  // the clock waits for the result
  const long long end = clock64();
  if (lane == 0) {
    sent[warp] = begin;
    answered[warp] = end;
  }
}

void say_queue(bool shared, const Setting& setting, const std::vector<double>& sent,
               const std::vector<double>& answered) {
  const auto list = [](const std::vector<double>& numbers) {
    std::string text;
    for (double number : numbers) text += (text.empty() ? "" : ",") + std::to_string(std::lround(number));
    return text;
  };
  std::printf("%s,\"memory\":\"%s\"", head("atomic_queue").c_str(), shared ? "shared" : "global");
  for (const auto& [key, number] : setting) std::printf(",\"%s\":%.10g", key, number);
  std::printf(",\"sent_cycles\":[%s],\"answered_cycles\":[%s]}\n", list(sent).c_str(),
              list(answered).c_str());
}

// Of several launches the one whose last answer came at the median time.
void queue(unsigned* counts, bool shared, unsigned warps, unsigned active, unsigned words,
           unsigned word_stride) {
  long long* ticks;
  need(cudaMallocManaged(&ticks, 2 * 32 * sizeof(long long)));
  struct Launch {
    std::vector<double> sent, answered;  // after the first was sent
    double last;
  };
  std::vector<Launch> launches;
  for (unsigned i = 0; i <= samples; ++i) {
    const auto kernel = shared ? one_atomic_each<true> : one_atomic_each<false>;
    kernel<<<1, warps * 32>>>(counts, words, word_stride, active, 1, ticks, ticks + 32);
    need(cudaDeviceSynchronize());
    if (i == 0) continue;  // its lines may lie in DRAM
    const long long first = *std::min_element(ticks, ticks + warps);
    Launch launch;
    for (unsigned w = 0; w < warps; ++w) {
      launch.sent.push_back(double(ticks[w] - first));
      launch.answered.push_back(double(ticks[32 + w] - first));
    }
    launch.last = *std::max_element(launch.answered.begin(), launch.answered.end());
    launches.push_back(launch);
  }
  cudaFree(ticks);
  std::sort(launches.begin(), launches.end(),
            [](const Launch& a, const Launch& b) { return a.last < b.last; });
  const Launch& median = launches[launches.size() / 2];
  say_queue(shared,
            {{"warps", double(warps)},
             {"active", double(active)},
             {"words", double(words)},
             {"word_stride", double(word_stride)}},
            median.sent, median.answered);
}

void queues(unsigned* counts) {
  for (bool shared : {false, true}) {
    for (unsigned warps : {1u, 8u, 32u}) {
      for (unsigned active : {1u, 32u}) {
        queue(counts, shared, warps, active, 1, 1);
        queue(counts, shared, warps, active, 7, 1);
        if (warps * active == 1) continue;
        // One for each thread: side by side, and, of single lanes, a line apart.
        queue(counts, shared, warps, active, warps * active, 1);
        if (active == 1 && !shared) queue(counts, shared, warps, active, warps, 32);
      }
    }
  }
}

// --- blocks that count in copies of their own in global memory, and add these up

// Each thread adds to a word of its block's copy, of which `used` are in use. The block waits, loads the
// copy, and adds it to the common one, which lies in front of all copies.
template <bool adds, bool loads, bool commits>
__global__ void count_in_copies(unsigned* counts, unsigned words, unsigned used, unsigned copies) {
  unsigned* const own = counts + (std::size_t{blockIdx.x} % copies + 1) * words;
  if (adds) atomicAdd(own + threadIdx.x % used, 1u);
  __syncthreads();
  for (unsigned word = threadIdx.x; word < words; word += blockDim.x) {
    const unsigned count = loads ? own[word] : (word < used ? blockIdx.x | 1 : 0);
    if (commits && count > 0) atomicAdd(counts + word, count);
    if (!commits && count == ~0u) sink = count;
  }
}

template <bool adds, bool loads, bool commits>
void copies_of(unsigned* counts, unsigned words, unsigned used, unsigned threads, unsigned blocks,
               unsigned copies) {
  // Of the counters those in use are not 0.
  need(cudaMemset(counts, 0, (std::size_t{copies} + 1) * words * 4));
  count_in_copies<true, false, false><<<copies, 32>>>(counts, words, used, copies);
  const double ns = time_ns(
      [&] { count_in_copies<adds, loads, commits><<<blocks, threads>>>(counts, words, used, copies); });
  say("copies",
      {{"adds", adds},
       {"loads", loads},
       {"commits", commits},
       {"words", double(words)},
       {"used", double(used)},
       {"threads", double(threads)},
       {"blocks", double(blocks)},
       {"copies", double(copies)}},
      "cycles", cycles(ns) / blocks);
}

void copies(unsigned* counts) {
  for (unsigned words : {7u, 8u, 32u, 256u}) {
    for (unsigned threads : {32u, 128u, 1024u}) {
      for (bool again : {true, false}) {
        // Copies that are used again stay in L2; the others, in all, are larger.
        const unsigned blocks = (words > 32  ? 1u << 20
                                 : words > 8 ? 1u << 21
                                             : 1u << 22) /
                                (threads > 128 ? 4 : 1),
                       of = again ? 8448 : blocks;
        for (unsigned used : {1u, std::min(words, 32u)}) {
          copies_of<true, false, false>(counts, words, used, threads, blocks, of);
          copies_of<false, true, false>(counts, words, used, threads, blocks, of);
          copies_of<false, false, true>(counts, words, used, threads, blocks, of);
          copies_of<true, true, false>(counts, words, used, threads, blocks, of);
          copies_of<true, false, true>(counts, words, used, threads, blocks, of);
          copies_of<false, true, true>(counts, words, used, threads, blocks, of);
          copies_of<true, true, true>(counts, words, used, threads, blocks, of);
        }
      }
    }
  }
}

// --- atomics that are loops of compare-and-swaps in shared memory

// All warps change the same words; each word is that of `lanes_a_word` neighbouring lanes.
template <class T>
__global__ void cas_loops(unsigned lanes_a_word, long long* ticks) {
  __shared__ T words[32];
  const unsigned lane = threadIdx.x % 32;
  words[lane] = 0;
  __syncthreads();
  const long long begin = clock64();
  for (unsigned i = 0; i < repeats; ++i) atomicAdd(&words[lane / lanes_a_word], T(3));
  __syncthreads();
  const long long end = clock64();
  if (words[lane] == T(1)) sink = lane;
  if (threadIdx.x == 0) *ticks = end - begin;
}

template <class T>
void cas_loops_of() {
  long long* ticks;
  need(cudaMallocManaged(&ticks, 8));
  for (unsigned lanes_a_word : {1u, 4u, 32u}) {
    for (unsigned warps : {1u, 2u, 8u, 32u}) {
      for (int i = 0; i < 2; ++i) cas_loops<T><<<1, warps * 32>>>(lanes_a_word, ticks);
      need(cudaDeviceSynchronize());
      say("cas_loop",
          {{"bytes", double(sizeof(T))}, {"lanes_a_word", double(lanes_a_word)}, {"warps", double(warps)}},
          "cycles", double(*ticks) / (double(repeats) * warps));
    }
  }
  cudaFree(ticks);
}

void cas_loop_parts() {
  cas_loops_of<float>();
  cas_loops_of<unsigned long long>();
}

// --- switches

// Eight ways, of which a warp's lanes go as many as `ways` says. The compiler makes jumps through a table of
// it: three, and branches between them, when this was written.
__global__ void switches(unsigned ways, unsigned zero, long long* ticks) {
  unsigned counts[8] = {};
  unsigned way = threadIdx.x % 32 * ways / 32;
  const long long begin = clock64();
#pragma unroll 1
  for (unsigned i = 0; i < repeats; ++i) {
    switch (way) {
      case 0:
        ++counts[0];
        break;
      case 1:
        ++counts[1];
        break;
      case 2:
        ++counts[2];
        break;
      case 3:
        ++counts[3];
        break;
      case 4:
        ++counts[4];
        break;
      case 5:
        ++counts[5];
        break;
      case 6:
        ++counts[6];
        break;
      case 7:
        ++counts[7];
        break;
      default:
        break;
    }
    way += zero;
  }
  const long long end = clock64();
  unsigned all = 0;
  for (int i = 0; i < 8; ++i) all = 3 * all + counts[i];
  if (all == 1) sink = all;
  if (threadIdx.x == 0) *ticks = end - begin;
}

void switch_parts() {
  long long* ticks;
  need(cudaMallocManaged(&ticks, 8));
  for (unsigned warps : {1u, 8u, 16u, 32u}) {
    for (unsigned ways : {1u, 2u, 4u, 8u}) {
      for (int i = 0; i < 2; ++i) switches<<<1, warps * 32>>>(ways, 0, ticks);
      need(cudaDeviceSynchronize());
      say("switch", {{"ways", double(ways)}, {"warps", double(warps)}}, "cycles", double(*ticks) / repeats);
    }
  }
  cudaFree(ticks);
}

// --- launches

__global__ void nothing() {}

__global__ void two_barriers(unsigned* out) {
  __shared__ unsigned count[256];
  if (threadIdx.x < 256) count[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (count[(threadIdx.x * 7) % 256] == 12345) *out = 1;
  __syncthreads();
  if (count[(threadIdx.x * 5) % 256] == 12345) *out = 1;
}

void launches(unsigned* memory) {
  for (unsigned threads : {32u, 64u, 128u, 256u, 512u, 1024u}) {
    for (unsigned blocks : {1u, multiprocessors(), multiprocessors() * 64, 1u << 18, 1u << 20}) {
      say("empty_blocks", {{"blocks", double(blocks)}, {"threads", double(threads)}}, "ns",
          time_ns([&] { nothing<<<blocks, threads>>>(); }));
    }
    say("blocks_with_barriers", {{"blocks", double(1u << 18)}, {"threads", double(threads)}}, "ns",
        time_ns([&] { two_barriers<<<1u << 18, threads>>>(memory); }));
  }
}

}  // namespace

int main(int count, char** arguments) {
  need(cudaGetDeviceProperties(&device, 0));
  const std::size_t bytes = std::size_t{2} << 30;
  unsigned* memory;
  need(cudaMalloc(&memory, bytes));
  need(cudaMemset(memory, 0, bytes));
  clock_mhz = measured_clock_mhz();
  const std::vector<std::pair<std::string, std::function<void()>>> parts{
      {"latencies", [&] { latencies(memory, bytes); }},
      {"launches", [&] { launches(memory); }},
      {"multiprocessor", [&] { one_multiprocessor(reinterpret_cast<const unsigned char*>(memory)); }},
      {"exchanges", [] { exchange_parts(); }},
      {"cas_loops", [] { cas_loop_parts(); }},
      {"switches", [] { switch_parts(); }},
      {"code", [] { code_lengths(); }},
      {"remainders", [] { remainder_parts(); }},
      {"atomics", [&] { global_atomics(memory); }},
      {"queues", [&] { queues(memory); }},
      {"copies", [&] { copies(memory); }},
      {"readings",
       [&] {
         need(cudaMemset(memory, 1, bytes));
         readings(memory);
       }},
  };
  const std::vector<std::string> wanted(arguments + 1, arguments + count);
  for (const std::string& name : wanted) {
    if (std::none_of(parts.begin(), parts.end(), [&](const auto& part) { return part.first == name; })) {
      std::fprintf(stderr, "calibrate: no part is called %s\n", name.c_str());
      return 2;
    }
  }
  for (const auto& [name, measure] : parts) {
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end()) measure();
  }
}
