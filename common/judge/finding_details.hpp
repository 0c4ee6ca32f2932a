// SPDX-License-Identifier: MIT
// Completes a finding with what the student's file shows: the names of its parameters, the source lines with
// their columns, the evidence, and the kind of thing that is missing. Never the fix.
#pragma once

#include <string>
#include <vector>

#include "facts/verdict.hpp"
#include "judge/student_names.hpp"

namespace judge {

// The lines of source behind an observation's places, with what the kernel does there.
std::vector<facts::Location> places_of(const std::string& program, const facts::Observation& seen);

// Fills in everything that follows from the message, the diagnosis and the places.
void complete(facts::Finding& finding, const StudentNames& names);

}  // namespace judge
