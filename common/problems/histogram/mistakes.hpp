// SPDX-License-Identifier: MIT
// Why counts are wrong, from evidence: what an exercise made of inputs that were chosen to tell one mistake
// from another. The first diagnosis that fits is given; where the evidence allows none, none is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "problems/histogram/problem.hpp"
#include "problems/places.hpp"
#include "problems/reference.hpp"

namespace histogram {

using problems::Diagnosis;
using problems::Stretch;

// What one run gave.
struct Sample {
  std::string what;  // "4099 bytes of `letters`"
  std::uint64_t length;
  std::vector<std::uint64_t> expected;
  std::vector<std::uint32_t> got;
  std::vector<unsigned char> bytes = {};                // the input, where positions in it matter
  std::vector<std::vector<std::uint32_t>> others = {};  // other results of the same run in the same process
  problems::LaunchSize launch = {};

  bool is_wrong() const;
  std::uint64_t countable() const;  // the sum of what was expected
  std::uint64_t counted() const;    // the sum of what came
};

// So many wrong random inputs must show a pattern before it is one. Each is drawn anew, and another kind of
// mistake fits it by chance alone:
//
//   tail_missed       Bytes that are missing elsewhere look like the end if they are the same letters.
//   Whatever the
//                     others are, the last one has to be of one certain bin, which 4 of 26 random letters are
//                     at most. (Runs of bytes that are lost at their end are the end where each is one byte
//                     long: with 512 threads and random bytes in 13 of 100 inputs.)
//   only_first_bins   A mistake that knows no order of bins is as likely to spare any other set of so many,
//   and there
//                     are at least as many sets as bins: 7.
//
// So the chance for one input is below 4 / 26, and for eight of them below 1 in 3 million. Of the other
// diagnoses:
//
//   overflow          A count lacks a multiple of 2^8 by chance once in 2^8 times; three do, or two a
//   multiple of
//                     2^16: 2^-24.
//   lost_updates      That as many are lost on each random input as on equal bytes, which would make it a
//   matter of
//                     positions, happens by chance in at most half of the cases where the bytes decide at
//                     all: 2^-8.
//   by sums           A mistake that now loses and now doubles as much has no name. It gets one where all
//   inputs
//                     happen to go the same way, 2^-7, and the name is then true of each input that was seen.
//
// The rest depends on inputs that are not random, or on several runs of one input: the seed has no part in
// it.
constexpr std::size_t enough_inputs = 8;

struct Evidence {
  BinningInfo binning;
  bool guarded = false;       // the bytes around the input are readable, and each counts as input_guard
  bool from_2_31_on = false;  // every shorter input came out right
  Sample failed;
  std::vector<std::vector<std::uint32_t>> fresh;  // the failed run as the first in processes of their own
  std::vector<Sample> random;                     // counted bytes only; several of the longest length
  std::vector<Sample> repeated;       // one counted byte, again and again; one for each length of random's
  std::vector<Sample> repeated_less;  // the same byte fewer times than in the longest of these
  std::vector<Sample> mixed;          // like the failed one; where none of the above is wrong
  std::optional<Sample> uncounted;    // no byte of it is counted
  std::uint64_t searched_length = 0;  // of the input in which the stretches below were found
  std::vector<Stretch> stretches;     // see problems::find_stretches
};

std::optional<Diagnosis> diagnose(const Evidence& evidence);

// The most fundamental of what the evidence under several binnings says.
std::optional<Diagnosis> diagnose(const std::vector<Evidence>& evidence);

// Whether the random inputs show a pattern, but are too few for it.
bool wants_more_inputs(const Evidence& evidence);

// Whether as many bytes get lost (or are counted twice) whatever the bytes are, so that positions decide.
bool depends_on_position(const Evidence& evidence);

using Samples = std::vector<const Sample*>;

// The wrong samples that hold nothing but counted bytes, the first case among them.
Samples wrong_and_counted(const Evidence& evidence);

// Gathers the evidence: some dozens of runs, none longer than the case that failed (or than 2^14 bytes); a
// case of 2^30 bytes or more is run once more. Under the binning of the case that failed first, then under
// the others.
std::vector<Evidence> gather_evidence(const problems::FailedCase& failed, problems::Reruns& reruns);

}  // namespace histogram
