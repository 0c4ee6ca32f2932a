// SPDX-License-Identifier: MIT
#include "judge/build_error.hpp"

#include <fmt/core.h>

#include <optional>
#include <span>

#include "judge/compiler_output.hpp"
#include "judge/source_text.hpp"
#include "os/files.hpp"
#include "problems/problem.hpp"

namespace judge {

namespace {

// An error of our own words at a line of the student's, which is shown.
CompilerError told_at(const std::string& source, const std::string& text, int line,
                      const std::string& words) {
  std::string message = line > 0 ? fmt::format("{}:{}: error: {}", source, line, words)
                                 : fmt::format("{}: error: {}", source, words);
  const std::string shown = excerpt(text, line);
  return {shown.empty() ? message : message + "\n" + shown, {source, line}};
}

using Callees = std::span<const problems::Callee>;

// An error in the harness: what it calls is not there, or is declared in another way; nothing if it is
// neither.
std::optional<CompilerError> error_in_call(const CompilerError& error, const std::string& source,
                                           const std::string& text, Callees callees) {
  for (const auto& [name, declaration] : callees) {
    if (line_that_names(text, name)) continue;
    return told_at(source, text, 0,
                   fmt::format("no {} in this file; the harness calls\n  {}", name, declaration));
  }
  for (const auto& [name, declaration] : callees) {
    if (error.message.find(name) == std::string::npos) continue;
    CompilerError told = told_at(source, text, *line_that_names(text, name),
                                 fmt::format("{} is not declared as the harness calls it", name));
    told.message += fmt::format("\n  the harness calls\n  {}", declaration);
    return told;
  }
  return std::nullopt;
}

// An error outside of the student's file, which no line of it explains, in words about the file; as it is if
// there are none.
CompilerError of_students_file(const CompilerError& error, const std::string& source, const std::string& text,
                               Callees callees) {
  const std::string& file = error.where.file;
  const auto ends_with = [&](std::string_view end) {
    return file.size() >= end.size() && file.substr(file.size() - end.size()) == end;
  };
  if (ends_with("_entry.hpp")) return error_in_call(error, source, text, callees).value_or(error);
  // The unit, which is made, goes on where the student's file ends.
  const bool is_made = file.find("common/") == std::string::npos || ends_with("/unit.cpp");
  if (ends_with(".cpp") && is_made && error.where.line > 0)
    return told_at(source, text, last_line(text), "the file ends in the middle of a declaration");
  return error;
}

// The line that first names the function of which "... 'void name<T>(int)' ..." speaks; 0 if there is none.
int line_of_function(const std::string& text, const std::string& words) {
  const std::size_t quote = std::min(words.find('\''), words.size()),
                    end = std::min(words.find_first_of("<('", quote + 1), words.size());
  const std::size_t before = words.find_last_of(" :'", end > 0 ? end - 1 : 0);
  if (before == std::string::npos || before + 1 >= end) return 0;
  return line_that_names(text, words.substr(before + 1, end - before - 1)).value_or(0);
}

// The line of the unclosed brace that is behind a compiler's error: compilers notice it late. Nothing if the
// error comes first, or is of another kind: in what they call unterminated, braces do not count.
std::optional<int> line_of_brace_behind(const CompilerError& error, const std::string& source,
                                        const std::string& text) {
  for (const char* kind :
       {"unterminated", "missing terminating", "undefined reference to", "multiple definition of"}) {
    if (error.message.find(kind) != std::string::npos) return std::nullopt;
  }
  const auto brace = line_of_unclosed_brace(text);
  const bool is_told_early = error.message.find("closing brace") != std::string::npos;
  if (brace && is_students(error.where, source) && error.where.line < *brace && !is_told_early)
    return std::nullopt;
  return brace;
}

CompilerError error_of(const std::string& printed, const std::string& source, Callees callees,
                       facts::Backend backend) {
  const std::string text = os::read_file(source).value_or(""), output = without_commands(printed);
  auto error = first_compiler_error(output, source);
  if (!error || error->where.line == 0) {
    if (const auto of_device = first_device_error(output))
      return told_at(source, text, line_of_function(text, *of_device), *of_device);
  }
  if (!error) return {output, {}};
  if (const auto brace = line_of_brace_behind(*error, source, text))
    return told_at(source, text, *brace, "the brace { that opens here is never closed");
  // What a compiler for the host makes of it names everything but that.
  if (facts::traits_of(backend).simulated && error->message.find("<<<") != std::string::npos) {
    return told_at(error->where.file, text, error->where.line,
                   "launches (<<<>>>) are not simulated: they need a GPU");
  }
  if (!is_students(error->where, source)) return of_students_file(*error, source, text, callees);
  if (error->message.find('\n') == std::string::npos && error->where.file == source) {
    if (const std::string shown = excerpt(text, error->where.line); !shown.empty())
      error->message += "\n" + shown;
  }
  return *error;
}

}  // namespace

facts::Finding build_error(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise,
                           const std::string& source, facts::Backend backend, const std::string& output) {
  const problems::Problem& problem = *problems::find_problem(exercise.problem);
  CompilerError error = error_of(output, source, problem.entry(exercise.launched), backend);
  if (!error.where.file.empty() && error.message.rfind(error.where.file, 0) == 0) {
    const std::string shortened = workbook.shortened(error.where.file);
    error.message.replace(0, error.where.file.size(), shortened);
    error.where.file = shortened;
  }
  facts::Finding finding{facts::Verdict::build_error, error.message};
  if (error.where.line > 0) finding.where.push_back(error.where);
  return finding;
}

}  // namespace judge
