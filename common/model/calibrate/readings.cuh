// SPDX-License-Identifier: MIT
// Reading: how fast for how many loads under way.
#pragma once

#include <cstddef>

#include "model/calibrate/measurement.cuh"

namespace calibrate {

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

inline void readings(const void* memory) {
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

}  // namespace calibrate
