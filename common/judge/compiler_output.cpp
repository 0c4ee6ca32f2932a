// SPDX-License-Identifier: MIT
#include "judge/compiler_output.hpp"

#include <cxxabi.h>
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>
#include <string_view>
#include <utility>

namespace judge {

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
// "FILE:LINE: undefined reference to ...", which may have the linker's own name before it: in the first form.
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
  const std::string_view place = line.substr(0, error);
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

// What compilers say of how they came to an error elsewhere: the student's line that includes a header, or
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

// What a failed assertion says, without the condition, which only its author understands.
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
  for (const auto& [shown, written] : {std::pair{"<    ::", "<"}, std::pair{"> \")", ">\")"}}) {
    for (std::size_t at; (at = message.find(shown)) != std::string::npos;)
      message.replace(at, std::strlen(shown), written);
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
    const bool progress = line.rfind("[", 0) == 0 && contains(line.substr(0, line.find(']')), "/");
    const bool failed = line.rfind("FAILED: ", 0) == 0, stopped = line.rfind("ninja: build stopped", 0) == 0;
    if (!progress && !failed && !stopped && !command) kept += line + "\n";
    command = failed;
  }
  return kept;
}

}  // namespace judge
