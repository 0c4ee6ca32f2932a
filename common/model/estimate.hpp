// SPDX-License-Identifier: MIT
// How long a launch would take on a GPU, from the streams of samples of it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "facts/occupancy.hpp"
#include "model/device.hpp"
#include "model/instructions.hpp"
#include "model/launch.hpp"
#include "model/sampling.hpp"

namespace model {

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
