// SPDX-License-Identifier: MIT
// Why counts are wrong, told from evidence: what an exercise made of inputs that were chosen to tell one
// mistake from another (evidence.hpp gathers them). The first diagnosis that fits is the one; where the
// evidence allows none, none is given.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "problems/histogram/binnings.hpp"

namespace judge {

// What one run gave.
struct Sample {
  std::string what;  // "4099 bytes of `letters`"
  std::uint64_t length;
  std::vector<std::uint64_t> expected;
  std::vector<std::uint32_t> got;
  std::vector<unsigned char> bytes = {};                // the input, where positions in it matter
  std::vector<std::vector<std::uint32_t>> others = {};  // other results of the same run in the same process

  bool is_wrong() const;
  std::uint64_t countable() const;  // the sum of what was expected
  std::uint64_t counted() const;    // the sum of what came
};

// A position whose byte is not counted once, whatever the bytes are.
struct OddPosition {
  std::uint64_t length;    // of the input
  std::uint64_t position;  // the first such
  bool missed;             // not counted; else counted more than once
};

// So many wrong random inputs must show a pattern before it is one. Each is drawn anew, and what a mistake of
// another kind makes of it fits by chance alone:
// - tail_missed: bytes that are missing elsewhere look like the end if they are the same letters. Whatever
// the others
//   are, the last one has to be of one certain bin, which 4 of 26 random letters are at most. (Runs of bytes
//   that are lost at their end are the end where each is one byte long: with 512 threads and random bytes in
//   13 of 100 inputs.)
// - only_first_bins: a mistake that knows no order of bins is as likely to spare any other set of so many;
// there are as
//   many as bins, 7, at least.
// So the chance for one input is below 4 / 26, and for eight of them below 1 in 3 million. Of the others,
// - overflow: a count lacks a multiple of 2^8 by chance once in 2^8 times; three do, or two a multiple of
// 2^16: 2^-24.
// - lost_updates: that as many are lost on each random input as on equal bytes, which would make it a matter
// of
//   positions, is left to chance once in two times at most: 2^-8, where the bytes decide at all.
// - double_counting, lost_updates and wrong_bins by sums: a mistake that now loses and now doubles as much
// has no name; it
//   gets one where all inputs happen to go the same way, 2^-7, and the name is true of each input that was
//   seen.
// - the rest rests on inputs that are not random, or on runs of one input: the seed has no part in it.
constexpr std::size_t enough_inputs = 8;

struct Evidence {
  histogram::BinningInfo binning;
  bool guarded = false;  // the bytes around the input are readable, and each counts as runner::data_guard
  bool from_2_31_on = false;  // every shorter input came out right
  Sample failed;
  std::vector<std::vector<std::uint32_t>> fresh;  // the failed run as the first in processes of their own
  std::vector<Sample> random;                     // counted bytes only; several of the longest length
  std::vector<Sample> repeated;       // one counted byte, again and again; one for each length of random's
  std::vector<Sample> repeated_less;  // the same byte fewer times than in the longest of these
  std::vector<Sample> mixed;          // like the failed one; where none of the above is wrong
  std::optional<Sample> uncounted;    // no byte of it is counted
  std::optional<OddPosition> odd;
};

struct Diagnosis {
  std::string name;     // empty: what can be said has no name of its own
  std::string message;  // one line, and a second one with its numbers
};

std::optional<Diagnosis> diagnose(const Evidence& evidence);

// The most fundamental of what the evidence under several binnings says.
std::optional<Diagnosis> diagnose(const std::vector<Evidence>& evidence);

// Whether the random inputs show a pattern, but are too few for it.
bool wants_more_inputs(const Evidence& evidence);

// Whether as many bytes get lost (or are counted twice) whatever the bytes are, so that positions decide.
bool depends_on_position(const Evidence& evidence);

}  // namespace judge
