// SPDX-License-Identifier: MIT
// The rules that a student's tokens are held to: each hides, from the simulator or from a reader, what code
// does.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "judge/own_names.hpp"
#include "judge/tokens.hpp"

namespace judge {

// Whether it is a namespace of the harness that a unit for this problem knows.
bool is_room(std::string_view name, std::string_view problem);

struct Violation {
  int line;           // in the file
  std::string words;  // at this line
  std::string rule;   // and the way out, in one sentence
};

struct TokenRules {
  std::string_view problem;
  const Macros& macros;
  const std::set<std::string>& of_entry;  // words of the harness's that are compiled behind the file
  bool on_gpu;
  const std::set<std::string>& own_namespaces;
  bool joins_names;
  const std::set<std::string>& pasted;
};

// All violations in a file, in no order.
std::vector<Violation> violations_in(const Tokens& tokens, const TokenRules& rules);

}  // namespace judge
