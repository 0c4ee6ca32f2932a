// SPDX-License-Identifier: MIT
#include "judge/finding_details.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "judge/source_text.hpp"
#include "judge/tokens.hpp"
#include "os/files.hpp"

namespace judge {

namespace {

std::string without_end_blanks(std::string_view line) {
  return std::string(line.substr(0, line.find_last_not_of(" \t\r") + 1));
}

// The array that a message names first: "counts" of "... reads counts[3] ...".
std::string array_in(std::string_view message) {
  const std::size_t bracket = message.find('[');
  if (bracket == std::string_view::npos) return {};
  std::size_t begin = bracket;
  while (begin > 0 && is_of_name(message[begin - 1])) --begin;
  return std::string(message.substr(begin, bracket - begin));
}

// "reads" of "histogram_kernel read data[1000]; ..."
std::string role_in(std::string_view first_line) {
  using Pair = std::pair<std::string_view, std::string_view>;
  for (const auto& [verb, role] :
       {Pair{" read ", "reads"}, Pair{" wrote ", "writes"}, Pair{" changed ", "changes"}}) {
    if (first_line.find(verb) != std::string_view::npos) return std::string(role);
  }
  return {};
}

// Where on its line the place is, from 1; the start of the line's code where that is not known.
int column_of(const facts::Location& place, const std::string& array) {
  const std::string code = code_of(place.text);
  const auto column = [](std::size_t at) { return static_cast<int>(at) + 1; };
  if (place.role == "waits") {
    for (const std::string_view call : {"__sync", "sync"}) {
      if (const std::size_t at = code.find(call); at != std::string::npos) return column(at);
    }
  }
  if (place.role == "returns") {
    if (const std::size_t at = find_name(code, "return"); at != std::string::npos) return column(at);
  }
  if (!array.empty()) {
    if (const std::size_t at = find_name(code, array); at != std::string::npos) return column(at);
  }
  const std::size_t first = place.text.find_first_not_of(" \t");
  return first == std::string::npos ? 0 : column(first);
}

const facts::Location* place_with(const facts::Finding& finding, std::string_view role) {
  const auto found =
      std::ranges::find_if(finding.where, [&](const facts::Location& place) { return place.role == role; });
  return found == finding.where.end() ? nullptr : &*found;
}

std::string missing_in_race(const facts::Finding& finding) {
  if (finding.diagnosis.empty() || finding.where.empty()) return {};
  const int one = std::min(finding.where.front().line, finding.where.back().line);
  const int other = std::max(finding.where.front().line, finding.where.back().line);
  if (finding.diagnosis != "missing_atomic") {
    const std::string_view which =
        finding.diagnosis == "missing_warp_sync" ? "barrier of the warp" : "barrier";
    if (one != other) return fmt::format("no {} between line {} and line {}", which, one, other);
    return fmt::format("no {} between one thread's access at line {} and the other's", which, one);
  }
  std::vector<int> plain;
  for (const facts::Location& place : finding.where) {
    if (place.role != "changes atomically") plain.push_back(place.line);
  }
  std::sort(plain.begin(), plain.end());
  plain.erase(std::unique(plain.begin(), plain.end()), plain.end());
  if (plain.empty()) return {};
  if (plain.size() == 1) return fmt::format("the access at line {} is not an atomic", plain.front());
  return fmt::format("the accesses at line {} and line {} are not one atomic", plain.front(), plain.back());
}

std::string missing_in(const facts::Finding& finding) {
  if (finding.where.empty()) return {};
  const int line = finding.where.front().line;
  switch (finding.verdict) {
    case facts::Verdict::race:
      return missing_in_race(finding);
    case facts::Verdict::divergent_barrier:
      if (finding.where.size() == 2 && finding.where.front().role == "waits" &&
          finding.where.back().role == "waits" && line != finding.where.back().line)
        return fmt::format("no barrier that all threads reach: some wait at line {}, others at line {}", line,
                           finding.where.back().line);
      return {};
    case facts::Verdict::uninitialised:
      return fmt::format("no write to {} before line {}", array_in(finding.message), line);
    case facts::Verdict::out_of_bounds:
      if (finding.message.find("; ") == std::string::npos) return {};
      if (finding.message.find(" is dynamic shared memory") != std::string::npos)
        return "bytes of shared memory in launch_shape";
      return fmt::format("nothing at line {} keeps the index within the array", line);
    case facts::Verdict::timeout:
      return place_with(finding, "repeats")
                 ? fmt::format("nothing in the loop at line {} leads to its end", line)
                 : std::string();
    default:
      return {};
  }
}

}  // namespace

std::vector<std::string> parameter_names(std::string_view text, std::string_view function) {
  const std::vector<Token> tokens = tokens_of(text).all;
  std::size_t at = 0;
  while (at + 1 < tokens.size() && !(tokens[at].is(function) && tokens[at + 1].is("("))) ++at;
  std::vector<std::string> names;
  if (at + 1 >= tokens.size()) return names;
  int depth = 0, angles = 0;
  bool is_over = false;  // behind the name: a default, or an array's extent
  std::string name;
  for (++at; at < tokens.size(); ++at) {
    const Token& token = tokens[at];
    if (token.is("(")) ++depth;
    if (token.is("<")) ++angles;
    if (token.is(">")) --angles;
    if (token.is(")")) --depth;
    const bool ends = depth == 0 || (token.is(",") && depth == 1 && angles == 0);
    if (ends) {
      names.push_back(name);
      name.clear();
      is_over = false;
      if (depth == 0) return names;
      continue;
    }
    is_over |= token.is("=") || token.is("[");
    if (token.is_name() && depth == 1 && angles == 0 && !is_over) name = token.text;
  }
  return {};
}

StudentNames::StudentNames(const problems::Problem& problem, bool launched, const std::string& source) {
  const problems::Callee& callee = problem.entry(launched).front();
  const std::string text = source.empty() ? "" : os::read_file(source).value_or("");
  const std::vector<std::string> own = parameter_names(text, callee.name);
  const std::vector<std::string> usual = parameter_names(callee.declaration, callee.name);
  if (own.size() != usual.size()) return;
  for (std::size_t i = 0; i < own.size(); ++i) {
    // Where the file gives the usual name to something else, both would be called the same.
    if (own[i].empty() || own[i] == usual[i] || line_that_names(text, usual[i])) continue;
    names_.emplace_back(usual[i], own[i]);
  }
}

std::string StudentNames::in(std::string text) const {
  for (const auto& [usual, own] : names_) {
    for (std::size_t at = 0; (at = find_name(text, usual, at)) != std::string::npos; at += own.size()) {
      // A word of a sentence, or the option of a command, is no name.
      const bool is_element = at + usual.size() < text.size() && text[at + usual.size()] == '[';
      const bool is_quoted = at > 0 && text[at - 1] == '`';
      const bool is_subject = text.compare(at + usual.size(), 5, " has ") == 0;
      if (is_element || is_quoted || is_subject) text.replace(at, usual.size(), own);
    }
  }
  return text;
}

std::vector<facts::Location> places_of(const std::string& program, const facts::Observation& seen) {
  std::vector<facts::Location> places;
  const auto lines = line_of_each(program, seen.sites);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i]) continue;
    places.push_back(*lines[i]);
    if (seen.roles.size() == lines.size()) places.back().role = seen.roles[i];
  }
  return places;
}

