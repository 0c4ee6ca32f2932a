// SPDX-License-Identifier: MIT
// Told from tokens, and only where these leave no doubt: of a class that is no template, for an object whose
// declaration names it, and of a member that the class has once.
#include "judge/host_members.hpp"

#include <fmt/core.h>

#include "judge/host_names.hpp"

namespace judge {

HostMembers::HostMembers(const std::vector<Token>& tokens) : tokens_(tokens) {
  for (std::size_t at = 1; at + 1 < tokens_.size(); ++at) {
    const bool is_class = is_one_of(tokens_[at - 1], {"struct", "class"}) && tokens_[at].is_name();
    const bool is_parameter = at > 1 && is_one_of(tokens_[at - 2], {"<", ",", ">"});
    if (is_class && !is_parameter && is_one_of(tokens_[at + 1], {"{", ":", "final"})) {
      std::size_t open = at + 1;
      while (open < tokens_.size() && !is_one_of(tokens_[open], {"{", ";"})) ++open;
      if (open < tokens_.size() && tokens_[open].is("{")) note_class(tokens_[at].text, open);
    }
  }
}

void HostMembers::note_class(const std::string& name, std::size_t open) {
  int depth = 0;
  std::size_t head = open + 1;
  for (std::size_t at = open; at < tokens_.size(); ++at) {
    if (tokens_[at].is("{")) {
      if (++depth == 2) note_member(name, head, at);
    } else if (tokens_[at].is("}")) {
      if (--depth == 0) return;
      if (depth == 1) head = at + 1;
    } else if (depth == 1 && tokens_[at].is(";")) {
      note_member(name, head, at);
      head = at + 1;
    } else if (depth == 1 && tokens_[at].is(":") && at > 0 &&
               is_one_of(tokens_[at - 1], {"public", "private", "protected"})) {
      head = at + 1;
    }
  }
}

// What begins there, in a class, up to its body or its semicolon.
void HostMembers::note_member(const std::string& of_class, std::size_t begin, std::size_t end) {
  bool of_device = false;
  std::size_t name = end;
  for (std::size_t at = begin; at < end; ++at) {
    // of a template, of a class within, of what the compiler makes, or not known
    of_device = of_device || is_qualifier_of_device(tokens_[at]) || is_in_capitals(tokens_[at]) ||
                is_one_of(tokens_[at], {"constexpr", "consteval", "template", "struct", "class", "union",
                                        "enum", "friend", "using", "default", "delete", "#"});
    if (name == end && at + 1 < end && tokens_[at].is_name() && tokens_[at + 1].is("(")) name = at;
  }
  if (name == end) return;
  std::string member = tokens_[name].text;
  if (member == "operator") {
    if (name + 3 >= end || !tokens_[name + 2].is(")") || !tokens_[name + 3].is("(")) return;
    member = "()";
  }
  // Only with its body is it known not to be of the device.
  if (of_device || end == tokens_.size() || !tokens_[end].is("{")) {
    of_device_[of_class].insert(member);
  } else {
    of_host_[of_class].insert(member);
  }
}

bool HostMembers::is_host(const std::string& of_class, const std::string& member) const {
  const auto host = of_host_.find(of_class), device = of_device_.find(of_class);
  return host != of_host_.end() && host->second.contains(member) &&
         (device == of_device_.end() || !device->second.contains(member));
}

// The type that stands in front of the last declaration of the name before this place; empty if there is
// none.
std::string HostMembers::type_of(std::size_t at) const {
  for (std::size_t i = at; i-- > 1;) {
    if (!tokens_[i].is(tokens_[at].text)) continue;
    std::size_t type = i - 1;
    while (type > 0 && is_one_of(tokens_[type], {"*", "&", "const"})) --type;
    const Token& word = tokens_[type];
    const bool is_used = !word.is_name() || is_one_of(word, {"return", "else", "case", "do", "throw"});
    if (!is_used) return word.text;
    if (word.is(">")) return {};
  }
  return {};
}

std::optional<std::string> HostMembers::mistake_at(std::size_t at) const {
  const Token& token = tokens_[at];
  if (of_host_.empty() || at < 2 || at + 2 >= tokens_.size() || !token.is_name()) return std::nullopt;
  const Token &before = tokens_[at - 1], &behind = tokens_[at + 1];
  const auto words = [&](const std::string& of_class, const std::string& member) {
    return fmt::format("{} belongs to the host: a kernel cannot call it, for it is not a __device__ function",
                       member == "()" ? of_class + "::operator()" : of_class + "::" + member);
  };
  const bool is_member = is_member_access(tokens_, at);
  if (behind.is("(") && (is_member || before.is("::"))) {
    const std::size_t owner = before.is(">") ? at - 3 : at - 2;
    if (at < 4 || !tokens_[owner].is_name() || is_member_access(tokens_, owner) ||
        tokens_[owner - 1].is("::"))
      return std::nullopt;
    const std::string type = is_member ? type_of(owner) : tokens_[owner].text;
    if (is_host(type, token.text)) return words(type, token.text);
    return std::nullopt;
  }
  // value(1), S()(1)
  if (behind.is("(")) {
    const bool is_unnamed = tokens_[at + 2].is(")") && at + 3 < tokens_.size() && tokens_[at + 3].is("(");
    const std::string type = is_unnamed ? token.text : before.is_name() ? "" : type_of(at);
    if (is_host(type, "()")) return words(type, "()");
  }
  // S value(1), S value{1}: a constructor, unless it copies
  if (is_host(token.text, token.text) && behind.is_name() && at + 4 < tokens_.size() &&
      is_one_of(tokens_[at + 2], {"(", "{"}) && !is_member && !is_one_of(before, {"::", "<", ",", "("})) {
    const bool is_copy = tokens_[at + 3].is_name() && type_of(at + 3) == token.text;
    if (!is_copy) return words(token.text, token.text);
  }
  return std::nullopt;
}

}  // namespace judge
