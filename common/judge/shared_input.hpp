// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "problems/input.hpp"

namespace judge {

// A file in memory (or, where the system has none, one without a name) through which the judge hands inputs
// to a runner. The runner inherits the descriptor.
class SharedInputFile {
 public:
  SharedInputFile();  // throws std::system_error
  ~SharedInputFile();
  SharedInputFile(const SharedInputFile&) = delete;
  SharedInputFile& operator=(const SharedInputFile&) = delete;

  int descriptor() const { return descriptor_; }

  // Replaces the contents by `length` bytes of the input from `offset` on. What the input leaves at 0 becomes
  // a hole. Throws problems::InputError; std::system_error where there is no room.
  void write(const problems::Input& input, std::uint64_t offset, std::uint64_t length);
  void write(const problems::Input& input) { write(input, 0, input.length()); }

 private:
  int descriptor_ = -1;
};

}  // namespace judge
