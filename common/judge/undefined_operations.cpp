// SPDX-License-Identifier: MIT
#include "judge/undefined_operations.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "judge/source_structure.hpp"
#include "judge/tokens.hpp"
#include "judge/unset_variables.hpp"
#include "os/files.hpp"

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

std::vector<std::string> checks_for(std::string_view text) {
  std::vector<std::string> arguments;
  if (has_variable_shift(text)) arguments.emplace_back("-fsanitize=shift-exponent");
  if (SourceStructure(text).has_unwatched_array()) arguments.emplace_back("-fsanitize=bounds");
  // g++ optimises on from such a variable as if it had any value, its pattern or not.
  if (!unset_variables(text).empty())
    arguments.insert(arguments.end(), {"-ftrivial-auto-var-init=pattern", "-O0"});
  return arguments;
}

workbook::Target with_checked_operations(workbook::Target target) {
  target.runner += "-checked";
  return target;
}

namespace {

// Gives the index its array's name. Whether it is one of an array that is watched for itself, or of a row of
// an array, behind which the next row lies.
bool is_unwatched(facts::Finding& finding) {
  const facts::Location& place = finding.where.front();
  if (place.role == facts::undefined_shift) return true;
  if (place.role != facts::outside_index) return false;
  const std::vector<std::string> arrays =
      SourceStructure(os::read_file(place.file).value_or("")).unwatched_arrays(place.line);
  constexpr std::string_view before = " used index ", between = " of an array of ";
  const std::size_t begin = finding.message.find(before), middle = finding.message.find(between);
  if (arrays.size() == 1 && begin != std::string::npos && middle != std::string::npos) {
    const std::size_t index = begin + before.size(), elements = middle + between.size();
    finding.message = fmt::format("{} used {}[{}]; {} has {}", finding.message.substr(0, begin), arrays[0],
                                  finding.message.substr(index, middle - index), arrays[0],
                                  finding.message.substr(elements));
  }
  return !arrays.empty();
}

}  // namespace

std::optional<UndefinedOperation> undefined_operation(const RunnerSettings& settings,
                                                      const problems::Reference& reference,
                                                      std::uint64_t seed) {
  if (settings.checked_program.empty()) return std::nullopt;
  RunnerSettings of_runner = settings;
  of_runner.program = settings.checked_program;
  RunnerSession session(of_runner);
  if (start_session(session)) return std::nullopt;
  for (const std::uint64_t length : {1, 33, 1000, 4099}) {
    for (Case what : reference.cases(length, 0)) {
      what.misalignment = 0;
      const auto input = reference.problem().make_input(what.input, what.variant, what.length, seed);
      const CaseResult result = judge_case(session, of_runner.program, reference, what, *input);
      for (facts::Finding finding : result.findings) {
        if (!finding.where.empty() && is_unwatched(finding)) return UndefinedOperation{what, finding};
      }
      if (!result.answer || result.answer->failure) return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace judge
