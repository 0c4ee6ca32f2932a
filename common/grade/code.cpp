// SPDX-License-Identifier: MIT
#include "grade/code.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>

namespace grade {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Without // and /* */ comments.
std::string without_comments(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view two = text.substr(i, 2);
    if (two == "//" || two == "/*") {
      const std::size_t end = two == "//" ? text.find('\n', i) : text.find("*/", i + 2);
      if (end == std::string_view::npos) break;
      i = two == "//" ? end - 1 : end + 1;
      continue;
    }
    result += text[i];
  }
  return result;
}

bool is_name(const std::string& token) {
  return is_word(token.front()) && !std::isdigit(static_cast<unsigned char>(token.front()));
}

using Tokens = std::vector<std::string>;

// A byte for each token, the same for every name: code that differs in names alone has the same shape, and
// little else has.
std::string shape_of(const Tokens& tokens) {
  std::string shape;
  for (const std::string& token : tokens)
    shape += is_name(token) ? '\0' : static_cast<char>(1 + std::hash<std::string>()(token) % 255);
  return shape;
}

// The same but for names, each of which stands for one of the other's throughout.
bool is_same_code(const Tokens& part, const std::string* tokens) {
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (is_name(part[i]) ? !is_name(tokens[i]) : part[i] != tokens[i]) return false;
  }
  std::map<std::string_view, std::string_view> there, back;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (there.emplace(part[i], tokens[i]).first->second != tokens[i] ||
        back.emplace(tokens[i], part[i]).first->second != part[i])
      return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> tokens_in(std::string_view text) {
  std::vector<std::string> tokens;
  const std::string code = without_comments(text);
  for (std::size_t i = 0; i < code.size();) {
    std::size_t end = i + 1;
    while (is_word(code[i]) && end < code.size() && is_word(code[end])) ++end;
    if (!std::isspace(static_cast<unsigned char>(code[i]))) tokens.push_back(code.substr(i, end - i));
    i = end;
  }
  return tokens;
}

std::string code_of(std::string_view text) {
  std::map<std::string, std::size_t> numbers;
  std::string code;
  for (const std::string& token : tokens_in(text))
    code += is_name(token) ? fmt::format("n{} ", numbers.emplace(token, numbers.size()).first->second)
                           : token + " ";
  return code;
}

void Parts::add(std::string_view part) {
  Tokens tokens = tokens_in(part);
  std::string shape = shape_of(tokens);
  parts_.push_back({std::move(tokens), std::move(shape)});
}

bool Parts::any_in(std::string_view text) const {
  if (parts_.empty()) return false;
  const Tokens tokens = tokens_in(text);
  const std::string shape = shape_of(tokens);
  return std::ranges::any_of(parts_, [&](const Part& part) {
    for (std::size_t at = shape.find(part.shape); at != std::string::npos;
         at = shape.find(part.shape, at + 1)) {
      if (is_same_code(part.tokens, tokens.data() + at)) return true;
    }
    return false;
  });
}

}  // namespace grade
