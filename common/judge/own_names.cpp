// SPDX-License-Identifier: MIT
#include "judge/own_names.hpp"

namespace judge {

void add_names(std::span<const Token> tokens, const Macros& macros, OwnNames& names) {
  bool unusual = false;
  const Token* before = nullptr;  // outside of directives
  std::size_t end_of_directive = 0;
  int depth = 0;        // of the parentheses in what is handed to a macro
  bool closes = false;  // the next one does
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (const auto directive = directive_at(tokens, i); !directive.empty())
      end_of_directive = i + directive.size();
    const Token& token = tokens[i];
    const Token* const next = i + 1 < tokens.size() ? &tokens[i + 1] : nullptr;
    if (depth > 0 && (token.is_name() || token.kind == Token::Kind::number)) names.pasted.insert(token.text);
    // What a macro leaves behind may be called with what follows.
    const bool may_call = depth > 0 || closes || (token.is_name() && macros.contains(token.text));
    closes = false;
    if (may_call && next && next->is("(")) ++depth;
    if (depth > 0 && next && next->is(")")) closes = --depth == 0;
    if (i < end_of_directive) continue;
    const bool opens = token.is("namespace") || token.is("struct") || token.is("class");
    if (opens && next && next->is_name()) names.spaces.insert(next->text);
    if (token.is("namespace") && before && !before->is(";") && !before->is("{") && !before->is("}") &&
        !before->is("using"))
      unusual = true;
    if (token.is("::") && next && next->is("inline")) unusual = true;
    before = &token;
  }
  names.inlines_namespaces = names.inlines_namespaces || unusual;
}

bool joins_names(const Macros& macros) {
  const auto joins = [&](const std::vector<Token>& body) {
    std::set<std::string> open;  // what is not known here: parameters and other macros
    std::size_t begin = 1;
    if (body.size() > 1 && body[1].is("(") && body[1].begin == body[0].end) {
      for (; begin < body.size() && !body[begin].is(")"); ++begin) open.insert(body[begin].text);
      ++begin;
    }
    const auto is_open = [&](std::size_t i) {
      return i < begin || i >= body.size() || open.contains(body[i].text) || macros.contains(body[i].text) ||
             body[i].is("__VA_ARGS__") || body[i].is("##");
    };
    for (std::size_t i = begin; i < body.size(); ++i) {
      if (body[i].is("::") && (is_open(i - 1) || is_open(i + 1))) return true;
      if (body[i].is("namespace") && is_open(i + 1)) return true;
    }
    return false;
  };
  for (const auto& [name, definitions] : macros) {
    for (const Macro& definition : definitions) {
      if (joins(definition.body)) return true;
    }
  }
  return false;
}

}  // namespace judge
