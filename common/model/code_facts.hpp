// SPDX-License-Identifier: MIT
// What a launch's machine code says that its samples do not.
#pragma once

#include <optional>
#include <vector>

#include "model/device.hpp"
#include "model/first_use.hpp"
#include "model/instructions.hpp"
#include "model/launch.hpp"
#include "model/sampling.hpp"
#include "model/stream.hpp"

namespace model {

// What the launch's machine code says of its stream.
struct CodeFacts {
  std::optional<double> instructions = {};  // of a mean warp of the launch
  // Of these, accesses that no lane makes, in the sample with most work.
  double unmade_accesses = 0;
  std::vector<LoadGroup> loads_at_a_time;
  std::vector<LoadUse> uses_of_loads;
  std::optional<LoadUse> use_of_shared_load = {};
  unsigned exchanges_at_a_time = 1;
  double integer_part = 0;                        // of its instructions
  double special_reads = 0;                       // of special registers, for each instruction
  std::optional<double> instruction_cycles = {};  // from one to the next
  double local_lines = 0;                         // of a mean warp
  // Of switches, for each instruction: jumps through a table, the ways from there, and partings of lanes.
  double jumps = 0, jump_ways = 0, partings = 0;
};

// Of a mean warp of a launch with so much work, as the table says.
double instructions_by_table(const std::vector<Sample>& samples, double work, const InstructionTable& table);

// What is known of it without any code: a `switch` is a jump through a table where g++ makes one of it.
CodeFacts facts_without_code(const Stream& stream, const InstructionTable& table);

// nullopt: there is no code, or it does not fit the stream.
std::optional<CodeFacts> facts_of_code(const Launch& launch, const std::vector<Sample>& samples,
                                       const Device& device);

}  // namespace model