void add_return(facts::Finding& finding, const std::string& thread) {
  const facts::Location* const barrier = place_with(finding, "waits");
  if (!barrier) return;
  const std::string file = barrier->file;
  const int line = barrier->line;
  const std::vector<Token> tokens = tokens_of(os::read_file(file).value_or("")).all;
  std::vector<int> returns;
  for (const Token& token : tokens) {
    if (token.line >= line) break;
    if (token.is("__global__")) returns.clear();
    if (token.is("return")) returns.push_back(token.line);
  }
  if (returns.size() == 1)
    finding.where.push_back({.file = file, .line = returns.front(), .role = "returns"});
  finding.missing =
      returns.empty() ? fmt::format("{} ends without reaching the barrier at line {}", thread, line)
      : returns.size() == 1
          ? fmt::format("{} returns at line {} before the barrier at line {}", thread, returns.front(), line)
          : fmt::format("{} returns before the barrier at line {}", thread, line);
}

void complete(facts::Finding& finding, const StudentNames& names) {
  finding.message = names.in(std::move(finding.message));
  const std::string first_line = finding.message.substr(0, finding.message.find('\n'));
  const std::string array = array_in(first_line);
  for (facts::Location& place : finding.where) {
    if (place.role.empty() && finding.verdict == facts::Verdict::out_of_bounds)
      place.role = role_in(first_line);
    const std::string text = os::read_file(place.file).value_or("");
    place.text = without_end_blanks(line_of(text, place.line));
    if (!place.text.empty()) place.column = column_of(place, array);
  }
  if (finding.missing.empty()) finding.missing = missing_in(finding);
  finding.evidence.clear();
  for (std::size_t end = finding.message.find('\n'); end != std::string::npos;) {
    const std::size_t begin = finding.message.find_first_not_of(' ', end + 1);
    if (begin == std::string::npos) break;
    end = finding.message.find('\n', begin);
    finding.evidence += (finding.evidence.empty() ? "" : "\n") + finding.message.substr(begin, end - begin);
  }
}

}  // namespace judge
