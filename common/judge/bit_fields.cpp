// SPDX-License-Identifier: MIT
#include "judge/bit_fields.hpp"

#include <fmt/core.h>

#include <set>
#include <utility>
#include <vector>

#include "judge/tokens.hpp"

namespace judge {

namespace {

// The members that are declared with a width: `unsigned even : 16, odd : 16;` in a struct's body.
std::set<std::string> bit_fields(const std::vector<Token>& tokens) {
  std::set<std::string> fields;
  std::vector<bool> is_body;  // of a struct, for each open brace
  bool is_head = false;       // of a struct
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (is_one_of(tokens[at], {"struct", "class", "union"})) is_head = true;
    if (is_one_of(tokens[at], {";", ")", ">"})) is_head = false;
    if (tokens[at].is("{")) is_body.push_back(std::exchange(is_head, false));
    if (tokens[at].is("}") && !is_body.empty()) is_body.pop_back();
    const bool is_field = at > 0 && tokens[at].is(":") && !is_body.empty() && is_body.back();
    const bool is_access = is_field && is_one_of(tokens[at - 1], {"public", "private", "protected"});
    if (is_field && !is_access && tokens[at - 1].is_name()) fields.insert(tokens[at - 1].text);
  }
  return fields;
}

// Those that are named on the line as members.
std::set<std::string> used_on(int line, const std::set<std::string>& fields,
                              const std::vector<Token>& tokens) {
  std::set<std::string> used;
  for (std::size_t at = 1; at < tokens.size(); ++at) {
    const bool is_member = is_one_of(tokens[at - 1], {".", "->", ">"});
    if (tokens[at].line == line && is_member && fields.count(tokens[at].text)) used.insert(tokens[at].text);
  }
  return used;
}

}  // namespace

std::optional<std::string> fields_of_one_word(const facts::Finding& race, std::string_view text) {
  if (race.where.size() != 2) return std::nullopt;
  const std::vector<Token> tokens = tokens_of(text).all;
  const std::set<std::string> fields = bit_fields(tokens);
  if (fields.empty()) return std::nullopt;
  const auto one = used_on(race.where.front().line, fields, tokens),
             other = used_on(race.where.back().line, fields, tokens);
  if (one.size() != 1 || other.size() != 1 || one == other) return std::nullopt;
  return fmt::format(
      "`{}` and `{}` are bit-fields, which lie in one word: a thread that writes one writes "
      "the word",
      *one.begin(), *other.begin());
}

}  // namespace judge
