// SPDX-License-Identifier: MIT
// Diagnoses that show as a pattern of right and wrong counts, and that counts of another mistake may show by
// chance.
#pragma once

#include "judge/diagnosis.hpp"

namespace judge {

// Of `inputs` wrong random inputs at least, all must show the pattern.
std::optional<Diagnosis> tail_missed(const Evidence& evidence, std::size_t inputs = enough_inputs);
std::optional<Diagnosis> only_first_bins(const Evidence& evidence, std::size_t inputs = enough_inputs);

std::optional<Diagnosis> past_the_end(const Evidence& evidence);
std::optional<Diagnosis> overflow(const Evidence& evidence);

}  // namespace judge
