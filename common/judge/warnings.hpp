// SPDX-License-Identifier: MIT
// What a compiler warns of in a student's file that may be the reason for a wrong verdict.
#pragma once

#include <optional>
#include <string>

#include "facts/verdict.hpp"
#include "judge/check.hpp"

namespace judge {

// Of g++'s or clang's output the first warning in the student's own files that points at a mistake, as a note
// with its place; what is a matter of taste, or often harmless, is left out. nullopt if there is none.
std::optional<facts::Finding> first_warning(const std::string& output, const std::string& source);

// Puts it first among the notes of a report whose verdict is no pass.
void add_warning(CheckReport& report, const std::string& output, const std::string& source);

}  // namespace judge
