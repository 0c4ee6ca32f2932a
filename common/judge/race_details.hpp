// SPDX-License-Identifier: MIT
// What is missing between two accesses that race.
#pragma once

#include <optional>
#include <string>

#include "facts/verdict.hpp"
#include "judge/source_structure.hpp"

namespace judge {

// The line that declares the shared variable, no array, in which the race is.
std::optional<int> shared_variable_in(const facts::Finding& finding, const SourceStructure& source);

// A barrier or an atomic, and the lines between which it is missing; empty if the file does not show it.
std::string missing_in_race(const facts::Finding& finding, const SourceStructure& source);

}  // namespace judge
