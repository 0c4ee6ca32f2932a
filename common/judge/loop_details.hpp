// SPDX-License-Identifier: MIT
// Why a loop does not end.
#pragma once

#include <string>

#include "facts/verdict.hpp"
#include "judge/source_structure.hpp"

namespace judge {

// The loop, and the condition that stays true; empty if no place of the loop is known. Precondition: the
// finding has a place.
std::string missing_in_loop(const facts::Finding& finding, const SourceStructure& source);

// Of steps that come again and again: the line of their loop, if it is the only one that may be meant.
int head_of_loop(int line, const std::string& text);

}  // namespace judge
