// SPDX-License-Identifier: MIT
#include "judge/device_mistakes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "judge/device_code.hpp"
#include "judge/host_members.hpp"
#include "judge/host_names.hpp"
#include "judge/tokens.hpp"

namespace judge {

namespace {

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

std::optional<KernelMistake> device_mistake(std::string_view text) {
  const std::vector<Token> tokens = tokens_of(text).all;
  const HostNames host(tokens);
  const HostMembers members(tokens);
  DeviceCode device;
  std::set<std::string> shared;
  std::size_t end_of_directive = 0;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (const auto directive = directive_at(tokens, at); !directive.empty())
      end_of_directive = at + directive.size();
    if (at < end_of_directive) continue;
    if (device.is_here()) {
      if (tokens[at].is("__shared__")) add_shared_names(tokens, at, shared);
      auto words = mistake_in_device_code(tokens, at, shared);
      if (!words) words = host.mistake_at(at);
      if (!words) words = members.mistake_at(at);
      if (words) return KernelMistake{tokens[at].line, *words};
    } else {
      shared.clear();
    }
    device.follow(tokens[at]);
    if (at > 1 && tokens[at - 1].is("]") && !tokens[at - 2].is("]") &&
        is_one_of(tokens[at], {"__device__", "__host__"})) {
      return KernelMistake{tokens[at].line,
                           "a lambda with __device__ or __host__ takes an option of nvcc's that "
                           "is not set here (--extended-lambda)"};
    }
  }
  return std::nullopt;
}

}  // namespace judge
