// SPDX-License-Identifier: MIT
// The symbols of a unit's assembly for x86-64: which are functions, which are jumped to, and which have their
// address taken, so that a call or a jump through a pointer may lead there.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace simulator::x86 {

struct UnitSymbols {
  std::set<std::string> functions;
  std::set<std::string> defined;      // in the unit, functions or not
  std::set<std::string> code_labels;  // those that stand in code
  std::set<std::string> jumped_to;    // or called, by name
  std::set<std::string> addresses;    // taken by code or data of other functions than the harness's
};

// Of the lines of a unit's assembly. `trusted`: how the names of the harness's functions begin.
UnitSymbols symbols_of(const std::vector<std::string_view>& lines, const std::vector<std::string>& trusted);

// Whether the line begins a section, and whether that holds code.
bool is_section(std::string_view line);
bool is_code_section(std::string_view line);

}  // namespace simulator::x86
