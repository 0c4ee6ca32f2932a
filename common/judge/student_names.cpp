// SPDX-License-Identifier: MIT
#include "judge/student_names.hpp"

#include "judge/source_text.hpp"
#include "judge/tokens.hpp"
#include "os/files.hpp"

namespace judge {

std::vector<std::string> parameter_names(std::string_view text, std::string_view function) {
  const std::vector<Token> tokens = tokens_of(text).all;
  std::size_t at = 0;
  while (at + 1 < tokens.size() && !(tokens[at].is(function) && tokens[at + 1].is("("))) ++at;
  std::vector<std::string> names;
  if (at + 1 >= tokens.size()) return names;
  int depth = 0, angles = 0;
  bool is_over = false;  // behind the name: a default, or an array's extent
  std::string name;
  for (++at; at < tokens.size(); ++at) {
    const Token& token = tokens[at];
    if (token.is("(")) ++depth;
    if (token.is("<")) ++angles;
    if (token.is(">")) --angles;
    if (token.is(")")) --depth;
    const bool ends = depth == 0 || (token.is(",") && depth == 1 && angles == 0);
    if (ends) {
      names.push_back(name);
      name.clear();
      is_over = false;
      if (depth == 0) return names;
      continue;
    }
    is_over |= token.is("=") || token.is("[");
    if (token.is_name() && depth == 1 && angles == 0 && !is_over) name = token.text;
  }
  return {};
}

StudentNames::StudentNames(const problems::Problem& problem, bool launched, const std::string& source)
    : source_(source) {
  const problems::Callee& callee = problem.entry(launched).front();
  const std::string text = source.empty() ? "" : os::read_file(source).value_or("");
  const std::vector<std::string> own = parameter_names(text, callee.name);
  const std::vector<std::string> usual = parameter_names(callee.declaration, callee.name);
  if (own.size() != usual.size()) return;
  for (std::size_t i = 0; i < own.size(); ++i) {
    // Where the file gives the usual name to something else, both would be called the same.
    if (own[i].empty() || own[i] == usual[i] || line_that_names(text, usual[i])) continue;
    names_.emplace_back(usual[i], own[i]);
  }
}

std::string StudentNames::in(std::string text) const {
  for (const auto& [usual, own] : names_) {
    for (std::size_t at = 0; (at = find_name(text, usual, at)) != std::string::npos; at += own.size()) {
      // A word of a sentence, or the option of a command, is no name.
      const bool is_element = at + usual.size() < text.size() && text[at + usual.size()] == '[';
      const bool is_quoted = at > 0 && text[at - 1] == '`';
      const bool is_subject = text.compare(at + usual.size(), 5, " has ") == 0;
      if (is_element || is_quoted || is_subject) text.replace(at, usual.size(), own);
    }
  }
  return text;
}

}  // namespace judge
