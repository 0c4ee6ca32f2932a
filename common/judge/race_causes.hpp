// SPDX-License-Identifier: MIT
// Races that come of other races: where threads read too early what decides which way they go.
#pragma once

#include <vector>

#include "facts/verdict.hpp"

namespace judge {

// Whether threads of a block went different ways, to different barriers, because of a race: one of them wrote
// what the others looked at to decide. That is the defect, and the barriers what comes of it.
bool has_parting_race(const std::vector<facts::Finding>& findings);

// Whether a race lies where threads come only because of what they read in the other race, while it was
// written: with the right value they might not have come there.
bool comes_of_race(const facts::Finding& race, const facts::Finding& cause);

}  // namespace judge
