// SPDX-License-Identifier: MIT
// Where names in the student's file are declared, of which type, and what lies in arrays of such a type.
#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "judge/source_structure.hpp"

namespace judge {

bool is_word_of_type(const Token& token) {
  return is_one_of(token, {"unsigned", "signed", "int", "char", "short", "long", "float", "double", "auto",
                           "const", "volatile"});
}

bool SourceStructure::is_behind_type(std::size_t at) const {
  const Token& before = tokens_[at - 1];
  return (before.is_name() && !is_one_of(before, {"return", "else", "do", "case", "goto"})) ||
         (before.is(">") && at > 1 && !is(at - 2, "-"));
}

// One of several names in a declaration in shared memory: `__shared__ int counts[7], all;`.
bool SourceStructure::is_one_of_several_shared(std::size_t at) const {
  if (!is(at - 1, ",") && !is_behind_type(at)) return false;
  if (!is_one_of(tokens_[at + 1], {"[", ";", ","})) return false;
  int depth = 0;
  bool is_shared = false;
  for (std::size_t i = beginning_of_statement(at); i < at; ++i) {
    depth += is_one_of(tokens_[i], {"(", "[", "<"}) ? 1 : is_one_of(tokens_[i], {")", "]", ">"}) ? -1 : 0;
    is_shared |= is(i, "__shared__");
  }
  return is_shared && depth == 0;
}

// The token of the name in its only declaration.
std::optional<std::size_t> SourceStructure::declared_at(std::string_view name) const {
  std::optional<std::size_t> found;
  for (std::size_t at = 1; at + 1 < tokens_.size(); ++at) {
    if (!tokens_[at].is(name)) continue;
    const bool is_alone = is_behind_type(at) && is_one_of(tokens_[at + 1], {"[", "=", ";", "{"});
    if (!is_alone && !is_one_of_several_shared(at)) continue;
    if (found) return std::nullopt;
    found = at;
  }
  return found;
}

std::optional<Declaration> SourceStructure::declaration(std::string_view name) const {
  const auto found = declared_at(name);
  if (!found) return std::nullopt;
  const std::size_t at = *found, begin = beginning_of_statement(at);
  std::size_t type = at - 1;
  while (type > begin && is_word_of_type(tokens_[type - 1])) --type;
  Declaration declared{.line = tokens_[at].line,
                       .type = is(at - 1, ",") ? std::string() : text_of(type, at),
                       .extent = {},
                       .is_array = is(at + 1, "["),
                       .is_shared = false};
  if (declared.is_array) declared.extent = text_of(at + 2, closing(at + 1));
  for (std::size_t i = begin; i < at; ++i) declared.is_shared |= is(i, "__shared__");
  return declared;
}

namespace {

// 0: not known.
unsigned bytes_of(const std::string& type) {
  constexpr std::array<std::pair<std::string_view, unsigned>, 18> known{{{"unsigned", 4},
                                                                         {"unsigned int", 4},
                                                                         {"int", 4},
                                                                         {"float", 4},
                                                                         {"std::uint32_t", 4},
                                                                         {"uint32_t", 4},
                                                                         {"char", 1},
                                                                         {"unsigned char", 1},
                                                                         {"std::uint8_t", 1},
                                                                         {"uint8_t", 1},
                                                                         {"short", 2},
                                                                         {"unsigned short", 2},
                                                                         {"unsigned long long", 8},
                                                                         {"long long", 8},
                                                                         {"double", 8},
                                                                         {"std::size_t", 8},
                                                                         {"std::uint64_t", 8},
                                                                         {"uint64_t", 8}}};
  const auto* const found = std::ranges::find(known, type, &std::pair<std::string_view, unsigned>::first);
  return found == known.end() ? 0 : found->second;
}

}  // namespace

unsigned SourceStructure::shared_alignment(std::string_view array) const {
  const auto declared = declaration(array);
  if (!declared || !declared->is_array || !declared->is_shared) return 0;
  const std::size_t at = *declared_at(array);
  // Whatever else stands in front of the name may be a macro that aligns the array.
  std::string type;
  for (std::size_t i = beginning_of_statement(at); i < at; ++i) {
    if (is_one_of(tokens_[i], {"__shared__", "static", "volatile"})) continue;
    const bool joins = type.empty() || is(i, "::") || type.ends_with("::");
    type += (joins ? "" : " ") + tokens_[i].text;
  }
  for (std::size_t i = at; i < tokens_.size() && !is(i, ";"); ++i) {
    if (is_one_of(tokens_[i], {"alignas", "__align__", "__attribute__"})) return 0;
  }
  return bytes_of(type);
}

// The members of a struct of the file, of an array each element, if all are of one size; else none.
std::vector<std::string> SourceStructure::members_of(std::string_view type) const {
  for (std::size_t at = 0; at + 2 < tokens_.size(); ++at) {
    if (!is(at, "struct") || !tokens_[at + 1].is(type) || !is(at + 2, "{")) continue;
    std::vector<std::string> members;
    unsigned bytes = 0;
    for (std::size_t i = at + 3; i < closing(at + 2); ++i) {
      const std::size_t begin = i;
      while (i + 1 < closing(at + 2) && !is_one_of(tokens_[i + 1], {",", ";", "[", "=", "{", "("})) ++i;
      const unsigned of_type = bytes_of(text_of(begin, i));
      if (of_type == 0 || (bytes != 0 && bytes != of_type)) return {};
      bytes = of_type;
      for (;; i += 2) {
        const std::string& name = tokens_[i].text;
        if (is(i + 1, "[")) {
          const std::size_t close = closing(i + 1);
          const auto extent = value(i + 2, close, 0, 4);
          constexpr std::int64_t most = 64;
          if (!extent || *extent > most) return {};
          for (std::int64_t k = 0; k < *extent; ++k) members.push_back(name + "[" + std::to_string(k) + "]");
          i = close;
        } else {
          members.push_back(name);
        }
        if (!is(i + 1, ",")) break;
      }
      if (!is(++i, ";")) return {};
    }
    return members;
  }
  return {};
}

std::optional<std::string> SourceStructure::element_of(std::string_view array, std::int64_t flat) const {
  const auto at = declared_at(array);
  if (!at || flat < 0) return std::nullopt;
  const std::vector<std::string> members = members_of(tokens_[*at - 1].text);
  std::string behind;
  if (!members.empty()) {
    const auto number = static_cast<std::int64_t>(members.size());
    behind = "." + members[static_cast<std::size_t>(flat % number)];
    flat /= number;
  }
  std::vector<std::size_t> opens;
  for (std::size_t open = *at + 1; is(open, "["); open = closing(open) + 1) opens.push_back(open);
  if (opens.size() < 2 && members.empty()) return std::nullopt;
  if (opens.empty()) return flat == 0 ? std::optional(std::string(array) + behind) : std::nullopt;
  for (std::size_t i = opens.size(); i-- > 1;) {
    const auto extent = value(opens[i] + 1, closing(opens[i]), 0, 4);
    if (!extent || *extent <= 0) return std::nullopt;
    behind = "[" + std::to_string(flat % *extent) + "]" + behind;
    flat /= *extent;
  }
  return std::string(array) + "[" + std::to_string(flat) + "]" + behind;
}

bool SourceStructure::declares_unwatched_array(std::size_t at) const {
  if (at == 0 || !tokens_[at].is_name() || !is_behind_type(at) || !is(at + 1, "[") || is(at + 2, "]"))
    return false;
  if (is_one_of(tokens_[at], {"auto", "operator"}) || is_one_of(tokens_[at - 1], {"new", "delete"}))
    return false;
  for (std::size_t i = beginning_of_statement(at); i < at; ++i) {
    if (is_one_of(tokens_[i], {"__shared__", "__device__", "__constant__", "__managed__", "extern"}))
      return false;
  }
  return true;
}

bool SourceStructure::has_unwatched_array() const {
  for (std::size_t at = 0; at + 2 < tokens_.size(); ++at) {
    if (declares_unwatched_array(at)) return true;
  }
  return false;
}

// Of the token, the innermost bracket around it; nullopt if there is none.
std::optional<std::size_t> SourceStructure::enclosing(std::size_t at) const {
  for (std::size_t open = at; open-- > 0;) {
    if (is_one_of(tokens_[open], {"(", "[", "{"}) && closing(open) > at) return open;
  }
  return std::nullopt;
}

bool SourceStructure::is_body_of_class(std::size_t brace) const {
  if (!is(brace, "{")) return false;
  bool is_class = false;
  for (std::size_t i = beginning_of_statement(brace); i < brace; ++i) {
    if (is(i, "(")) return false;
    is_class |= is_one_of(tokens_[i], {"struct", "class", "union"});
  }
  return is_class;
}

// Whether the name is declared here, as a variable, a parameter or a member: nothing but a type stands
// before it, back to where a declaration may begin.
bool SourceStructure::is_declarator(std::size_t at) const {
  if (at == 0 || !tokens_[at].is_name() || at + 1 >= tokens_.size() ||
      !is_one_of(tokens_[at + 1], {"[", "=", ";", "{", ",", ")", ":"}))
    return false;
  std::size_t begin = at;
  int angles = 0;
  bool has_type = false;
  for (; begin > 0; --begin) {
    const Token& before = tokens_[begin - 1];
    if (before.is(">"))
      ++angles;
    else if (before.is("<") && --angles < 0)
      return false;
    else if (angles == 0 && !is_one_of(before, {"*", "&", "::", "<"}) &&
             (!before.is_name() || is_one_of(before, {"return", "else", "do", "case", "goto", "new", "delete",
                                                      "struct", "class", "union", "enum", "throw"})))
      break;
    has_type |= angles == 0 && before.is_name();
  }
  if (!has_type || angles != 0) return false;
  if (begin == 0 || is_one_of(tokens_[begin - 1], {";", "{", "}", ":"})) return true;
  const std::optional<std::size_t> open = enclosing(at);
  if (!is_one_of(tokens_[begin - 1], {"(", ","}) || !open || !is(*open, "(")) return is_behind_type(at);
  // Of a parameter or in `for`: in an expression `a * counts` looks the same.
  const std::size_t behind = closing(*open) + 1;
  const bool is_of_control = *open > 0 && is_one_of(tokens_[*open - 1], {"if", "while", "switch"});
  return (*open > 0 && is(*open - 1, "for") && is(at + 1, "=")) || (is(behind, "{") && !is_of_control) ||
         is_behind_type(at);
}

// What the name at `use`, which is followed by a subscript, is declared as: behind `.` or `->` a member,
// else what the innermost braces around it declare. Of several members of that name the one with the most
// dimensions.
std::optional<std::size_t> SourceStructure::declaration_for(std::size_t use) const {
  const bool is_member = use > 0 && (is(use - 1, ".") || (is(use - 1, ">") && is(use - 2, "-")));
  const auto dimensions_at = [&](std::size_t at) {
    std::size_t dimensions = 0;
    for (std::size_t open = at + 1; is(open, "["); open = closing(open) + 1) ++dimensions;
    return dimensions;
  };
  std::optional<std::size_t> found, member;
  std::size_t innermost = 0;
  for (std::size_t at = 1; at + 1 < tokens_.size(); ++at) {
    if (at == use || !tokens_[at].is(tokens_[use].text) || !is_declarator(at)) continue;
    const std::optional<std::size_t> open = enclosing(at);
    const bool is_of_class = open && is_body_of_class(*open);
    if (is_of_class && (!member || dimensions_at(at) > dimensions_at(*member))) member = at;
    if (is_member || (!is_of_class && at > use)) continue;
    std::size_t end = open ? closing(*open) : tokens_.size();
    // A parameter, or the variable of a loop, is known in what follows the bracket.
    if (open && is(*open, "(")) end = end_of_statement(end + 1);
    const std::size_t begin = open ? *open + 1 : 0;
    if (use < begin || use >= end || (found && begin < innermost)) continue;
    found = at;
    innermost = begin;
  }
  // What no braces declare may be a member of a base.
  return found ? found : member;
}

std::vector<UnwatchedArray> SourceStructure::unwatched_arrays(int line, int column) const {
  std::vector<std::size_t> used;
  for (std::size_t at = 1; at + 1 < tokens_.size(); ++at) {
    if (tokens_[at].line == line && tokens_[at].is_name() && is(at + 1, "[")) used.push_back(at);
  }
  const auto is_named = [&](std::size_t at) {
    for (std::size_t open = at + 1; is(open, "["); open = closing(open) + 1) {
      if (closing(open) < tokens_.size() && column_of(closing(open)) == column) return true;
    }
    return false;
  };
  if (column > 0 && std::ranges::any_of(used, is_named)) std::erase_if(used, std::not_fn(is_named));
  std::vector<UnwatchedArray> arrays;
  for (const std::size_t at : used) {
    const std::optional<std::size_t> declared = declaration_for(at);
    if (!declared || !declares_unwatched_array(*declared)) continue;
    const bool is_from_first = is(at + 2, "0") && is(at + 3, "]") && is(at + 4, "[");
    const auto known = std::ranges::find(arrays, tokens_[at].text, &UnwatchedArray::name);
    if (known != arrays.end()) {
      known->from_first_row &= is_from_first;
      continue;
    }
    arrays.push_back({tokens_[at].text, 0, is_from_first});
    for (std::size_t open = *declared + 1; is(open, "["); open = closing(open) + 1)
      ++arrays.back().dimensions;
  }
  return arrays;
}

}  // namespace judge
