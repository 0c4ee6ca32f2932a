// SPDX-License-Identifier: MIT
// The words of the harness's headers: a name of the student's that is one of them could change these headers,
// or stand in for what they declare.
#pragma once

#include <set>
#include <string>

#include "workbook/workbook.hpp"

namespace judge {

// All identifiers of the headers that a unit is compiled with: those that the student's file includes, those
// behind it, and those of NVIDIA's headers that it may include, as the simulator has them.
struct HarnessWords {
  std::set<std::string> of_lab, of_entry, of_cuda;
};

// Those of the target's unit. The headers are read once in a process.
const HarnessWords& words_of_harness(const workbook::Workbook& workbook, const workbook::Target& target);

}  // namespace judge
