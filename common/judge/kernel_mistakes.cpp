// SPDX-License-Identifier: MIT
#include "judge/kernel_mistakes.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "judge/device_mistakes.hpp"
#include "judge/side_mistakes.hpp"
#include "judge/source_functions.hpp"
#include "judge/source_text.hpp"
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

std::optional<KernelMistake> initialised_shared(const FunctionsOfFile& file) {
  for (std::size_t at = 0; at < file.tokens.size(); ++at) {
    if (!file.tokens[at].is("__shared__") || !has_initialiser(file.tokens, at)) continue;
    return KernelMistake{file.tokens[at].line,
                         "a variable in shared memory cannot have an initial value: each block finds in it "
                         "whatever an earlier block left"};
  }
  return std::nullopt;
}

std::optional<KernelMistake> stream_on_device(const FunctionsOfFile& file) {
  for (const SourceFunction& function : file.all) {
    if (!function.is_for_device()) continue;
    for (std::size_t at = function.body; at < function.body_end; ++at) {
      const Token& token = file.tokens[at];
      if (!is_one_of(token, {"cout", "cerr", "clog"})) continue;
      return KernelMistake{token.line,
                           fmt::format("std::{} belongs to the host: a kernel cannot use it", token.text)};
    }
  }
  return std::nullopt;
}

std::optional<KernelMistake> exception_on_device(const FunctionsOfFile& file) {
  for (const SourceFunction& function : file.all) {
    if (!function.is_for_device()) continue;
    for (std::size_t at = function.body; at < function.body_end; ++at) {
      const Token& token = file.tokens[at];
      if (!is_one_of(token, {"throw", "try", "catch"})) continue;
      return KernelMistake{token.line,
                           fmt::format("there are no exceptions in a kernel, and no `{}`", token.text)};
    }
  }
  return std::nullopt;
}

// A statement that is the name of a function, where a call is meant: `__syncthreads;`. nvcc warns of it only,
// but nothing can be meant by it.
std::optional<KernelMistake> name_without_call(const FunctionsOfFile& file) {
  const auto is_function = [&](const Token& token) {
    return token.text.starts_with("__sync") || token.text.starts_with("__threadfence") ||
           std::ranges::any_of(file.all, [&](const SourceFunction& function) {
             return function.name == token.text && !function.is_member;
           });
  };
  for (const SourceFunction& function : file.all) {
    for (std::size_t at = function.body + 1; at + 1 < function.body_end; ++at) {
      const Token &token = file.tokens[at], &before = file.tokens[at - 1];
      if (!token.is_name() || !file.tokens[at + 1].is(";") || !is_function(token) ||
          !is_one_of(before, {";", "{", "}", ")", "else", "do"}))
        continue;
      // `(void)helper;` says that helper is left unused on purpose
      if (before.is(")") && file.tokens[at - 2].is("void")) continue;
      return KernelMistake{token.line,
                           fmt::format("`{};` names the function and does not call it", token.text)};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string_view> kernel_in(std::span<const problems::Callee> entry) {
  for (const auto& [name, declaration] : entry) {
    if (declaration.find("__global__") != std::string_view::npos) return name;
  }
  return std::nullopt;
}

std::optional<KernelMistake> find_kernel_mistake(std::string_view text,
                                                 std::span<const problems::Callee> entry) {
  // They are gone through again and again: of a file with more than anybody writes by hand nothing is said.
  constexpr std::size_t most_tokens = 10'000;
  const FunctionsOfFile file(text);
  if (file.tokens.size() > most_tokens) return std::nullopt;
  if (const auto kernel = kernel_in(entry)) {
    if (auto mistake = missing_global(file, *kernel)) return mistake;
  }
  for (const auto rule : {&initialised_shared, &stream_on_device, &exception_on_device, &index_on_host,
                          &call_of_kernel, &name_without_call}) {
    if (auto mistake = rule(file)) return mistake;
  }
  return device_mistake(text);
}

std::optional<facts::Finding> kernel_mistake(const workbook::Workbook& workbook,
                                             const workbook::Target& target) {
  const std::string text = os::read_file(target.source).value_or("");
  const problems::Problem& problem = *problems::find_problem(target.exercise.problem);
  const auto mistake = find_kernel_mistake(text, problem.entry(target.exercise.launched));
  if (!mistake) return std::nullopt;
  const std::string file = workbook.shortened(target.source);
  facts::Finding finding{
      facts::Verdict::build_error,
      fmt::format("{}:{}: error: {}\n{}", file, mistake->line, mistake->words, excerpt(text, mistake->line))};
  finding.where.push_back({file, mistake->line});
  return finding;
}

}  // namespace judge
