// SPDX-License-Identifier: MIT
// Which blocks of a launch are run as samples, with how much of their work, and what samples say of a launch
// with more work.
#pragma once

#include <cstdint>
#include <vector>

#include "model/launch.hpp"
#include "model/stream.hpp"

namespace model {

// A run of some blocks of the same size, with less work for each thread where they have much.
struct Sample {
  double work = 0;
  Stream stream;
  bool draws_dealt = false;  // numbers that blocks draw from a counter were dealt out among them
};

// A number for each sample, for so much work of each thread.
template <class OfStream>
double for_work(const std::vector<Sample>& samples, double work, OfStream of_stream) {
  const double most = of_stream(samples.back().stream);
  if (samples.size() < 2 || samples.back().work <= samples.front().work) return most;
  const double each =
      (most - of_stream(samples.front().stream)) / (samples.back().work - samples.front().work);
  return most + each * (work - samples.back().work);
}

// How many more steps each block has in the last sample than in the first.
std::vector<double> growth_of_blocks(const std::vector<Sample>& samples);

// Steps of a block, with so much work for each thread.
double steps_of_block(const std::vector<Sample>& samples, double work);

// Blocks and elements that a sample of the launch should have: each thread has this part of its work, or of
// the most work that a sample gives a thread.
struct SampleSize {
  std::uint64_t grid = 0, length = 0;
};
SampleSize sample_size(const Launch& launch, std::uint64_t length, bool half = false);
// Of fewer blocks, whose threads have more work.
SampleSize long_sample_size(const Launch& launch, std::uint64_t length, bool half = false);

// The same sample where it is too long: fewer blocks, and of two blocks, or of one if that is all, a part of
// their work.
SampleSize part_of(const SampleSize& size, double part);

// Whether more work makes some of the sample's blocks do more and others not: blocks that take a fixed piece
// of the input have all of it while others have none. Then blocks have to be sampled with all that they do in
// the launch. `samples`: one with half of the work, and one with all that a sample has.
bool uneven(const std::vector<Sample>& samples, const Launch& launch);
// Whether one block does more than half of what blocks do in different amounts, and twice as much as the mean
// of the others: it may have drawn all that blocks draw from one counter.
bool done_by_one(const Sample& sample);

// As many blocks as few enough elements are for, each with its whole work; of blocks with more than that one,
// with a part of its work. `cut`: without the last half of the last block's part, where a loop that nobody
// has counted ends earlier.
SampleSize whole_sample_size(const Launch& launch, std::uint64_t length, bool cut = false);

// Of as many blocks as the launch has, or as can be sampled, each of which has little to do: what the last of
// them does may depend on how many there are.
SampleSize last_block_sample_size(const Launch& launch, std::uint64_t length);

// Whether threads with so much work as in the long sample go about it as the samples say: with as many steps
// of each kind, at the same places of the program. One that takes many elements at a time does so only if
// there are as many: then long samples are needed.
bool foretell(const std::vector<Sample>& samples, const Sample& long_sample);

// Whether one sample is enough; else one with half the work is needed too, which shows what repeats.
bool needs_one_sample(const Launch& launch);
// Whether each thread has so much work that a long sample may show something else.
bool may_need_long_samples(const Launch& launch);

}  // namespace model
