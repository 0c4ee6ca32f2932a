// SPDX-License-Identifier: MIT
#include "judge/source_text.hpp"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <sstream>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "judge/tokens.hpp"
#include "os/command.hpp"

namespace judge {

namespace {

int line_at(std::string_view text, std::size_t at) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + at, '\n'));
}

struct Brace {
  std::size_t at, indentation;  // of its line
};

}  // namespace

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string_view line_of(std::string_view text, int line) {
  if (line < 1) return {};
  for (int before = 1; before < line; ++before) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

std::size_t find_name(std::string_view text, std::string_view name, std::size_t from) {
  for (std::size_t at = text.find(name, from); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_of_name(text[at - 1])) && (end == text.size() || !is_of_name(text[end]))) return at;
  }
  return std::string_view::npos;
}

std::string code_of(std::string_view text) {
  std::string code(text);
  for (char& c : code) c = c == '\n' ? c : ' ';
  for (const Token& token : tokens_of(text).all) {
    const bool is_code = token.kind == Token::Kind::identifier || token.kind == Token::Kind::number ||
                         token.kind == Token::Kind::punctuator;
    if (is_code)
      code.replace(token.begin, token.end - token.begin, text.substr(token.begin, token.end - token.begin));
  }
  return code;
}

std::optional<int> line_that_names(std::string_view text, std::string_view name) {
  const std::string code = code_of(text);
  const std::size_t at = find_name(code, name);
  return at == std::string::npos ? std::nullopt : std::optional(line_at(code, at));
}

std::optional<int> line_of_unclosed_brace(std::string_view text) {
  const std::string code = code_of(text);
  std::vector<Brace> open;
  std::optional<std::size_t> closed_by_anothers;
  std::size_t first_of_line = 0, indentation = 0;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (at == 0 || code[at - 1] == '\n') {
      first_of_line = std::min(code.find_first_not_of(" \t", at), code.size());
      indentation = first_of_line - at;
    }
    if (code[at] == '{') open.push_back({at, indentation});
    if (code[at] != '}') continue;
    if (open.empty()) return std::nullopt;
    const bool belongs = at != first_of_line || indentation >= open.back().indentation;
    if (!belongs && !closed_by_anothers) closed_by_anothers = open.back().at;
    open.pop_back();
  }
  if (open.empty()) return std::nullopt;
  return line_at(code, closed_by_anothers.value_or(open.front().at));
}

std::string excerpt(std::string_view text, int line) {
  const std::string_view shown = line_of(text, line);
  return shown.empty() ? "" : fmt::format("{:>5} | {}", line, shown);
}

int last_line(std::string_view text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  return end == std::string_view::npos ? 0 : line_at(text, end);
}

namespace {

// Device functions, and what a problem gives its kernels: inlined into the student's kernel.
constexpr std::array<std::string_view, 3> of_the_harness{"/common/runner/", "/common/problems/",
                                                         "/common/simulator/"};

// Libraries' headers: a place in them is shown by the line that led there, if that is known.
constexpr std::array<std::string_view, 3> of_libraries{"/include/c++/", "/usr/include/", "/usr/lib/"};

bool lies_in(std::span<const std::string_view> folders, std::string_view file) {
  return std::ranges::any_of(folders,
                             [&](std::string_view folder) { return file.find(folder) != file.npos; });
}

}  // namespace

namespace {

using Line = std::optional<facts::Location>;

// The same for places that are asked for the first time; nothing if the tool fails.
std::optional<std::vector<Line>> ask_for_lines(const std::string& program,
                                               const std::vector<std::uint64_t>& places) {
  std::vector<Line> result(places.size());
  // With -i the chain of inlined calls would follow; without it the innermost line is given, which may lie in
  // a header of the harness or of a library, so the chain is asked for and its first line outside of such
  // headers is taken.
  std::vector<std::string> words{"addr2line", "-e", program, "-a", "-i"};
  for (const std::uint64_t place : places) words.push_back(fmt::format("0x{:x}", place));
  const os::CommandResult command = os::run_command(words);
  if (command.code != 0) return std::nullopt;
  std::istringstream lines(command.output);
  std::size_t addresses = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("0x", 0) == 0) {
      ++addresses;
      continue;
    }
    const std::size_t colon = line.rfind(':');
    if (addresses == 0 || addresses > places.size() || colon == std::string::npos || line.front() == '?')
      continue;
    std::optional<facts::Location>& found = result[addresses - 1];
    if ((found && !lies_in(of_libraries, found->file)) || lies_in(of_the_harness, line)) continue;
    if (found && lies_in(of_libraries, line)) continue;
    const int number = std::atoi(line.c_str() + colon + 1);
    if (number > 0) found = facts::Location{line.substr(0, colon), number};
  }
  return result;
}

// A state of a file: its name, when it last changed, which no program can choose, its number and its size.
using State = std::tuple<std::string, time_t, long, ino_t, off_t>;

State state_of(const std::string& program) {
  struct stat status {};
  if (stat(program.c_str(), &status) != 0) return {};
  return {program, status.st_ctim.tv_sec, status.st_ctim.tv_nsec, status.st_ino, status.st_size};
}

// The lines of the program that was asked about last: the cases of a check meet the same few places again and
// again, and the tool reads all debug information each time.
struct KnownLines {
  std::mutex mutex;
  State program;
  std::map<std::uint64_t, Line> lines;
};

}  // namespace

std::vector<std::optional<facts::Location>> line_of_each(const std::string& program,
                                                         const std::vector<std::uint64_t>& places) {
  static KnownLines known;
  const std::lock_guard lock(known.mutex);
  if (State now = state_of(program); now != known.program) {
    known.lines.clear();
    known.program = std::move(now);
  }
  // A trace has thousands of places, most of them many times.
  std::set<std::uint64_t> distinct;
  for (const std::uint64_t place : places) {
    if (!known.lines.contains(place)) distinct.insert(place);
  }
  const std::vector<std::uint64_t> unknown(distinct.begin(), distinct.end());
  if (!unknown.empty()) {
    const auto lines = ask_for_lines(program, unknown);
    if (!lines) return std::vector<Line>(places.size());
    for (std::size_t i = 0; i < unknown.size(); ++i) known.lines[unknown[i]] = (*lines)[i];
  }
  std::vector<Line> result;
  for (const std::uint64_t place : places) result.push_back(known.lines.at(place));
  return result;
}

std::vector<facts::Location> source_lines(const std::string& program,
                                          const std::vector<std::uint64_t>& places) {
  std::vector<facts::Location> result;
  for (std::optional<facts::Location>& line : line_of_each(program, places)) {
    if (line) result.push_back(std::move(*line));
  }
  return result;
}

}  // namespace judge
