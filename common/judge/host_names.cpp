// SPDX-License-Identifier: MIT
// Told from tokens, and only where these leave no doubt: a name that stands for something else as well, or
// whose declaration holds a macro, is left alone.
#include "judge/host_names.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace judge {

namespace {

// A word behind which a name is used, not declared.
bool is_word_before_use(const Token& token) {
  return is_one_of(token, {"return", "else", "do", "case", "co_return", "throw", "and", "or", "not", "sizeof",
                           "delete", "goto", "constexpr"});
}

// Other functions of these names are there in kernels.
bool is_overloaded(const std::string& name) {
  static const std::set<std::string> names{"abs", "ceil", "clamp", "exp",   "fabs", "floor", "fma",  "log",
                                           "max", "min",  "pow",   "round", "sqrt", "swap",  "trunc"};
  return names.contains(name) || name.starts_with("__");
}

}  // namespace

bool is_qualifier_of_device(const Token& token) {
  return is_one_of(token, {"__device__", "__global__", "__constant__", "__shared__", "__managed__"});
}

bool is_member_access(const std::vector<Token>& tokens, std::size_t at) {
  return at > 1 && (tokens[at - 1].is(".") || (tokens[at - 1].is(">") && tokens[at - 2].is("-")));
}

HostNames::HostNames(const std::vector<Token>& tokens) : tokens_(tokens) {
  note_members();
  std::size_t head = 0;  // where the declaration that is under way begins
  int bodies = 0;        // braces around what is no namespace's
  for (std::size_t at = 0; at < tokens_.size(); ++at) {
    if (const auto directive = directive_at(tokens_, at); !directive.empty()) {
      if (directive.size() > 2 && directive[1].is("define")) macros_.insert(directive[2].text);
      at += directive.size() - 1;
      if (head + directive.size() >= at) head = at + 1;
      continue;
    }
    if (tokens_[at].is("{")) {
      const bool is_space = bodies == 0 && opens_namespace(head, at);
      if (is_space) {
        head = at + 1;
      } else if (bodies++ == 0) {
        note_head(head, at);
      }
    } else if (tokens_[at].is("}")) {
      bodies = std::max(bodies - 1, 0);
      const bool goes_on = at + 1 < tokens_.size() && is_one_of(tokens_[at + 1], {";", ",", "="});
      if (bodies == 0 && !goes_on) head = at + 1;
    } else if (tokens_[at].is(";") && bodies == 0) {
      note_variables(head, at);
      head = at + 1;
    }
  }
}

// Static constants, and the types that are parameters of templates.
void HostNames::note_members() {
  std::vector<bool> in_class{false};  // for each brace around
  bool begins_class = false;
  for (std::size_t at = 0; at + 1 < tokens_.size(); ++at) {
    if (is_one_of(tokens_[at], {"struct", "class"}) && !(at > 0 && is_one_of(tokens_[at - 1], {"<", ","})))
      begins_class = true;
    if (is_one_of(tokens_[at], {";", ")"})) begins_class = false;
    if (tokens_[at].is("{")) in_class.push_back(std::exchange(begins_class, false));
    if (tokens_[at].is("}") && in_class.size() > 1) in_class.pop_back();
    if (at > 0 && is_one_of(tokens_[at - 1], {"class", "typename"}) &&
        is_one_of(tokens_[at + 1], {">", ",", "="}))
      type_parameters_.insert(tokens_[at].text);
    if (!in_class.back() || !tokens_[at].is("static") || is_qualifier_of_device(tokens_[at - 1])) continue;
    bool is_constant = false;
    std::size_t end = at + 1;
    for (; end < tokens_.size() && !is_one_of(tokens_[end], {"=", ";", "(", "{", "["}); ++end) {
      is_constant = is_constant || is_one_of(tokens_[end], {"const", "constexpr"});
      if (is_qualifier_of_device(tokens_[end])) break;
    }
    if (end < tokens_.size() && is_constant && is_one_of(tokens_[end], {"=", "{"}))
      members_.insert(tokens_[end - 1].text);
    if (end < tokens_.size() && tokens_[end].is("[") && tokens_[end - 1].is_name()) {
      member_arrays_.insert(tokens_[end - 1].text);
      declared_at_.insert(end - 1);
    }
  }
}

// Whether what stands there in front of a brace makes it that of a namespace, or of extern "C".
bool HostNames::opens_namespace(std::size_t begin, std::size_t end) const {
  if (end == begin + 2 && tokens_[begin].is("extern")) return true;
  while (begin < end && !tokens_[begin].is("namespace")) ++begin;
  return begin < end;
}

