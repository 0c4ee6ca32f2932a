// SPDX-License-Identifier: MIT
// The atomics in the student's file, and how often each of their lines executes one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "facts/counters.hpp"

namespace judge {

// The lines of the student's file that call an atomic function, but on an array of each thread's own.
std::vector<int> lines_of_atomics(const std::string& source);

// How often these lines execute an atomic, from the counters of a run's places: a line of a message, after a
// line break; empty where none of the places is known.
std::string atomics_text(const std::string& program, const std::string& source, const std::vector<int>& lines,
                         const std::map<std::uint64_t, facts::Counters>& places);

}  // namespace judge
