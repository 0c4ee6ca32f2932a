// SPDX-License-Identifier: MIT
#include "judge/shifts.hpp"

#include <algorithm>
#include <vector>

#include "judge/tokens.hpp"

namespace judge {

namespace {

bool is_pair(const std::vector<Token>& tokens, std::size_t at, std::string_view sign) {
  return at + 1 < tokens.size() && tokens[at].is(sign) && tokens[at + 1].is(sign) &&
         tokens[at].end == tokens[at + 1].begin;
}

// Two `<` that stand for themselves in the statement before: then `>>` closes lists of arguments.
bool closes_arguments(const std::vector<Token>& tokens, std::size_t at) {
  int open = 0;
  for (std::size_t i = at; i-- > 0 && !is_one_of(tokens[i], {";", "{", "}"});) {
    const bool is_alone =
        tokens[i].is("<") && !is_pair(tokens, i, "<") && (i == 0 || !is_pair(tokens, i - 1, "<"));
    if (is_alone && ++open == 2) return true;
  }
  return false;
}

// Whether the operand at `at` is a number, and no more than that.
bool is_number(const std::vector<Token>& tokens, std::size_t at) {
  return at + 1 < tokens.size() && tokens[at].kind == Token::Kind::number &&
         !is_one_of(tokens[at + 1], {"+", "-", "*", "/", "%"});
}

}  // namespace

bool has_variable_shift(std::string_view text) {
  const std::vector<Token> tokens = tokens_of(text).all;
  for (std::size_t at = 0; at + 2 < tokens.size(); ++at) {
    const bool is_left = is_pair(tokens, at, "<");
    if (!is_left && !(is_pair(tokens, at, ">") && !closes_arguments(tokens, at))) continue;
    const std::size_t amount = at + (tokens[at + 2].is("=") ? 3 : 2);
    if (amount < tokens.size() && !is_number(tokens, amount)) return true;
    ++at;
  }
  return false;
}

workbook::Target with_checked_shifts(workbook::Target target) {
  target.runner += "-shifts";
  return target;
}

std::optional<UndefinedShift> undefined_shift(const RunnerSettings& settings,
                                              const problems::Reference& reference, std::uint64_t seed) {
  if (settings.shift_program.empty()) return std::nullopt;
  RunnerSettings of_runner = settings;
  of_runner.program = settings.shift_program;
  RunnerSession session(of_runner);
  if (start_session(session)) return std::nullopt;
  for (const std::uint64_t length : {1, 33, 1000, 4099}) {
    for (Case what : reference.cases(length, 0)) {
      what.misalignment = 0;
      const auto input = reference.problem().make_input(what.input, what.variant, what.length, seed);
      const CaseResult result = judge_case(session, of_runner.program, reference, what, *input);
      for (const facts::Finding& finding : result.findings) {
        if (!finding.where.empty() && finding.where.front().role == facts::undefined_shift)
          return UndefinedShift{what, finding};
      }
      if (!result.answer || result.answer->failure) return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace judge
