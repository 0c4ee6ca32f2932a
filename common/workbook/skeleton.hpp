// SPDX-License-Identifier: MIT
// How a skeleton, which a student gets, is made from a solution.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace workbook {

// The markers in a solution do not pair up; what() names the line.
struct SkeletonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The skeleton behind a solution: what stands between the markers
//   // <solution>
//   // </solution>
// is left out, the markers too. Text after the closing marker takes the place of what was left out:
//   // </solution> return {1, 1};
std::string skeleton_of(std::string_view solution);

// The solution as a student would have written it: without the markers.
std::string without_markers(std::string_view solution);

// Whether a line of a solution is such a marker.
bool is_marker(std::string_view line);

}  // namespace workbook
