// SPDX-License-Identifier: MIT
// Why counts are wrong, from evidence: what an exercise made of inputs that were chosen to tell one mistake
// from another. The first diagnosis that fits is given; where the evidence allows none, none is.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "problems/histogram/evidence.hpp"
#include "problems/reference.hpp"

namespace histogram {

using problems::Diagnosis;

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

std::optional<Diagnosis> diagnose(const Evidence& evidence);

// The most fundamental of what the evidence under several binnings says.
std::optional<Diagnosis> diagnose(const std::vector<Evidence>& evidence);

// Whether the random inputs show a pattern, but are too few for it.
bool wants_more_inputs(const Evidence& evidence);

// Whether as many bytes get lost (or are counted twice) whatever the bytes are, so that positions decide.
bool depends_on_position(const Evidence& evidence);

}  // namespace histogram
