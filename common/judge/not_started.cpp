// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "judge/check.hpp"
#include "judge/tokens.hpp"
#include "os/files.hpp"

namespace judge {

namespace {

std::string without_white_space(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c); });
  return text;
}

// Whether a compiler reads the same in both texts: comments and white space may differ. A `#` that begins a
// line is another token than one within.
bool holds_same_code(std::string_view text, std::string_view other) {
  return std::ranges::equal(tokens_of(text).all, tokens_of(other).all, [](const Token& a, const Token& b) {
    return a.text == b.text && (!a.is("#") || a.starts_line == b.starts_line);
  });
}

}  // namespace

bool equals_skeleton(const std::string& file, const std::optional<std::string>& skeleton) {
  const std::optional<std::string> text = os::read_file(file);
  return text && skeleton && holds_same_code(*text, *skeleton);
}

bool holds_skeleton(const std::string& file, const std::optional<std::string>& skeleton) {
  const std::optional<std::string> text = os::read_file(file);
  return text && skeleton && without_white_space(*text) == without_white_space(*skeleton);
}

std::optional<facts::Finding> not_started(const workbook::Workbook& workbook,
                                          const workbook::Target& target) {
  if (target.tree != workbook::Tree::student ||
      !equals_skeleton(target.source, workbook.skeleton(target.exercise)))
    return std::nullopt;
  return facts::Finding{facts::Verdict::not_started, fmt::format("{} is unchanged since it was handed out",
                                                                 workbook.shortened(target.source))};
}

}  // namespace judge
