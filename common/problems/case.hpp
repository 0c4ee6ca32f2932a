// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace problems {

// An input that an exercise is judged on.
struct Case {
  std::string variant;
  std::string input;  // a named input, or what the problem or the judge has chosen to be one
  std::uint64_t length;
  unsigned misalignment = 0;  // of the data, in elements past an aligned address

  bool operator==(const Case&) const = default;
};

}  // namespace problems
