// SPDX-License-Identifier: MIT
#include "judge/finding_details.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "judge/source_structure.hpp"
#include "judge/source_text.hpp"
#include "judge/tokens.hpp"
#include "os/files.hpp"

namespace judge {

std::string array_in(std::string_view message) {
  const std::size_t bracket = message.find('[');
  if (bracket == std::string_view::npos) return {};
  std::size_t begin = bracket;
  while (begin > 0 && is_of_name(message[begin - 1])) --begin;
  return std::string(message.substr(begin, bracket - begin));
}

namespace {

constexpr std::string_view launch_shape = "launch_shape";

std::string without_end_blanks(std::string_view line) {
  return std::string(line.substr(0, line.find_last_not_of(" \t\r") + 1));
}

// With its index: "counts[3]".
std::string element_in(std::string_view message) {
  const std::string array = array_in(message);
  const std::size_t open = message.find('[');
  if (array.empty()) return {};
  return array + std::string(message.substr(open, message.find(']', open) + 1 - open));
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

// Where on its line the place is, from 1; the start of the line's code where that is not known, and 0 where
// that would point at another array.
int column_of(const facts::Location& place, const std::string& array, const SourceStructure& source) {
  const std::string code = code_of(place.text);
  const auto column = [](std::size_t at) { return static_cast<int>(at) + 1; };
  if (place.role == "waits") {
    for (const std::string_view call : {"__sync", "sync", "__", "shuffle"}) {
      if (const std::size_t at = code.find(call); at != std::string::npos) return column(at);
    }
  }
  if (place.role == "returns") {
    if (const std::size_t at = find_name(code, "return"); at != std::string::npos) return column(at);
  }
  if (!array.empty()) {
    if (const auto element = source.element(place.line, place.role, array)) return element->column;
    if (const std::size_t at = find_name(code, array); at != std::string::npos) return column(at);
    if (code.find('[') != std::string::npos) return 0;
  }
  const std::size_t first = place.text.find_first_not_of(" \t");
  return first == std::string::npos ? 0 : column(first);
}

const facts::Location* place_with(const facts::Finding& finding, std::string_view role) {
  const auto found =
      std::ranges::find_if(finding.where, [&](const facts::Location& place) { return place.role == role; });
  return found == finding.where.end() ? nullptr : &*found;
}

// "; `mine` is set at line 6" where the kernel uses a pointer of its own.
std::string through_pointer(const SourceStructure& source, const facts::Location& place,
                            const std::string& array) {
  const auto element = source.element(place.line, place.role, array);
  if (!element || element->name == array) return {};
  const auto line = source.line_that_sets(element->name, place.line);
  return line ? fmt::format("; `{}` is set at line {}", element->name, *line) : std::string();
}

// Whether the two threads are of different blocks, by the message's second line.
bool is_across_blocks(const std::string& message) {
  constexpr std::string_view of_block = " of block (";
  const std::size_t one = message.find(of_block), other = message.find(of_block, one + 1);
  if (one == std::string::npos || other == std::string::npos) return false;
  const auto block_at = [&](std::size_t at) { return message.substr(at, message.find(')', at) - at); };
  return block_at(one) != block_at(other);
}

// Of an element that several threads read and write back: whether that is one operator, or a read and a
// write.
std::string missing_in_update(int first, int last, const std::string& array, const SourceStructure& source) {
  if (first != last)
    return fmt::format("the accesses at line {} and line {} are not one atomic update", first, last);
  const auto element = source.element(last, "writes", array);
  const bool is_one = !element || element->is_updated || source.element(last, "reads", array).has_value();
  const auto read = is_one ? std::nullopt : source.line_that_reads(element->name, last);
  return read ? fmt::format("the read at line {} and the write at line {} are not one atomic update", *read,
                            last)
              : fmt::format("the update at line {} is not atomic", last);
}

std::string_view noun_of(std::string_view role) {
  return role == "reads" ? "read" : role == "writes" ? "write" : "atomic";
}

std::string missing_in_race(const facts::Finding& finding, const SourceStructure& source) {
  if (finding.diagnosis.empty() || finding.where.empty()) return {};
  const facts::Location &front = finding.where.front(), &back = finding.where.back();
  const int one = std::min(front.line, back.line), other = std::max(front.line, back.line);
  if (finding.diagnosis != "missing_atomic") {
    const std::string_view which =
        finding.diagnosis == "missing_warp_sync" ? "barrier of the warp" : "barrier";
    if (one != other) return fmt::format("no {} between line {} and line {}", which, one, other);
    return fmt::format("no {} between one thread's {} at line {} and another's {} there", which,
                       noun_of(front.role), one, noun_of(back.role));
  }
  const std::string array = array_in(finding.message);
  const bool is_update = finding.message.find(" change ") != std::string::npos ||
                         finding.message.find(" and then writes it") != std::string::npos;
  const auto updates = [&](const facts::Location& place) {
    const auto element = source.element(place.line, place.role, array);
    return element && element->is_updated && element->is_only;
  };
  if (is_update && finding.message.find(" by atomics ") == std::string::npos) {
    const bool is_one_atomic = front.role == "changes atomically" || back.role == "changes atomically";
    const int plain = front.role == "changes atomically" ? back.line : front.line;
    return is_one_atomic ? missing_in_update(plain, plain, array, source)
                         : missing_in_update(one, other, array, source);
  }
  for (const facts::Location* place : {&front, &back}) {
    if (place->role != "changes atomically" && updates(*place))
      return fmt::format("the update at line {} is not atomic", place->line);
  }
  if (!is_across_blocks(finding.message)) return {};
  const std::string where = through_pointer(source, front, array).empty()
                                ? through_pointer(source, back, array)
                                : through_pointer(source, front, array);
  if (front.role == "writes" && back.role == "writes")
    return "each of the two blocks replaces what the other has written" + where;
  return "two blocks use the same element, and no barrier joins threads of different blocks" + where;
}

std::string missing_in_bounds(const facts::Finding& finding, const SourceStructure& source) {
  if (finding.message.find("; ") == std::string::npos) return {};
  const facts::Location& place = finding.where.front();
  if (finding.message.find(" is dynamic shared memory") != std::string::npos) {
    const auto line = source.line_of_return(launch_shape);
    return fmt::format("launch_shape{} gives fewer bytes of shared memory than the kernel uses",
                       line ? fmt::format(" (line {})", *line) : "");
  }
  const std::string array = array_in(finding.message);
  const auto element = source.element(place.line, place.role, array);
  if (!element || !element->is_only)
    return fmt::format("nothing at line {} keeps the index within the array", place.line);
  if (element->name != array) {
    const auto line = source.line_that_sets(element->name, place.line);
    const std::string written = fmt::format("`{}[{}]`", element->name, element->index);
    return line ? fmt::format("{} lies outside of {}; `{}` is set at line {}",
                              element->index.empty() ? "`" + element->name + "[...]`" : written, array,
                              element->name, *line)
                : fmt::format("nothing at line {} keeps the index within the array", place.line);
  }
  const std::string index =
      element->index.empty() ? "the index" : fmt::format("the index `{}`", element->index);
  std::vector<Condition> held = source.conditions(*element);
  if (held.empty())
    return fmt::format("no condition keeps {} at line {} within the array", index, place.line);
  if (held.size() > 2) held.erase(held.begin(), held.end() - 2);
  std::string text;
  for (const Condition& condition : held)
    text += fmt::format("{}`{}` at line {}", text.empty() ? "" : " and ", condition.text, condition.line);
  return text + (held.size() == 1 ? " does" : " do") + " not keep " + index + " within the array";
}

// The shape of a launch that was refused comes from here.
void add_launch_shape(facts::Finding& finding, const std::string& source) {
  if (source.empty()) return;
  const auto line = SourceStructure(os::read_file(source).value_or("")).line_of_return(launch_shape);
  if (line) finding.where.push_back({.file = source, .line = *line, .role = "returns"});
}

// Counts that every thread keeps for itself never come together.
void add_local_array(facts::Finding& finding, const std::string& source) {
  if (source.empty()) return;
  const std::string text = os::read_file(source).value_or("");
  const auto array = SourceStructure(text).local_array_of_atomics();
  if (!array) return;
  facts::Location place{.file = source, .line = array->line, .role = "declares"};
  place.text = without_end_blanks(line_of(text, place.line));
  place.column = array->column;
  finding.where.push_back(std::move(place));
  finding.missing = fmt::format(
      "each thread has an array `{}` of its own: no thread sees what another counts there", array->name);
}

std::string missing_in_loop(const facts::Finding& finding, const SourceStructure& source) {
  const facts::Location* place = place_with(finding, "repeats");
  if (!place && finding.message.find(" never ends") != std::string::npos) place = &finding.where.front();
  if (!place) return {};
  const std::vector<Loop> loops = source.loops(place->line);
  if (loops.empty()) return fmt::format("the steps at line {} come again and again", place->line);
  if (loops.size() > 1) {
    std::string lines;
    for (const Loop& loop : loops) lines += fmt::format("{}line {}", lines.empty() ? "" : " or ", loop.line);
    return fmt::format("one of the loops never ends: at {}", lines);
  }
  const Loop& loop = loops.front();
  if (loop.condition.empty() || loop.condition == "true" || loop.condition == "1")
    return fmt::format("no way out of the loop at line {} is ever taken", loop.line);
  return loop.is_empty ? fmt::format("the loop at line {} waits until `{}` is false, which it never is",
                                     loop.line, loop.condition)
                       : fmt::format("the loop at line {} never ends, for `{}` is never false", loop.line,
                                     loop.condition);
}

std::string missing_in(const facts::Finding& finding, const SourceStructure& source) {
  if (finding.where.empty()) return {};
  const int line = finding.where.front().line;
  switch (finding.verdict) {
    case facts::Verdict::race:
      return missing_in_race(finding, source);
    case facts::Verdict::divergent_barrier:
      if (finding.where.size() == 2 && finding.where.front().role == "waits" &&
          finding.where.back().role == "waits" && line != finding.where.back().line)
        return fmt::format("some threads wait at line {}, others at line {}, and no barrier joins them", line,
                           finding.where.back().line);
      if (finding.message.starts_with("a warp operation with mask "))
        return fmt::format("not all lanes that the mask names come to line {}", line);
      return {};
    case facts::Verdict::uninitialised:
      return fmt::format("no write to {} before line {}", element_in(finding.message), line);
    case facts::Verdict::out_of_bounds:
      return missing_in_bounds(finding, source);
    case facts::Verdict::timeout:
      return missing_in_loop(finding, source);
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

StudentNames::StudentNames(const problems::Problem& problem, bool launched, const std::string& source)
    : source_(source) {
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
  const SourceStructure source(os::read_file(file).value_or(""));
  const std::vector<int> before = source.returns_before(line), behind = source.returns_behind_in_loop(line);
  const bool goes_round = before.empty() && behind.size() == 1;
  if (before.size() == 1 || goes_round) {
    finding.where.push_back(
        {.file = file, .line = goes_round ? behind.front() : before.front(), .role = "returns"});
  }
  finding.missing =
      goes_round       ? fmt::format("{} returns at line {} and does not come back to the barrier at line {}",
                                     thread, behind.front(), line)
      : before.empty() ? fmt::format("{} ends without reaching the barrier at line {}", thread, line)
      : before.size() == 1
          ? fmt::format("{} returns at line {} before the barrier at line {}", thread, before.front(), line)
          : fmt::format("{} returns before the barrier at line {}", thread, line);
}

void complete(facts::Finding& finding, const StudentNames& names) {
  finding.message = names.in(std::move(finding.message));
  const std::string first_line = finding.message.substr(0, finding.message.find('\n'));
  const std::string array = array_in(first_line);
  if (finding.verdict == facts::Verdict::launch_error && finding.where.empty())
    add_launch_shape(finding, names.source());
  for (facts::Location& place : finding.where) {
    if (place.role.empty() && finding.verdict == facts::Verdict::out_of_bounds)
      place.role = role_in(first_line);
    const std::string text = os::read_file(place.file).value_or("");
    place.text = without_end_blanks(line_of(text, place.line));
    if (!place.text.empty()) place.column = column_of(place, array, SourceStructure(text));
  }
  if (finding.verdict == facts::Verdict::wrong_answer && finding.where.empty())
    add_local_array(finding, names.source());
  if (finding.missing.empty() && !finding.where.empty())
    finding.missing =
        missing_in(finding, SourceStructure(os::read_file(finding.where.front().file).value_or("")));
  finding.evidence.clear();
  for (std::size_t end = finding.message.find('\n'); end != std::string::npos;) {
    const std::size_t begin = finding.message.find_first_not_of(' ', end + 1);
    if (begin == std::string::npos) break;
    end = finding.message.find('\n', begin);
    finding.evidence += (finding.evidence.empty() ? "" : "\n") + finding.message.substr(begin, end - begin);
  }
}

}  // namespace judge
