// SPDX-License-Identifier: MIT
// Source texts: with counters beside their lines, and two beside each other.
#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <map>
#include <string>
#include <string_view>

namespace report {

struct TitledText {
  std::string title, text;
};

// Two texts in two columns, at most `columns` wide together (20 at least), lines that both have beside each
// other. Lines that are too long go on below; tabs become spaces.
std::string side_by_side(const TitledText& left, const TitledText& right, unsigned columns);

// What the warps did at one line.
struct LineCounters {
  std::uint64_t requests = 0;    // instructions that touched memory
  std::uint64_t sectors = 0;     // of global memory
  std::uint64_t wavefronts = 0;  // of shared memory
  std::uint64_t lanes = 0;       // that took part, over all requests
};

// A source text with numbered lines and the counters beside them; what is 0 is left blank, and so are lines
// of which nothing is known. The comments and #includes on top are left out, and lines that `left_out` is
// true of. `lines` is by line number, from 1. In few columns the counters stand in words below their lines.
std::string annotated_source(std::istream& source, const std::map<int, LineCounters>& lines,
                             const std::function<bool(std::string_view)>& left_out, unsigned columns);

}  // namespace report
