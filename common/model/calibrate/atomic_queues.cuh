// SPDX-License-Identifier: MIT
// Atomics that wait for each other, on one multiprocessor.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "model/calibrate/measurement.cuh"

namespace calibrate {

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

inline void say_queue(bool shared, const Setting& setting, const std::vector<double>& sent,
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
inline void queue(unsigned* counts, bool shared, unsigned warps, unsigned active, unsigned words,
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

inline void queues(unsigned* counts) {
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

}  // namespace calibrate