// Of what a brace follows, in no function or class: a function's name, where it is one.
void HostNames::note_head(std::size_t begin, std::size_t end) {
  bool of_device = false, doubtful = false;
  std::size_t close = end;
  for (std::size_t at = begin; at < end; ++at) {
    of_device = of_device || is_qualifier_of_device(tokens_[at]) ||
                is_one_of(tokens_[at], {"constexpr", "consteval"});
    const bool is_parameter = at > begin && is_one_of(tokens_[at - 1], {"<", ","});
    if (is_one_of(tokens_[at], {"struct", "class", "union", "enum"}) && !is_parameter) return;
    doubtful = doubtful || is_one_of(tokens_[at], {"=", ":", "operator"}) || is_in_capitals(tokens_[at]) ||
               macros_.contains(tokens_[at].text);
    if (close == end && is_one_of(tokens_[at], {"noexcept", "-", "requires"}) && at > begin &&
        tokens_[at - 1].is(")"))
      close = at;
  }
  if (close <= begin + 2 || !tokens_[close - 1].is(")")) return;
  std::size_t open = close - 1;
  for (int depth = 0; open > begin; --open) {
    if (tokens_[open].is(")")) ++depth;
    if (tokens_[open].is("(") && --depth == 0) break;
  }
  if (open <= begin + 1 || !tokens_[open - 1].is_name()) return;
  const std::string& name = tokens_[open - 1].text;
  const bool is_member = tokens_[open - 2].is("::");
  if (of_device || doubtful || is_member) {
    of_device_.insert(name);
  } else {
    functions_.insert(name);
    declared_at_.insert(open - 1);
  }
}

// Of a declaration that ends with a semicolon, in no function or class: variables; functions of the device.
void HostNames::note_variables(std::size_t begin, std::size_t end) {
  bool of_device = false, is_constant = false, doubtful = false;
  std::size_t stop = end, name = end;
  for (std::size_t at = begin; at < end; ++at) {
    of_device = of_device || is_qualifier_of_device(tokens_[at]);
    is_constant = is_constant || is_one_of(tokens_[at], {"const", "constexpr", "constinit"});
    if (stop == end && is_one_of(tokens_[at], {"=", "{", "["})) stop = at;
    if (at < stop) {
      doubtful =
          doubtful || is_in_capitals(tokens_[at]) || macros_.contains(tokens_[at].text) ||
          is_one_of(tokens_[at], {"(", "<", ",", "struct", "class", "union", "enum", "using", "typedef",
                                  "template", "extern", "friend", "static_assert", "namespace", "*", "&"});
    }
    if (at + 1 < end && tokens_[at].is_name() && tokens_[at + 1].is("(") && of_device)
      of_device_.insert(tokens_[at].text);
  }
  if (stop > begin + 1 && tokens_[stop - 1].is_name()) name = stop - 1;
  if (name == end || name == begin || !tokens_[name - 1].is_name()) return;
  if (of_device) of_device_.insert(tokens_[name].text);
  for (std::size_t at = begin; at < name; ++at) {
    if (!tokens_[at].is("__constant__")) continue;
    read_only_.insert(tokens_[name].text);
    declared_at_.insert(name);
  }
  if (of_device || doubtful) return;
  const bool is_array = stop < end && tokens_[stop].is("[");
  (is_array ? arrays_ : is_constant ? constants_ : variables_).insert(tokens_[name].text);
  declared_at_.insert(name);
}

// Whether another variable or parameter may have this name.
bool HostNames::is_declared_elsewhere(const std::string& name) const {
  for (std::size_t at = 1; at + 1 < tokens_.size(); ++at) {
    if (!tokens_[at].is(name) || declared_at_.contains(at)) continue;
    const Token &before = tokens_[at - 1], &behind = tokens_[at + 1];
    // Behind a type it declares; behind a comma or a parenthesis `&` takes an address.
    const bool is_operator = is_one_of(before, {"*", "&"}) && at > 1 && !tokens_[at - 2].is_name() &&
                             !is_one_of(tokens_[at - 2], {">", "*", "&", "&&", "]"});
    const bool is_type = before.is_name() ? !is_word_before_use(before)
                                          : !is_operator && is_one_of(before, {"*", "&", "&&", ">", "]"});
    const bool may_be_in_list = is_one_of(before, {",", "["}) && !is_one_of(behind, {"(", "[", ")"});
    if (is_type || may_be_in_list) return true;
  }
  return false;
}

