// SPDX-License-Identifier: MIT
// Errors that end `lab` with an exit code of their own.
#pragma once

#include <stdexcept>

namespace facts {

// What the user asked for makes no sense: exit code 2. what() says what would.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The machine lacks something: exit code 3. what() says what, and how to get it.
struct MachineError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace facts
