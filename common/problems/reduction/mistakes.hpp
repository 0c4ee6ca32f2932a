// SPDX-License-Identifier: MIT
// Why a result is wrong, from what the exercise makes of inputs that were chosen to tell one mistake from
// another: the first diagnosis that all of them fit. Where they fit none, none is given.
//
//   nothing_written     the output is as it was before the launch, whatever the input (where that can be
//   seen) not_deterministic   two runs on the same input give different results uncleared_counters  the first
//   run of a process gives another result than later ones: it depends on what
//                       memory held before
//   overflow            right up to 2^28 elements and wrong beyond, or right modulo 2^8 or 2^16
//   past_the_end        the bytes around the input take part
//   tail_missed         the elements from some place on take no part
//   partial_lost        neither does a stretch of at least a warp's length that ends before
//   lost_elements       nor do others
//   double_counting     an element takes part more than once
//   wrong_operator      the result is that of another operator
//   identity_forgotten  a value that is not the operator's identity takes part as if it were an element
//
// Places are found with sums of ones and zeros; whatever they show must explain the sums of uniform inputs
// too, which are drawn anew each: by chance a sum of 32 bits fits once in 2^32 times.
#pragma once

#include <cstdint>
#include <optional>

#include "problems/reference.hpp"

namespace reduction {

// Runs the exercise some dozens of times, over inputs that are as long as the failed case's.
std::optional<problems::Diagnosis> diagnose(const problems::FailedCase& failed, problems::Reruns& reruns);

}  // namespace reduction
