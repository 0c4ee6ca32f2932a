// SPDX-License-Identifier: MIT
// The functions that a file defines, and on which side of CUDA each of them runs.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "judge/tokens.hpp"

namespace judge {

struct SourceFunction {
  // Unknown: a macro stands in its head, which may hold any qualifier.
  enum class Side { host, device, kernel, both, unknown };
  std::string name;
  int line = 0;  // of its name
  Side side = Side::host;
  bool is_member = false;                           // of a class or a namespace
  bool is_evaluated = false;                        // constexpr or consteval, which nvcc lets both sides call
  std::size_t name_at = 0, body = 0, body_end = 0;  // tokens: the braces of the body

  bool is_for_host_alone() const { return side == Side::host && !is_evaluated; }
  bool is_for_device() const { return side == Side::device || side == Side::kernel; }
};

// A file's text as tokens without its directives, which stand anywhere, and its functions with a body, in
// their order.
struct FunctionsOfFile {
  explicit FunctionsOfFile(std::string_view text);

  std::vector<Token> tokens;
  std::set<std::string> macros;  // that the file defines
  std::vector<SourceFunction> all;
};

}  // namespace judge
