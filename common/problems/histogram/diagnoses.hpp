// SPDX-License-Identifier: MIT
// Each diagnosis from the evidence under one binning, whatever others may fit as well: nullopt if it does not
// fit.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "problems/histogram/mistakes.hpp"

namespace histogram {

// Runs on the same input give different counts (differing_runs.cpp).

// Runs that start alike, in processes of their own, and end differently.
std::optional<Diagnosis> not_deterministic(const Evidence& evidence);
// The first launch of a process gives other counts than a later one.
std::optional<Diagnosis> uncleared_counters(const Evidence& evidence);

// Bytes at the end of the input are left out, or bytes behind it are counted (wrong_ends.cpp).

// Diagnoses that show as a pattern of right and wrong counts, and that counts of another mistake may show by
// chance: of `inputs` wrong random inputs at least, all must show the pattern.
std::optional<Diagnosis> tail_missed(const Evidence& evidence, std::size_t inputs = enough_inputs);
std::optional<Diagnosis> past_the_end(const Evidence& evidence);

// Some bins are wrong, or all bytes are in wrong ones (wrong_bins.cpp).

// As of tail_missed().
std::optional<Diagnosis> only_first_bins(const Evidence& evidence, std::size_t inputs = enough_inputs);
// One letter again and again, and its whole count stands in another bin.
std::optional<Diagnosis> misplaced(const Evidence& evidence);
// Counts that are right for another binning, bin by bin.
std::optional<std::string> other_binning(const Evidence& evidence);

// What the counts are stored in does not hold them (wrong_numbers.cpp).

std::optional<Diagnosis> overflow(const Evidence& evidence);
// Counts that are the bits of floating-point numbers: 1.0f is 1065353216.
std::optional<std::string> floats_in(const Evidence& evidence);

// The bins add up to more or less than there is to count (wrong_sums.cpp).

// By the sums of the wrong samples, of which there is at least one, and by what else they have in common.
std::optional<Diagnosis> by_sums(const Evidence& evidence, const Samples& wrong);
// Only some positions of the input are counted too often or never.
std::optional<Diagnosis> by_position(const Evidence& evidence);
std::optional<Diagnosis> counts_other_bytes(const Evidence& evidence);

}  // namespace histogram
