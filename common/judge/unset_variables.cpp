// SPDX-License-Identifier: MIT
#include "judge/unset_variables.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "judge/tokens.hpp"
#include "os/files.hpp"

namespace judge {

namespace {

// Whether the brace at `at` opens a function's body, or a block within one.
bool opens_code(std::span<const Token> tokens, std::size_t at, bool is_in_code) {
  for (std::size_t i = at; i-- > 0 && !is_one_of(tokens[i], {";", "{", "}"});) {
    if (is_one_of(tokens[i], {"struct", "class", "union", "enum", "namespace", "extern"})) return false;
    if (tokens[i].is(")")) return true;
  }
  return is_in_code;
}

// Whether a statement declares variables without values, and of a kind that no checker watches.
bool declares_without_value(std::span<const Token> statement) {
  if (statement.size() < 3 || !statement.front().is_name()) return false;
  if (is_one_of(statement.front(),
                {"return", "goto", "using", "typedef", "case", "default", "delete", "else", "do", "new",
                 "struct", "class", "union", "enum", "friend", "template", "auto"}))
    return false;
  return std::ranges::none_of(statement, [](const Token& token) {
    return is_one_of(token, {"(", ")", "=", "{", "}", "?", "+", "-", ".", "static", "extern", "constexpr",
                             "operator", "__shared__", "__constant__", "__device__", "thread_local"});
  });
}

// `statement` ends with its semicolon. A declared name follows its type and ends with a bracket, a comma or
// the statement.
void add_names(std::span<const Token> statement, std::vector<UnsetVariable>& all) {
  int open = 0;
  for (std::size_t i = 1; i + 1 < statement.size(); ++i) {
    const Token &before = statement[i - 1], &token = statement[i], &behind = statement[i + 1];
    if (is_one_of(token, {"<", "["})) ++open;
    if (is_one_of(token, {">", "]"})) --open;
    const bool follows_type = before.is_name() || is_one_of(before, {">", "*", ","});
    if (open == 0 && token.is_name() && follows_type && is_one_of(behind, {";", ",", "["}))
      all.push_back({token.text, token.line});
  }
}

}  // namespace

std::vector<UnsetVariable> unset_variables(std::string_view text) {
  const std::vector<Token> tokens = tokens_of(text).all;
  std::vector<UnsetVariable> all;
  std::vector<bool> is_code;  // of each open brace
  std::size_t begin = 0;      // of the statement
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const bool is_in_code = !is_code.empty() && is_code.back();
    if (const auto directive = directive_at(tokens, at); !directive.empty()) {
      at += directive.size() - 1;
      begin = at + 1;
    } else if (tokens[at].is("{")) {
      is_code.push_back(opens_code(tokens, at, is_in_code));
      begin = at + 1;
    } else if (tokens[at].is("}")) {
      if (!is_code.empty()) is_code.pop_back();
      begin = at + 1;
    } else if (tokens[at].is(";")) {
      const std::span statement(tokens.begin() + static_cast<std::ptrdiff_t>(begin), at + 1 - begin);
      if (is_in_code && declares_without_value(statement)) add_names(statement, all);
      begin = at + 1;
    }
  }
  return all;
}

namespace {

struct Result {
  std::vector<problems::Output> outputs;
  std::vector<facts::Verdict> found;

  bool is_right() const { return found.empty(); }
};

// Undefined operations are seen by the runner with checks alone, whatever the variables hold.
bool may_come_of_values(const facts::Finding& finding) {
  const std::string role = finding.where.empty() ? "" : finding.where.front().role;
  return role != facts::outside_index && role != facts::undefined_shift &&
         (finding.verdict == facts::Verdict::wrong_answer ||
          finding.verdict == facts::Verdict::out_of_bounds);
}

// What a runner makes of each case, in a process of its own; nullopt from the first one on that is no result.
class Results {
 public:
  Results(const RunnerSettings& settings, const problems::Reference& reference, std::uint64_t seed)
      : session_(settings), program_(settings.program), reference_(reference), seed_(seed) {
    is_lost_ = start_session(session_).has_value();
  }

  std::optional<Result> of(const Case& what) {
    if (is_lost_) return std::nullopt;
    const auto input = reference_.problem().make_input(what.input, what.variant, what.length, seed_);
    const CaseResult result = judge_case(session_, program_, reference_, what, *input);
    const bool is_result = std::ranges::all_of(result.findings, may_come_of_values);
    is_lost_ = !is_result || !result.answer || result.answer->failure || result.left_out;
    if (is_lost_) return std::nullopt;
    Result made{result.answer->outputs, {}};
    for (const facts::Finding& finding : result.findings) made.found.push_back(finding.verdict);
    return made;
  }

 private:
  RunnerSession session_;
  std::string program_;
  const problems::Reference& reference_;
  std::uint64_t seed_;
  bool is_lost_ = false;
};

facts::Finding finding_of(const std::vector<UnsetVariable>& variables, const std::string& source) {
  facts::Finding finding{.verdict = facts::Verdict::uninitialised};
  std::string names, places;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const auto& [name, line] = variables[i];
    const std::string_view between = i == 0 ? "" : i + 1 < variables.size() ? ", " : " or ";
    names += fmt::format("{}`{}`", between, name);
    places += fmt::format("{}`{}` at line {}",
                          i == 0                     ? ""
                          : i + 1 < variables.size() ? ", "
                                                     : " and ",
                          name, line);
    finding.where.push_back({.file = source, .line = line, .role = "declares"});
  }
  finding.message = fmt::format("the result depends on {}, which a thread reads before it has set it", names);
  finding.missing =
      fmt::format("{} {} declared without a value", places, variables.size() == 1 ? "is" : "are");
  return finding;
}

}  // namespace

std::optional<ReadUnset> read_unset(const RunnerSettings& settings, const std::string& source,
                                    const problems::Reference& reference, const std::vector<Case>& cases,
                                    std::uint64_t seed) {
  if (settings.checked_program.empty()) return std::nullopt;
  const std::vector<UnsetVariable> variables = unset_variables(os::read_file(source).value_or(""));
  if (variables.empty()) return std::nullopt;
  RunnerSettings with_pattern = settings;
  with_pattern.program = settings.checked_program;
  Results usual(settings, reference, seed), patterned(with_pattern, reference, seed);
  for (const Case& what : cases) {
    const auto one = usual.of(what), other = patterned.of(what);
    if (!one || !other) return std::nullopt;
    // Of two right results that differ, both are rounded.
    const bool differ = one->outputs != other->outputs || one->found != other->found;
    if (differ && !(one->is_right() && other->is_right()))
      return ReadUnset{what, finding_of(variables, source)};
  }
  return std::nullopt;
}

}  // namespace judge
