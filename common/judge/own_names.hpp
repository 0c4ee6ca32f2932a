// SPDX-License-Identifier: MIT
// The macros that a student's files define, and the names that they declare.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "judge/tokens.hpp"

namespace judge {

struct Macro {
  std::vector<Token> body;  // from its name on
};

// All macros that the student's files define, wherever.
using Macros = std::map<std::string, std::vector<Macro>>;

// Names in the student's files.
struct OwnNames {
  std::set<std::string> spaces;     // namespaces and classes
  bool inlines_namespaces = false;  // perhaps: what is in such a one counts as outside of it
  std::set<std::string> pasted;     // words that macros may join: handed to them, or in their bodies
};

// Adds those of a file.
void add_names(std::span<const Token> tokens, const Macros& macros, OwnNames& names);

// Whether macros may put longer names together, or open namespaces, whose parts are not known.
bool joins_names(const Macros& macros);

}  // namespace judge