// Whether the variable, or an element of it, is assigned to here.
bool HostNames::is_changed(std::size_t at) const {
  std::size_t end = at + 1;
  for (int depth = 0; end + 2 < tokens_.size(); ++end) {
    if (tokens_[end].is("[")) ++depth;
    if (depth == 0) break;
    if (tokens_[end].is("]")) --depth;
  }
  if (end + 2 >= tokens_.size()) return false;
  const Token &first = tokens_[end], &second = tokens_[end + 1];
  if (first.is("=")) return !second.is("=");
  const bool is_operator = is_one_of(first, {"+", "-", "*", "/", "%", "&", "|", "^"});
  return is_operator && (second.is("=") || (second.is(first.text) && is_one_of(first, {"+", "-"}) &&
                                            is_one_of(tokens_[end + 2], {";", ")"})));
}

// Whether the compiler works out the value here: nothing is used then.
bool HostNames::is_constant_here(std::size_t at) const {
  for (std::size_t before = at; before-- > 0;) {
    const Token& token = tokens_[before];
    if (is_one_of(token, {";", "{", "}"})) return false;
    if (is_one_of(token, {"constexpr", "constinit", "static_assert", "sizeof", "decltype", "alignof",
                          "alignas", "case", "noexcept", "<", "using", "typename"}))
      return true;
  }
  return false;
}

// std::max and the like take references. A constant number of the host has no address in device code.
std::optional<std::string> HostNames::constant_by_reference(std::size_t at) const {
  if (at < 2 || !is_one_of(tokens_[at], {"min", "max", "clamp"}) || !tokens_[at - 1].is("::") ||
      !tokens_[at - 2].is("std") || !tokens_[at + 1].is("(") || is_constant_here(at))
    return std::nullopt;
  int depth = 0;
  std::size_t argument = at + 2;  // where one begins
  for (std::size_t end = at + 1; end < tokens_.size(); ++end) {
    if (is_one_of(tokens_[end], {"(", "{", "["})) ++depth;
    if (is_one_of(tokens_[end], {")", "}", "]"})) --depth;
    if (depth > 1 || (depth == 1 && !tokens_[end].is(","))) continue;
    const std::string& name = tokens_[end - 1].text;
    const bool is_constant = end == argument + 1 && constants_.contains(name) && !of_device_.contains(name) &&
                             !is_declared_elsewhere(name);
    const bool is_member = end == argument + 3 && tokens_[end - 2].is("::") &&
                           (type_parameters_.contains(tokens_[argument].text) || members_.contains(name));
    if (is_constant || is_member) {
      return fmt::format("std::{} takes its arguments by reference, and {}{} has no address in a kernel",
                         tokens_[at].text, is_member ? tokens_[argument].text + "::" : "", name);
    }
    if (depth == 0) break;
    argument = end + 1;
  }
  return std::nullopt;
}

std::optional<std::string> HostNames::mistake_at(std::size_t at) const {
  const Token& token = tokens_[at];
  if (!token.is_name() || at == 0 || at + 1 >= tokens_.size()) return std::nullopt;
  const Token &before = tokens_[at - 1], &behind = tokens_[at + 1];
  if (auto words = constant_by_reference(at)) return words;
  if (member_arrays_.contains(token.text) && behind.is("[") && !is_member_access(tokens_, at) &&
      !is_constant_here(at) && !is_declared_elsewhere(token.text))
    return fmt::format(
        "{} belongs to the host: a kernel cannot use it, for it is neither __device__ nor __constant__",
        token.text);
  if (read_only_.contains(token.text) && is_changed(at) && !is_member_access(tokens_, at) &&
      !is_declared_elsewhere(token.text))
    return fmt::format("{} is __constant__: a kernel cannot change it", token.text);
  if (is_member_access(tokens_, at) || is_one_of(before, {"::", "#"}) || macros_.contains(token.text) ||
      of_device_.contains(token.text))
    return std::nullopt;

  const bool is_of_compiler = token.text.starts_with("__atomic_") || token.text.starts_with("__sync_");
  const bool is_of_library = is_one_of(token, {"memchr", "memcmp", "memmove", "strcmp", "strncmp"});
  if (behind.is("(") && (is_of_compiler || is_of_library))
    return fmt::format("{} belongs to the host: a kernel cannot use it", token.text);
  const bool calls = functions_.contains(token.text) && behind.is("(") && !is_overloaded(token.text);
  const bool is_counted = before.is("(") && at > 1 && tokens_[at - 2].is("size");
  const bool indexes = arrays_.contains(token.text) && !is_counted;
  const bool names = variables_.contains(token.text);
  if ((!calls && !indexes && !names) || is_constant_here(at) || is_declared_elsewhere(token.text))
    return std::nullopt;
  if (calls)
    return fmt::format("{} belongs to the host: a kernel cannot call it, for it is not a __device__ function",
                       token.text);
  return fmt::format(
      "{} belongs to the host: a kernel cannot use it, for it is neither __device__ nor __constant__",
      token.text);
}

}  // namespace judge
