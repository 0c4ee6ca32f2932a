// SPDX-License-Identifier: MIT
// Loads of loops that a compiler unrolls: which of them it makes one load of, and which are under way
// together.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include "model/launch.hpp"
#include "model/sampling.hpp"
#include "model/stream.hpp"

namespace model {

// By place. A compiler unrolls a loop whose turns it can count, and loads for many turns ahead. Where runs of
// a place differ in length, within a sample or between one and another with more work, it could not count
// them.
std::array<bool, 256> uncounted_turns(const std::vector<Sample>& samples);

// The same samples where the compiler has made one load of several that continue each other: in a loop whose
// turns it could count, or, where the code is known, if this has loads of so many bytes. It has the
// wavefronts of the worst of them.
std::vector<Sample> joined(std::vector<Sample> samples, const Launch& launch,
                           const std::array<bool, 256>& uncounted);

// Loads of global memory that are under way together, as the multiprocessor takes a stream's steps.
struct StreamGroups {
  std::set<LoadGroup> groups;
  std::array<bool, 256> in_company{};        // places that load together with others, or with themselves
  std::array<std::uint8_t, 256> bytes_of{};  // that a place loads
};
StreamGroups groups_of(const Stream& stream, const std::array<bool, 256>& uncounted);

// Turns of a loop with one load of so many bytes for which the compiler loads before it uses the first: as
// many loads as the code has under way at a time, and the program nowhere.
unsigned turns_at_a_time(const std::vector<LoadGroup>& in_code, const std::set<LoadGroup>& in_stream,
                         unsigned bytes);

// By place, where there is no code: the same for loops that go on by a constant, to an end that the launch
// knows. nvcc unrolls these four times, and twice where a turn is long.
std::array<std::uint8_t, 256> turns_of_counted_loops(const Stream& stream);

// The same samples where the compiler has loaded for so many turns of a loop before it used the first of
// them: the later loads stand behind the first one. What is left of the turns at the end is loaded one by
// one. Barriers are not passed, nor are writes to global memory if they stop the compiler.
std::vector<Sample> loaded_ahead(std::vector<Sample> samples, const std::array<std::uint8_t, 256>& turns,
                                 const std::array<bool, 256>& in_company, bool writes_stop);

// Of the last block's loops with loads, by place: where the code has as many loads under way as the loop has
// turns, the compiler could count these. Of all others it has as many under way as the code says, which is
// one if it is not known.
std::array<std::uint8_t, 256> turns_of_last_block(const Launch& launch);

// Steps in the order of a compiler of which nothing but the program is known: loads of global memory come in
// front of the stores to shared memory of the same block of the GPU's code, because these change nothing that
// they load.
WarpSteps loaded_first(WarpSteps steps);

}  // namespace model
