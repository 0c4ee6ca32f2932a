// SPDX-License-Identifier: MIT
// A C++ file as the tokens that a compiler's preprocessor sees, before macros are expanded: without comments,
// with lines joined that end in a backslash, digraphs in their usual spelling.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace judge {

struct Token {
  enum class Kind { identifier, number, string, character, header, punctuator };
  Kind kind;
  std::string text;  // as written, a header's name with its quotes or brackets
  int line;          // from 1, in the file, whatever a #line says
  bool starts_line;  // the first of a line, so that '#' begins a directive
  std::size_t begin, end;

  bool is(std::string_view wanted) const { return text == wanted; }
  bool is_name() const { return kind == Kind::identifier; }
};

inline bool is_one_of(const Token& token, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return token.is(word); });
}

// Something that compilers do not agree on how to read.
struct Oddity {
  int line;
  std::string words;
};

struct Tokens {
  std::vector<Token> all;
  std::vector<Oddity> oddities;
};

// A literal that is never closed ends with its line, a comment with the file.
Tokens tokens_of(std::string_view text);

// Written as macros are, and nothing else.
bool is_in_capitals(const Token& token);

// The directive that begins at token `at`, from its '#' to the end of its line; empty if none does.
std::span<const Token> directive_at(std::span<const Token> tokens, std::size_t at);

}  // namespace judge
