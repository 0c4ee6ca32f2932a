// SPDX-License-Identifier: MIT
// Source text as it is compared: comments, white space and the choice of names aside.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grade {

// Words, and other characters that are neither white space nor in a comment, each a string.
std::vector<std::string> tokens_in(std::string_view text);

// A text without comments and white space, and with its names numbered in their order: the same for two that
// differ in these alone.
std::string code_of(std::string_view text);

// Parts of code that are looked for in texts.
class Parts {
 public:
  void add(std::string_view part);
  // Whether one of them stands in the text, with whatever names.
  bool any_in(std::string_view text) const;

 private:
  struct Part {
    std::vector<std::string> tokens;
    std::string shape;  // a byte for each token, see code.cpp
  };
  std::vector<Part> parts_;
};

}  // namespace grade
