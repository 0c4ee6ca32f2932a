// SPDX-License-Identifier: MIT
// How long a launch would take on a GPU, from the streams of samples of it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/device.hpp"
#include "model/multiprocessor.hpp"
#include "model/stream.hpp"

namespace model {

struct Launch {
  std::uint64_t grid = 0;
  unsigned block = 0;
  std::uint64_t dynamic_shared_bytes = 0;
  double work = 0;             // elements for each thread
  std::uint64_t launches = 1;  // that a run takes: each further one is small
};

// A run of some blocks of the same size, with less work for each thread where they have much.
struct Sample {
  double work = 0;
  Stream stream;
};

// Blocks and elements that a sample of the launch should have: each thread has this part of its work, or of
// the most work that a sample gives a thread.
struct SampleSize {
  std::uint64_t grid = 0, length = 0;
};
SampleSize sample_size(const Launch& launch, std::uint64_t length, double part = 1);

// Whether one sample is enough; else one with half the work is needed too, which shows what repeats.
bool has_little_work(const Launch& launch);

struct Share {
  std::string_view what;
  double share;  // of the time, for which this unit was busy or this wait held up the mean warp
};

struct Estimate {
  double ms = 0, low = 0, high = 0;
  std::vector<Share> bound_by;  // the largest first
  double instructions = 0;      // of all warps
  double sampling_error = 0;    // of `ms`, a part of it: a standard error, of which low and high take account
  unsigned resident = 0;        // blocks on a multiprocessor
};

// `samples`: one, or where there is much work one with half of the work and one with all that a sample has.
Estimate estimate(const Launch& launch, const std::vector<Sample>& samples, const Device& device,
                  const InstructionTable& table = {});

// How many blocks of a launch a multiprocessor holds at a time; 0: none.
unsigned resident_blocks(unsigned threads, std::uint64_t shared_bytes, const Device& device);

}  // namespace model
