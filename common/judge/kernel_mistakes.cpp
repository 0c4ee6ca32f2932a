// SPDX-License-Identifier: MIT
#include "judge/kernel_mistakes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "judge/device_code.hpp"
#include "judge/host_members.hpp"
#include "judge/host_names.hpp"
#include "judge/source_text.hpp"
#include "judge/tokens.hpp"
#include "os/files.hpp"
#include "problems/problem.hpp"

namespace judge {

namespace {

// The tokens are gone through again and again: of a file with more than anybody writes by hand there are
// none.
std::vector<Token> tokens_to_judge(std::string_view text) {
  constexpr std::size_t most = 10'000;
  std::vector<Token> tokens = tokens_of(text).all;
  if (tokens.size() > most) tokens.clear();
  return tokens;
}

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

// The names that the declaration behind `__shared__` at `at` declares.
void add_shared_names(const std::vector<Token>& tokens, std::size_t at, std::set<std::string>& names) {
  for (std::size_t i = at + 1; i + 1 < tokens.size() && !is_one_of(tokens[i], {";", "{"}); ++i) {
    if (tokens[i].is_name() && is_one_of(tokens[i + 1], {"[", ";", ","})) names.insert(tokens[i].text);
  }
}

// The name of a variable in shared memory that the lambda captures whose bracket stands at `at`; empty if it
// is none, or does not.
std::string shared_capture(const std::vector<Token>& tokens, std::size_t at,
                           const std::set<std::string>& shared) {
  if (at == 0 || !tokens[at].is("[") || tokens[at - 1].is_name() ||
      is_one_of(tokens[at - 1], {"]", ")", "[", ">"}))
    return {};
  std::string found;
  std::size_t i = at + 1;
  for (; i < tokens.size() && !tokens[i].is("]"); ++i) {
    const bool begins = is_one_of(tokens[i - 1], {"[", ",", "&"}),
               ends = is_one_of(tokens[i + 1], {",", "]"});
    const bool is_first = !tokens[i - 1].is("&") || is_one_of(tokens[i - 2], {"[", ","});
    if (begins && ends && is_first && shared.contains(tokens[i].text)) found = tokens[i].text;
  }
  return i + 1 < tokens.size() && is_one_of(tokens[i + 1], {"(", "{"}) ? found : "";
}

// What makes nvcc refuse the device code at this token; nullopt if nothing does.
std::optional<std::string> mistake_in_device_code(const std::vector<Token>& tokens, std::size_t at,
                                                  const std::set<std::string>& shared) {
  if (const std::string name = shared_capture(tokens, at, shared); !name.empty())
    return fmt::format("a lambda cannot capture {} by its name, for it is in shared memory", name);
  if (tokens[at].is("__device__") && at > 0 && is_one_of(tokens[at - 1], {";", "{", "}"}))
    return "a variable of a function cannot be __device__";
  return std::nullopt;
}

}  // namespace

std::optional<KernelMistake> find_kernel_mistake(std::string_view text) {
  const std::vector<Token> tokens = tokens_to_judge(text);
  const HostNames host(tokens);
  const HostMembers members(tokens);
  DeviceCode device;
  std::set<std::string> shared;
  std::size_t end_of_kernel = 0, end_of_directive = 0;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (const auto directive = directive_at(tokens, at); !directive.empty())
      end_of_directive = at + directive.size();
    if (at >= end_of_directive && device.is_here()) {
      if (tokens[at].is("__shared__")) add_shared_names(tokens, at, shared);
      auto words = mistake_in_device_code(tokens, at, shared);
      if (!words) words = host.mistake_at(at);
      if (!words) words = members.mistake_at(at);
      if (words) return KernelMistake{tokens[at].line, *words};
    } else if (at >= end_of_directive) {
      shared.clear();
    }
    if (at >= end_of_directive) device.follow(tokens[at]);
    if (at > 1 && tokens[at - 1].is("]") && !tokens[at - 2].is("]") &&
        is_one_of(tokens[at], {"__device__", "__host__"})) {
      return KernelMistake{tokens[at].line,
                           "a lambda with __device__ or __host__ takes an option of nvcc's that "
                           "is not set here (--extended-lambda)"};
    }
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

std::optional<KernelMistake> find_missing_global(std::string_view text, std::string_view kernel) {
  const std::vector<Token> tokens = tokens_to_judge(text);
  std::optional<KernelMistake> found;
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
    if (!tokens[at].is(kernel) || !tokens[at + 1].is("(") || !tokens[at - 1].is("void")) continue;
    for (std::size_t before = at; before-- > 0 && !is_one_of(tokens[before], {";", "{", "}"});) {
      // a macro may hold it
      if (tokens[before].is("__global__") || is_in_capitals(tokens[before])) return std::nullopt;
    }
    found =
        KernelMistake{tokens[at].line, fmt::format("{} cannot be launched: it is not __global__", kernel)};
  }
  return found;
}

std::optional<facts::Finding> kernel_mistake(const workbook::Workbook& workbook,
                                             const workbook::Target& target) {
  const std::string text = os::read_file(target.source).value_or("");
  auto mistake = find_kernel_mistake(text);
  for (const auto& [name, declaration] : problems::find_problem(target.exercise.problem)->entry(true)) {
    if (!mistake && std::string_view(declaration).find("__global__") != std::string_view::npos)
      mistake = find_missing_global(text, name);
  }
  if (!mistake) return std::nullopt;
  const std::string file = workbook.shortened(target.source);
  facts::Finding finding{
      facts::Verdict::build_error,
      fmt::format("{}:{}: error: {}\n{}", file, mistake->line, mistake->words, excerpt(text, mistake->line))};
  finding.where.push_back({file, mistake->line});
  return finding;
}

}  // namespace judge
