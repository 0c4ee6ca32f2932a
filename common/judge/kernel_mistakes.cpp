// SPDX-License-Identifier: MIT
#include "judge/kernel_mistakes.hpp"

#include <fmt/core.h>

#include "judge/source_text.hpp"
#include "judge/tokens.hpp"
#include "os/files.hpp"

namespace judge {

namespace {

// Whether the declaration that follows `__shared__` gives a value.
bool has_initialiser(const std::vector<Token>& tokens, std::size_t at) {
  bool is_type = false;  // the brace that follows is that of a type's members
  for (; at < tokens.size() && !tokens[at].is(";"); ++at) {
    if (tokens[at].is("struct") || tokens[at].is("union") || tokens[at].is("class")) is_type = true;
    if (tokens[at].is("=")) return true;
    if (tokens[at].is("{")) return !is_type;
  }
  return false;
}

// The token behind the body of the function whose qualifier stands at `at`; the end if it has none.
std::size_t end_of_function(const std::vector<Token>& tokens, std::size_t at) {
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    if (tokens[at].is(";") && depth == 0) return at;
    if (tokens[at].is("{")) ++depth;
    if (tokens[at].is("}") && --depth == 0) return at;
  }
  return at;
}

}  // namespace

std::optional<KernelMistake> find_kernel_mistake(std::string_view text) {
  const std::vector<Token> tokens = tokens_of(text).all;
  std::size_t end_of_kernel = 0;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].is("__shared__") && has_initialiser(tokens, at)) {
      return KernelMistake{tokens[at].line,
                           "a variable in shared memory cannot have an initial value: each block finds in it "
                           "whatever an earlier block left"};
    }
    if (tokens[at].is("__global__") || tokens[at].is("__device__"))
      end_of_kernel = end_of_function(tokens, at);
    const bool is_stream = tokens[at].is("cout") || tokens[at].is("cerr") || tokens[at].is("clog");
    if (is_stream && at < end_of_kernel) {
      return KernelMistake{tokens[at].line, fmt::format("std::{} belongs to the host: a kernel cannot use it",
                                                        tokens[at].text)};
    }
  }
  return std::nullopt;
}

std::optional<facts::Finding> kernel_mistake(const workbook::Workbook& workbook,
                                             const workbook::Target& target) {
  const std::string text = os::read_file(target.source).value_or("");
  const auto mistake = find_kernel_mistake(text);
  if (!mistake) return std::nullopt;
  const std::string file = workbook.shortened(target.source);
  facts::Finding finding{
      facts::Verdict::build_error,
      fmt::format("{}:{}: error: {}\n{}", file, mistake->line, mistake->words, excerpt(text, mistake->line))};
  finding.where.push_back({file, mistake->line});
  return finding;
}

}  // namespace judge
