// SPDX-License-Identifier: MIT
// Global atomics whose result nobody uses, from all multiprocessors.
#pragma once

#include <cstddef>

#include "model/calibrate/measurement.cuh"

namespace calibrate {

// Warp w adds to line w % lines (w itself where lines is 0), lines lying line_stride bytes apart; lane l to
// word (l / lanes_a_word) * word_stride of it.
static __global__ void global_adds(unsigned* counts, unsigned lanes_a_word, unsigned word_stride,
                                   unsigned active, unsigned lines, std::size_t line_stride, unsigned times) {
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  const std::size_t line = lines ? warp % lines : warp;
  unsigned* const own = counts + line * (line_stride / 4) + lane / lanes_a_word * word_stride;
  if (lane >= active) return;
  for (unsigned i = 0; i < times; ++i) atomicAdd(own, i | 1);
}

inline void global_atomics(unsigned* counts) {
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

}  // namespace calibrate
