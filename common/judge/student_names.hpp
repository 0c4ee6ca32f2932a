// SPDX-License-Identifier: MIT
// How the student's file calls the parameters of the exercise's function.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "problems/problem.hpp"

namespace judge {

// The names of a function's parameters, in their order, from its first declaration in the text; empty if
// there is none. A parameter without a name has an empty one.
std::vector<std::string> parameter_names(std::string_view text, std::string_view function);

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

}  // namespace judge
