// SPDX-License-Identifier: MIT
// How long a launch would take on a GPU, from the streams of samples of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "facts/occupancy.hpp"
#include "model/device.hpp"
#include "model/last_block.hpp"
#include "model/machine_code.hpp"
#include "model/multiprocessor.hpp"
#include "model/stream.hpp"

namespace model {

struct Launch {
  std::uint64_t grid = 0;
  unsigned block = 0;
  std::uint64_t dynamic_shared_bytes = 0;
  unsigned registers = 0;                    // of a thread; 0: not known
  double work = 0;                           // elements for each thread
  std::uint64_t launches = 1;                // that a run takes: each further one is small
  std::optional<MachineCode> code = {};      // as nvcc made it; nullopt: not known
  std::optional<LastBlock> last_block = {};  // if it does anything when all others have ended
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
// Whether one block does more than half of the sample's work over what the others do: it may have drawn all
// that blocks draw from one counter.
bool done_by_one(const Sample& sample);

// As many blocks as few enough elements are for, each with its whole work; of blocks with more than that one,
// with a part of its work. `cut`: without the last half of the last block's part, where a loop that nobody
// has counted ends earlier.
SampleSize whole_sample_size(const Launch& launch, std::uint64_t length, bool cut = false);

// Of as many blocks as the launch has, or as can be sampled, each of which has little to do: what the last of
// them does may depend on how many there are.
SampleSize last_block_sample_size(const Launch& launch, std::uint64_t length);

// Whether threads with so much work as in the long sample go about it as the samples say. One that takes many
// elements at a time does so only if there are as many: then long samples are needed.
bool foretell(const std::vector<Sample>& samples, const Sample& long_sample);

// Whether one sample is enough; else one with half the work is needed too, which shows what repeats.
bool needs_one_sample(const Launch& launch);
// Whether each thread has so much work that a long sample may show something else.
bool may_need_long_samples(const Launch& launch);

struct Share {
  std::string_view what;
  double share;  // of the time, for which this unit was busy or this wait held up the mean warp
};

struct Estimate {
  double ms = 0, low = 0, high = 0;
  std::vector<Share> bound_by;   // the largest first
  double instructions = 0;       // of all warps
  bool counted_in_code = false;  // these, in the machine code; else by the table of instructions
  // Of `ms`, a part of it, in nine cases of ten: that only some of the blocks were run. low and high take
  // account of it.
  double sampling_error = 0;
  // What loads and stores of local memory may add to `ms`, as a part of it; the model counts them nowhere.
  // nullopt: the code has some, and nobody knows how many a warp makes.
  std::optional<double> local_memory = 0;
  unsigned resident = 0;  // blocks on a multiprocessor
};

// Where local memory may add more, an estimate says nothing.
constexpr double most_local_memory = 0.1;

// `table` counts instructions where the machine code is not known. Where it is, the table says only how they
// are distributed among the steps.
// `samples`: one, or where there is much work one with half of the work and one with all that a sample has.
Estimate estimate(const Launch& launch, const std::vector<Sample>& samples, const Device& device,
                  const InstructionTable& table = {});

// What the GPU has for a multiprocessor's blocks.
facts::MultiprocessorLimits limits_of(const Device& device);

}  // namespace model
