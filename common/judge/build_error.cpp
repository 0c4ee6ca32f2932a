// SPDX-License-Identifier: MIT
#include <cxxabi.h>
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>

#include "judge/build.hpp"
#include "judge/index_words.hpp"
#include "judge/missing_names.hpp"
#include "judge/presentable.hpp"
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

// The header of NVIDIA's libraries that a compiler did not find; nothing if the error is another one.
std::optional<std::string> missing_header(const std::string& message) {
  const std::size_t end =
      std::min(message.find(": No such file or directory"), message.find("' file not found"));
  if (end == std::string::npos) return std::nullopt;
  const std::size_t begin = message.find_last_of(" '", end - 1) + 1;
  const std::string header = message.substr(begin, end - begin);
  // Folders, and what the Toolkit's other headers begin with: cublas_v2.h, nvtx3/nvToolsExt.h.
  for (const std::string_view beginning : {"cooperative_groups/", "crt/", "cu", "nccl", "nv", "thrust/"}) {
    if (header.rfind(beginning, 0) == 0) return header;
  }
  return std::nullopt;
}

CompilerError error_of(const std::string& printed, const std::string& source, Callees callees,
                       facts::Backend backend) {
  const std::string text = os::read_file(source).value_or(""), output = without_commands(printed);
  auto error = first_compiler_error(output, source);
  if (!error || error->where.line == 0) {
    if (const auto of_device = first_device_error(output))
      return told_at(source, text, line_of_function(text, *of_device), *of_device);
  }
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    return told_at(source, "", 0, "this file is saved as UTF-16; save it as UTF-8");
  // The linker names places in the program that nobody knows.
  const bool is_too_large = output.find("relocation truncated to fit") != std::string::npos ||
                            output.find("relocation overflow") != std::string::npos;
  if (is_too_large && !(error && is_students(error->where, source)))
    return told_at(source, text, 0, "the variables of this file take more memory than a program may have");
  if (!error) return {output, {}};
  if (const auto brace = line_of_brace_behind(*error, source, text))
    return told_at(source, text, *brace, "the brace { that opens here is never closed");
  // The message of a compiler for the host names everything but that.
  if (facts::traits_of(backend).simulated && error->message.find("<<<") != std::string::npos) {
    return told_at(error->where.file, text, error->where.line,
                   "launches (<<<>>>) are not simulated: they need a GPU");
  }
  if (const auto header = missing_header(error->message); header && facts::traits_of(backend).simulated) {
    return told_at(error->where.file, os::read_file(error->where.file).value_or(""), error->where.line,
                   fmt::format("there is no <{}> on the simulator", *header));
  }
  if (!is_students(error->where, source)) return of_students_file(*error, source, text, callees);
  if (const auto words = words_of_index(error->message, line_of(text, error->where.line));
      words && error->where.file == source) {
    return told_at(source, text, error->where.line, *words);
  }
  if (facts::traits_of(backend).simulated) {
    const std::string file = os::read_file(error->where.file).value_or("");
    if (const auto missing = words_of_missing_name(error->message, file, error->where.line))
      return told_at(error->where.file, file, error->where.line, *missing);
  }
  if (error->message.find('\n') == std::string::npos && error->where.file == source) {
    if (const std::string shown = excerpt(text, error->where.line); !shown.empty())
      error->message += "\n" + shown;
  }
  return *error;
}

}  // namespace

facts::Finding build_error(const workbook::Workbook& workbook, const workbook::Target& target,
                           const std::string& output) {
  const problems::Problem& problem = *problems::find_problem(target.exercise.problem);
  CompilerError error =
      error_of(output, target.source, problem.entry(target.exercise.launched), target.backend);
  // Of other files than the submission's nobody is shown the text, or where they lie.
  const std::string labs = std::filesystem::path(target.source).parent_path().parent_path().string() + "/";
  if (!error.where.file.empty() && error.where.file.rfind(labs, 0) != 0)
    error.message.resize(std::min(error.message.find('\n'), error.message.size()));
  if (!error.where.file.empty() && error.message.rfind(error.where.file, 0) == 0) {
    const std::string shortened = workbook.shortened(error.where.file);
    error.message.replace(0, error.where.file.size(), shortened);
    error.where.file = shortened;
  }
  facts::Finding finding{facts::Verdict::build_error,
                         shortened_text(without_foreign_paths(printable(error.message), labs))};
  if (error.where.line > 0) finding.where.push_back(error.where);
  return finding;
}

