// SPDX-License-Identifier: MIT
// Completes a finding with what the student's file shows: the names of its parameters, the source lines with
// their columns, the evidence, and the kind of thing that is missing. Never the fix.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "facts/counters.hpp"
#include "facts/verdict.hpp"
#include "problems/problem.hpp"

namespace judge {

// The names of a function's parameters, in their order, from its first declaration in the text; empty if
// there is none. A parameter without a name has an empty one.
std::vector<std::string> parameter_names(std::string_view text, std::string_view function);

// The array that a message names first: "counts" of "... reads counts[3] ..."; empty if there is none.
std::string array_in(std::string_view message);

// How the student's file calls what the exercise's function is given.
class StudentNames {
 public:
  StudentNames() = default;
  // `source`: the student's file; without one, names stay the problem's.
  StudentNames(const problems::Problem& problem, bool launched, const std::string& source);

  // The text with the student's names instead of the problem's.
  std::string in(std::string text) const;

  // The student's file; empty if it is not known.
  const std::string& source() const { return source_; }

 private:
  std::string source_;
  std::vector<std::pair<std::string, std::string>> names_;  // the problem's, the student's
};

// The lines of source behind an observation's places, with what the kernel does there.
std::vector<facts::Location> places_of(const std::string& program, const facts::Observation& seen);

// The lines of the student's file that call an atomic function, but on an array of each thread's own.
std::vector<int> lines_of_atomics(const std::string& source);

// How often these lines execute an atomic, from the counters of a run's places: a line of a message, after a
// line break; empty where none of the places is known.
std::string atomics_text(const std::string& program, const std::string& source, const std::vector<int>& lines,
                         const std::map<std::uint64_t, facts::Counters>& places);

// Of a barrier that `thread` has not reached: adds the line at which it returned, if only one can be meant,
// and says so.
void add_return(facts::Finding& finding, const std::string& thread);

// Fills in everything that follows from the message, the diagnosis and the places.
void complete(facts::Finding& finding, const StudentNames& names);

}  // namespace judge
