// SPDX-License-Identifier: MIT
#include "judge/undefined_operations.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

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

enum class Use { watched, outside, outside_of_row };

// Gives the index its array's name. What it is: of an array that is watched for itself, or goes through its
// rows one behind the other; outside of its array; or outside of a row, behind which the next row lies.
Use name_index(facts::Finding& finding) {
  const facts::Location& place = finding.where.front();
  if (place.role == facts::undefined_shift) return Use::outside;
  if (place.role != facts::outside_index) return Use::watched;
  constexpr std::string_view before = " used index ", at_column = " at column ", between = " of an array of ",
                             by = " by ";
  const std::size_t column = finding.message.find(at_column), behind = finding.message.find(between);
  if (column == std::string::npos || behind == std::string::npos) return Use::watched;
  const std::vector<UnwatchedArray> arrays =
      SourceStructure(os::read_file(place.file).value_or(""))
          .unwatched_arrays(place.line, std::atoi(finding.message.c_str() + column + at_column.size()));
  if (arrays.empty()) return Use::watched;
  finding.message.erase(column, behind - column);
  const std::size_t begin = finding.message.find(before), middle = finding.message.find(between);
  if (begin == std::string::npos) return Use::watched;
  const std::string function = finding.message.substr(0, begin),
                    index = finding.message.substr(begin + before.size(), middle - begin - before.size()),
                    extents = finding.message.substr(middle + between.size());
  std::size_t dimensions = 1;  // of what is indexed
  for (std::size_t at = extents.find(by); at != std::string::npos; at = extents.find(by, at + 1))
    ++dimensions;
  const bool in_rows =
      std::ranges::all_of(arrays, [&](const UnwatchedArray& array) { return dimensions < array.dimensions; });
  if (in_rows && std::ranges::all_of(arrays, &UnwatchedArray::from_first_row)) return Use::watched;
  if (arrays.size() != 1) return in_rows ? Use::outside_of_row : Use::outside;
  const std::string& array = arrays.front().name;
  finding.message =
      in_rows ? fmt::format("{} used index {} in a row of {}; a row has {}", function, index, array, extents)
              : fmt::format("{} used {}[{}]; {} has {}", function, array, index, array, extents);
  return in_rows ? Use::outside_of_row : Use::outside;
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
  std::optional<UndefinedOperation> of_row;
  for (const std::uint64_t length : {1, 33, 1000, 4099}) {
    for (Case what : reference.cases(length, 0)) {
      what.misalignment = 0;
      const auto input = reference.problem().make_input(what.input, what.variant, what.length, seed);
      const CaseResult result = judge_case(session, of_runner.program, reference, what, *input);
      for (facts::Finding finding : result.findings) {
        const Use use = finding.where.empty() ? Use::watched : name_index(finding);
        if (use == Use::outside) return UndefinedOperation{what, finding};
        if (use == Use::outside_of_row && !of_row) of_row = UndefinedOperation{what, finding, true};
      }
      if (!result.answer || result.answer->failure) return of_row;
    }
  }
  return of_row;
}

}  // namespace judge