namespace {

bool starts_with_blank(std::string_view line) {
  return !line.empty() && std::isspace(static_cast<unsigned char>(line.front()));
}

bool contains(std::string_view line, std::string_view words) {
  return line.find(words) != std::string_view::npos;
}

// "FILE:LINE..." as a place.
facts::Location place_at_start(std::string_view text) {
  const std::size_t mark = std::min(text.find(':'), text.size());
  return {std::string(text.substr(0, mark)),
          std::atoi(std::string(text.substr(std::min(mark + 1, text.size()))).c_str())};
}

// "FILE:LINE:COLUMN: error: ..." (g++, clang), "FILE(LINE): error: ..." (nvcc), or the linker's
// "FILE:LINE: undefined reference to ...", or "FILE:LINE:(SECTION+OFFSET): ...", which may have the linker's
// own name before it: in the first form.
std::optional<CompilerError> error_in(std::string_view line) {
  const std::size_t linker = line.find("ld: ");
  if (linker != std::string_view::npos && line.find_first_of(": ") == linker + 2)
    line.remove_prefix(linker + 4);
  std::size_t error = std::string_view::npos;
  for (const std::string_view kind :
       {": error:", ": error #", ": fatal error:", ": undefined reference to", ": multiple definition of"}) {
    error = std::min(error, line.find(kind));
  }
  if (error == std::string_view::npos || error == 0) return std::nullopt;
  std::string_view place = line.substr(0, error);
  // some linkers add the place in the object file
  if (const std::size_t section = place.rfind(":(");
      section != std::string_view::npos && contains(place.substr(section), "+0x"))
    place = place.substr(0, section);
  std::string_view what = line.substr(error + 2);
  if (place.back() != ')') {
    const bool of_linker = !contains(what.substr(0, what.find(':')), "error");
    return CompilerError{of_linker ? fmt::format("{}: error: {}", place, what) : std::string(line),
                         place_at_start(place)};
  }
  const std::size_t mark = std::min(place.rfind('('), place.size());
  const facts::Location where{std::string(place.substr(0, mark)),
                              std::atoi(std::string(place.substr(std::min(mark + 1, place.size()))).c_str())};
  // "error #20014-D: ...": the number is for those who want to switch it off
  what.remove_prefix(std::min(what.find(": "), what.size() - 2) + 2);
  return CompilerError{fmt::format("{}:{}: error: {}", where.file, where.line, what), where};
}

// The lines with which compilers lead to an error elsewhere: the student's line that includes a header, or
// that made it instantiate a template there. (g++ says so before the error, clang and nvcc the latter behind
// it.)
class WayToError {
 public:
  explicit WayToError(const std::string& source) : source_(source) {}

  // A line that stands before the error.
  void note_before(const std::string& line) {
    if (contains(line, ": warning:") || contains(line, "): warning #")) *this = WayToError(source_);
    const std::size_t from = line.find("from ");
    const bool includes = line.rfind("In file included from ", 0) == 0 || line.find_first_not_of(' ') == from;
    if (includes && from != std::string::npos)
      keep(includer_, place_at_start(std::string_view(line).substr(from + 5)));
    if (contains(line, ":   required from")) keep(user_, place_at_start(line));
  }
  // A line that stands behind it.
  void note_behind(const std::string& line) {
    if (contains(line, ": note: in instantiation of")) keep(user_, place_at_start(line));
    const std::size_t at = line.find(" at line "), of = line.find(" of ", at);
    if (at != std::string::npos && of != std::string::npos)
      keep(user_, {line.substr(of + 4), std::atoi(line.c_str() + at + 9)});
  }
  const std::optional<facts::Location>& start() const { return user_ ? user_ : includer_; }

