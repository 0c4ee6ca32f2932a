// SPDX-License-Identifier: MIT
#pragma once

#include "problems/input.hpp"

namespace runner {

// The input that the judge has written into a file which both processes have open. Holes in the file are
// stretches of zeros that nobody has to read.
class SharedInput final : public problems::Input {
 public:
  SharedInput(int descriptor, std::uint64_t length) : descriptor_(descriptor), length_(length) {}

  std::uint64_t length() const override { return length_; }
  void read(std::uint64_t offset, std::span<unsigned char> out) const override;
  std::vector<problems::Extent> extents() const override;

 private:
  int descriptor_;
  std::uint64_t length_;
};

}  // namespace runner
