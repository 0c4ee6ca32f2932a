// SPDX-License-Identifier: MIT
// What does not keep an access within its array.
#pragma once

#include <string>

#include "facts/verdict.hpp"
#include "judge/source_structure.hpp"

namespace judge {

// The conditions that held at the access, or that there is none; empty if the message does not say how far it
// is outside. Precondition: the finding has a place.
std::string missing_in_bounds(const facts::Finding& finding, const SourceStructure& source);

}  // namespace judge