 private:
  void keep(std::optional<facts::Location>& to, facts::Location place) {
    if (!to && place.line > 0 && is_students(place, source_)) to = std::move(place);
  }
  std::string source_;
  std::optional<facts::Location> includer_, user_;
};

// The text of a failed assertion, without the condition, which only its author understands.
std::string words_of_assertion(const std::string& what) {
  const std::size_t first = what.find('"'), last = what.rfind('"');
  if (first < last) return what.substr(first + 1, last - first - 1);
  for (const std::string_view mark : {"': ", "failed: "}) {
    if (const std::size_t at = what.find(mark); at != std::string::npos) return what.substr(at + mark.size());
  }
  return what;
}

// An error elsewhere, as one of the student's line that led there: what it says, without the other file's
// text.
CompilerError as_of(const CompilerError& error, const facts::Location& place) {
  constexpr std::string_view mark = "error: ";
  std::string what = error.message.substr(0, error.message.find('\n'));
  what.erase(0, what.find(mark) + mark.size());
  if (what.rfind("static assertion", 0) == 0 || what.rfind("static_assert", 0) == 0)
    what = words_of_assertion(what);
  if (what.rfind("#error ", 0) == 0) what.erase(0, 7);
  std::erase(what, '"');
  return {fmt::format("{}:{}: error: {}", place.file, place.line, what), place};
}

// The first line without the options that it would take to get past it, and in plain words where the
// compiler's own speak of something else.
void put_plainly(std::string& message) {
  const std::size_t end = std::min(message.find('\n'), message.size()), option = message.rfind(" [-", end);
  if (option != std::string::npos && message[end - 1] == ']') message.erase(option, end - option);
  if (const std::size_t arguments = message.find("there are no arguments to '"), quote = arguments + 26;
      arguments != std::string::npos && contains(message, "' that depend on a template parameter")) {
    const std::string name = message.substr(quote, message.find('\'', quote + 1) + 1 - quote);
    message.replace(arguments, std::min(message.find('\n'), message.size()) - arguments,
                    name + " was not declared in this scope");
  }
  for (const auto& [shown, written] :
       {std::pair{"<    ::", "<"}, std::pair{"> \")", ">\")"},
        std::pair{"variable length arrays are a C99 feature", "the size of an array must be a constant"}}) {
    for (std::size_t at; (at = message.find(shown)) != std::string::npos;)
      message.replace(at, std::strlen(shown), written);
  }
  if (const std::size_t array = message.find("error: variable length array '"),
      used = message.find("' is used", array);
      array < end && used < end) {
    message.replace(used, 9, "' must be a constant");
    message.replace(array, 28, "error: the size of the array");
  }
  constexpr std::string_view variable = "undefined reference to `__device_builtin_variable_";
  if (const std::size_t at = message.find(variable); at != std::string::npos) {
    const std::size_t name = at + variable.size();
    message.replace(at, std::string::npos,
                    message.substr(name, message.find('\'', name) - name) + " is there in kernels only");
  }
}

// nvcc shows the line as its preprocessor left it: __global__ as __attribute__((global)).
void show_qualifiers_as_written(std::string& message) {
  for (const std::string_view name : {"global", "shared", "device", "host", "constant"}) {
    const std::string shown = fmt::format("__attribute__(({}))", name), written = fmt::format("__{}__", name);
    for (std::size_t at; (at = message.find(shown)) != std::string::npos;) {
      message.replace(at, shown.size(), written);
      const std::size_t removed = shown.size() - written.size(),
                        column = at - std::min(message.rfind('\n', at), at);
      const std::size_t end = message.find('\n', at), caret = message.find('^', end);
      if (caret == std::string::npos || message.find_first_not_of(' ', end + 1) != caret) continue;
      // The mark may count from the line as it was written.
      if (caret - end >= column + written.size() + removed) message.erase(caret - removed, removed);
    }
  }
}

// "_Z10bin_numberh" as "bin_number(unsigned char)".
std::string demangled(std::string text) {
  const std::size_t begin = text.find("'_Z"), end = text.find('\'', begin + 1);
  if (begin == std::string::npos || end == std::string::npos) return text;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(text.substr(begin + 1, end - begin - 1).c_str(), nullptr, nullptr, &status),
      &std::free);
  return name ? text.replace(begin + 1, end - begin - 1, name.get()) : text;
}

}  // namespace

bool is_students(const facts::Location& place, const std::string& source) {
  return place.file.rfind(source.substr(0, source.rfind('/') + 1), 0) == 0;
}

std::optional<CompilerError> first_compiler_error(const std::string& output, const std::string& source) {
  std::istringstream lines(output);
  std::optional<CompilerError> found;
  WayToError way(source);
  bool shows_place = true;
  for (std::string line; std::getline(lines, line);) {
    auto error = error_in(line);
    if (found && error) break;
    if (!found) {
      found = std::move(error);
      if (!found) way.note_before(line);
      continue;
    }
    // The lines that follow show the source; they begin with blanks.
    shows_place = shows_place && starts_with_blank(line) && !contains(line, "detected during");
    if (shows_place) found->message += "\n" + line;
    way.note_behind(line);
  }
  if (found && !is_students(found->where, source) && way.start()) return as_of(*found, *way.start());
  if (found) {
    put_plainly(found->message);
    show_qualifiers_as_written(found->message);
  }
  return found;
}

std::optional<std::string> first_device_error(const std::string& output) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    for (const std::string_view tool : {"ptxas error", "ptxas fatal", "nvlink error"}) {
      const std::size_t mark = line.find(" : ");
      if (line.rfind(tool, 0) != 0 || mark == std::string::npos) continue;
      return demangled(line.substr(mark + 3));
    }
  }
  return std::nullopt;
}

std::string without_commands(const std::string& output) {
  std::istringstream lines(output);
  std::string kept;
  bool command = false;
  for (std::string line; std::getline(lines, line);) {
    const bool progress = line.starts_with('[') && contains(line.substr(0, line.find(']')), "/");
    const bool failed = line.rfind("FAILED: ", 0) == 0, stopped = line.rfind("ninja: build stopped", 0) == 0;
    if (!progress && !failed && !stopped && !command) kept += line + "\n";
    command = failed;
  }
  return kept;
}

}  // namespace judge
