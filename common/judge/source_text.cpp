// SPDX-License-Identifier: MIT
#include "judge/source_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace judge {

namespace {

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Where the comment or literal that begins at `at` ends; `at` itself where none begins.
std::size_t end_of_no_code(std::string_view text, std::size_t at) {
  const auto past = [&](std::string_view end, std::size_t from) {
    return std::min(text.find(end, from), text.size() - end.size()) + end.size();
  };
  const char c = text[at];
  if (text.substr(at, 2) == "//") return std::min(text.find('\n', at), text.size());
  if (text.substr(at, 2) == "/*") return text.size() < at + 4 ? text.size() : past("*/", at + 2);
  // 1'000'000 holds no characters
  if (c != '"' && (c != '\'' || (at > 0 && is_of_name(text[at - 1])))) return at;
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != c && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

std::string_view line_of(std::string_view text, int line) {
  if (line < 1) return {};
  for (int before = 1; before < line; ++before) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

int line_at(std::string_view text, std::size_t at) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + at, '\n'));
}

struct Brace {
  std::size_t at, indentation;  // of its line
};

}  // namespace

std::string code_of(std::string_view text) {
  std::string code(text);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_no_code(text, at);
    for (std::size_t blank = at; blank < end; ++blank) {
      if (code[blank] != '\n') code[blank] = ' ';
    }
    at = std::max(end, at + 1);
  }
  return code;
}

std::optional<int> line_that_names(std::string_view text, std::string_view name) {
  const std::string code = code_of(text);
  for (std::size_t at = code.find(name); at != std::string::npos; at = code.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_of_name(code[at - 1])) && (end == code.size() || !is_of_name(code[end])))
      return line_at(code, at);
  }
  return std::nullopt;
}

std::optional<int> line_of_unclosed_brace(std::string_view text) {
  const std::string code = code_of(text);
  std::vector<Brace> open;
  std::optional<std::size_t> closed_by_anothers;
  std::size_t first_of_line = 0, indentation = 0;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (at == 0 || code[at - 1] == '\n') {
      first_of_line = std::min(code.find_first_not_of(" \t", at), code.size());
      indentation = first_of_line - at;
    }
    if (code[at] == '{') open.push_back({at, indentation});
    if (code[at] != '}') continue;
    if (open.empty()) return std::nullopt;
    const bool belongs = at != first_of_line || indentation >= open.back().indentation;
    if (!belongs && !closed_by_anothers) closed_by_anothers = open.back().at;
    open.pop_back();
  }
  if (open.empty()) return std::nullopt;
  return line_at(code, closed_by_anothers.value_or(open.front().at));
}

std::string excerpt(std::string_view text, int line) {
  const std::string_view shown = line_of(text, line);
  return shown.empty() ? "" : fmt::format("{:>5} | {}", line, shown);
}

int last_line(std::string_view text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  return end == std::string_view::npos ? 0 : line_at(text, end);
}

}  // namespace judge
