// SPDX-License-Identifier: MIT
// Notes: what a runner saw that is worth knowing and not wrong. They never change a verdict.
#pragma once

#include <string>
#include <vector>

#include "facts/verdict.hpp"
#include "runner/protocol.hpp"

namespace judge {

// The notes of several runs, one for each place in the program: the first stands for all. Of more than 16
// places nothing more is kept, whatever a runner sends.
class Notes {
 public:
  // Keeps those of places that are new; `context` is put behind their words.
  void add(const std::vector<facts::Observation>& notes, const std::string& context = {});

  // Those kept, in their order, with their lines of source, each line once. Of places on the same lines, as a
  // kernel's are that is compiled for each variant, the first is told.
  std::vector<facts::Finding> told(const std::string& program) const;

 private:
  std::vector<facts::Observation> kept_;
};

}  // namespace judge
