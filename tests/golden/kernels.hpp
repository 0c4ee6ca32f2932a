// SPDX-License-Identifier: MIT
// Small kernels whose counters are compared with a GPU's: what golden-kernels.gpu and the test have in
// common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "runner/launch_outcome.hpp"

namespace golden {

// Words of each kernel's input, `in`, and of its output, `out`; a power of two.
constexpr unsigned elements = 1 << 20;

// A kernel with its last argument, which is a stride, a number of words and so on.
struct Kernel {
  const char* name;
  unsigned parameter;
  void (*launch)(unsigned grid, unsigned block, const unsigned* in, unsigned* out, unsigned parameter,
                 runner::LaunchOutcome& outcome);
};

// Null where there is no such kernel.
const Kernel* find_kernel(std::string_view name);

// What `in` holds: numbers without a pattern, the same ones everywhere. `out` begins as zeros.
inline std::vector<unsigned> input() {
  std::vector<unsigned> words(elements);
  for (unsigned i = 0; i < elements; ++i) {
    // the finalizer of MurmurHash3 (Appleby)
    std::uint32_t hash = i + 1;
    hash = (hash ^ hash >> 16) * 0x85ebca6bu;
    hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
    words[i] = hash ^ hash >> 16;
  }
  return words;
}

// The same in whatever order the threads of a kernel ran.
inline std::uint64_t checksum(const unsigned* out) {
  std::uint64_t sum = 0;
  for (unsigned i = 0; i < elements; ++i) sum += out[i];
  return sum;
}

}  // namespace golden
