// SPDX-License-Identifier: MIT
#include "judge/side_mistakes.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace judge {

namespace {

bool is_index(const Token& token) {
  return is_one_of(token, {"threadIdx", "blockIdx", "blockDim", "gridDim"});
}

// Behind these a name is used, not declared.
bool comes_before_use(const Token& token) {
  return !token.is_name() || is_one_of(token, {"return", "else", "do", "case", "co_return", "not", "and",
                                               "or", "sizeof", "throw"});
}

// A part of something else: `shape.blockDim`, `shape->blockDim`, `my::blockDim`.
bool is_part(const std::vector<Token>& tokens, std::size_t at) {
  if (at == 0) return false;
  return is_one_of(tokens[at - 1], {".", "::"}) ||
         (at > 1 && tokens[at - 1].is(">") && tokens[at - 2].is("-") &&
          tokens[at - 2].end == tokens[at - 1].begin);
}

// Whether the function has a parameter or a variable of this name. Nobody forbids `dim3 blockDim(256);`.
bool declares(const FunctionsOfFile& file, const SourceFunction& function, std::string_view name) {
  for (std::size_t at = function.name_at + 1; at < function.body_end; ++at) {
    if (file.tokens[at].is(name) && !comes_before_use(file.tokens[at - 1])) return true;
  }
  return false;
}

bool holds(const FunctionsOfFile& file, const SourceFunction& function, std::string_view word) {
  return std::any_of(file.tokens.begin() + static_cast<std::ptrdiff_t>(function.body),
                     file.tokens.begin() + static_cast<std::ptrdiff_t>(function.body_end),
                     [&](const Token& token) { return token.is(word); });
}

}  // namespace

std::optional<KernelMistake> missing_global(const FunctionsOfFile& file, std::string_view kernel) {
  const auto definition = std::ranges::find_if(file.all, [&](const SourceFunction& function) {
    return function.name == kernel && !function.is_member;
  });
  if (definition == file.all.end() || definition->side == SourceFunction::Side::kernel ||
      definition->side == SourceFunction::Side::unknown)
    return std::nullopt;
  // A declaration further up may have it.
  bool has_global = false;
  for (std::size_t at = 0; at < definition->name_at; ++at) {
    if (file.tokens[at].is("__global__")) has_global = true;
    if (is_one_of(file.tokens[at], {";", "{", "}"})) has_global = false;
    if (has_global && file.tokens[at].is(kernel)) return std::nullopt;
  }
  return KernelMistake{
      definition->line,
      fmt::format("{} has no __global__ in front of it: only a function that has it can be launched",
                  kernel)};
}

std::optional<KernelMistake> index_on_host(const FunctionsOfFile& file) {
  for (const SourceFunction& function : file.all) {
    if (!function.is_for_host_alone() || holds(file, function, "__device__")) continue;
    for (std::size_t at = function.body; at + 1 < function.body_end; ++at) {
      const Token& token = file.tokens[at];
      if (!is_index(token) || !file.tokens[at + 1].is(".") || is_part(file.tokens, at) ||
          declares(file, function, token.text))
        continue;
      return KernelMistake{token.line, fmt::format("{} is there in kernels only, and {} is a function of the "
                                                   "host",
                                                   token.text, function.name)};
    }
  }
  return std::nullopt;
}

namespace {

// The token behind `<...>`, if such a list begins at `at`.
std::size_t behind_arguments(const std::vector<Token>& tokens, std::size_t at, std::size_t end) {
  // `<<<` begins a launch.
  if (at + 1 >= end || !tokens[at].is("<") || tokens[at + 1].is("<")) return at;
  int depth = 0;
  for (std::size_t i = at; i < end && !is_one_of(tokens[i], {";", "{", "}"}); ++i) {
    if (tokens[i].is("<")) ++depth;
    if (tokens[i].is(">") && --depth == 0) return i + 1;
  }
  return at;
}

}  // namespace

std::optional<KernelMistake> call_of_kernel(const FunctionsOfFile& file) {
  const auto is_kernel = [&](const Token& token) {
    return std::ranges::any_of(file.all, [&](const SourceFunction& function) {
      return function.name == token.text && function.side == SourceFunction::Side::kernel &&
             !function.is_member;
    });
  };
  for (const SourceFunction& function : file.all) {
    for (std::size_t at = function.body; at + 1 < function.body_end; ++at) {
      const Token& token = file.tokens[at];
      if (!token.is_name() || !is_kernel(token) || is_part(file.tokens, at) ||
          declares(file, function, token.text))
        continue;
      const std::size_t behind = behind_arguments(file.tokens, at + 1, function.body_end);
      if (!file.tokens[behind].is("(")) continue;
      return KernelMistake{token.line,
                           fmt::format("{} is a kernel: it is launched, and cannot be called", token.text)};
    }
  }
  return std::nullopt;
}

}  // namespace judge
