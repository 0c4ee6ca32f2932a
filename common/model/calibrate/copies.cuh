// SPDX-License-Identifier: MIT
// Blocks that count in copies of their own in global memory, and add these up.
#pragma once

#include <algorithm>
#include <cstddef>

#include "model/calibrate/measurement.cuh"

namespace calibrate {

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

inline void copies(unsigned* counts) {
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

}  // namespace calibrate
