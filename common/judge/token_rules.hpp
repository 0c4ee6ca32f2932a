// SPDX-License-Identifier: MIT
// The rules that a student's tokens are held to: each hides, from the simulator or from a reader, what code
// does.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "judge/tokens.hpp"

namespace judge {

// Namespaces of the harness.
inline constexpr std::array<std::string_view, 7> rooms{"facts",  "histogram", "os",      "problems",
                                                       "runner", "simulator", "workbook"};

struct Violation {
  int line;           // in the file
  std::string words;  // at this line
  std::string rule;   // and the way out, in one sentence
};

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

struct TokenRules {
  const Macros& macros;
  const std::set<std::string>& of_entry;  // words of the harness's that are compiled behind the file
  bool on_gpu;
  const std::set<std::string>& own_namespaces;
  bool joins_names;
  const std::set<std::string>& pasted;
};

// The directive that begins at token `at`, from its '#' to the end of its line; empty if none does.
std::span<const Token> directive_at(std::span<const Token> tokens, std::size_t at);

// All violations in a file, in no order.
std::vector<Violation> violations_in(const Tokens& tokens, const TokenRules& rules);

}  // namespace judge
