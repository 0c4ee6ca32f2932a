// SPDX-License-Identifier: MIT
// A shuffle from a lane that does not take part gives a value that is not defined. On the simulator it is one
// that no lane has, from which a result may be right by luck: a comparison with it fails. Cases with such a
// shuffle run once more, with the lane's own value. A result that changes was never defined.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "judge/case.hpp"

namespace judge {

// The first of these cases that fails with the lanes' own values; nullopt if none does. `passed`: the cases
// that are right otherwise, of which those are taken that note such a shuffle.
std::optional<CaseResult> fails_with_own_values(RunnerSession& session, const std::string& program,
                                                const problems::Reference& reference,
                                                const std::vector<CaseResult>& passed, std::uint64_t seed);

}  // namespace judge
