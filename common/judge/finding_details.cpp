// SPDX-License-Identifier: MIT
#include "judge/finding_details.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "judge/barrier_details.hpp"
#include "judge/bit_fields.hpp"
#include "judge/bounds_details.hpp"
#include "judge/finding_message.hpp"
#include "judge/loop_details.hpp"
#include "judge/race_details.hpp"
#include "judge/source_structure.hpp"
#include "judge/source_text.hpp"
#include "os/files.hpp"

namespace judge {

namespace {

std::string without_end_blanks(std::string_view line) {
  return std::string(line.substr(0, line.find_last_not_of(" \t\r") + 1));
}

// Where on its line the place is, from 1; the start of the line's code where that is not known, and 0 where
// that would point at another array, or one of several elements of the array is meant.
int column_of(const facts::Location& place, const std::string& array, const std::string& message,
              bool is_outside, const SourceStructure& source) {
  const std::string code = code_of(place.text);
  const auto column = [](std::size_t at) { return static_cast<int>(at) + 1; };
  if (place.role == "waits") {
    for (const std::string_view call : {"__sync", "sync", "__", "shuffle"}) {
      if (const std::size_t at = code.find(call); at != std::string::npos) return column(at);
    }
  }
  if (place.role == facts::absent_source) {
    for (const std::string_view call : {"__shfl", "shfl", "shuffle"}) {
      if (const std::size_t at = code.find(call); at != std::string::npos) return column(at);
    }
  }
  if (place.role == facts::undefined_shift) {
    const std::size_t left = code.find("<<"), right = code.find(">>");
    if (left == std::string::npos || right == std::string::npos) {
      if (const std::size_t at = std::min(left, right); at != std::string::npos) return column(at);
    }
  }
  if (place.role == "repeats") {
    for (const std::string_view keyword : {"for", "while", "do"}) {
      if (const std::size_t at = find_name(code, keyword); at != std::string::npos) return column(at);
    }
  }
  if (place.role == "returns") {
    if (const std::size_t at = find_name(code, "return"); at != std::string::npos) return column(at);
  }
  if (place.role == "declares") {
    // "... depends on `own`, ..."
    for (std::size_t open = message.find('`'); open != std::string::npos;
         open = message.find('`', open + 1)) {
      const std::size_t close = message.find('`', open + 1);
      if (close == std::string::npos) break;
      if (const std::size_t at = find_name(code, message.substr(open + 1, close - open - 1));
          at != std::string::npos)
        return column(at);
      open = close;
    }
  }
  if (!array.empty()) {
    const auto element = source.element(place.line, place.role, array, reached_in(message, place));
    // By which of the two an element within the array was reached, does not matter much.
    const bool is_either = element && element->has_alias && is_outside;
    if (element) return element->is_only && !is_either ? element->column : 0;
    if (const std::size_t at = find_name(code, array); at != std::string::npos) return column(at);
    if (code.find('[') != std::string::npos) return 0;
  }
  const std::size_t first = place.text.find_first_not_of(" \t");
  return first == std::string::npos ? 0 : column(first);
}

// The shape of a launch that was refused comes from here.
void add_launch_shape(facts::Finding& finding, const std::string& source) {
  if (source.empty()) return;
  const auto line = SourceStructure(os::read_file(source).value_or("")).line_of_return("launch_shape");
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

// An atomic on a variable of a thread's own gets the name that stands behind `atomicAdd(&` on its line.
void name_own_variable(facts::Finding& finding, const std::string& source) {
  constexpr std::string_view unnamed = " changed a variable of the thread's own atomically";
  const std::size_t at = finding.message.find(unnamed);
  if (finding.verdict != facts::Verdict::out_of_bounds || at == std::string::npos || finding.where.empty())
    return;
  const std::string code = code_of(finding.where.front().text);
  std::size_t begin = code.find("atomic");
  begin = begin == std::string::npos ? begin : code.find('(', begin);
  begin = begin == std::string::npos ? begin : code.find_first_not_of("(& ", begin);
  std::size_t end = begin;
  while (end < code.size() && is_of_name(code[end])) ++end;
  if (begin < end) {
    finding.message.replace(
        at, unnamed.size(),
        fmt::format(" changed {} atomically, which is the thread's own", code.substr(begin, end - begin)));
    finding.where.front().column = static_cast<int>(begin) + 1;
  }
  add_local_array(finding, source);
}

// Of an array that other threads have filled in part.
std::string missing_write(const facts::Finding& finding, const SourceStructure& source) {
  const int line = finding.where.front().line;
  const std::vector<int> writes = source.lines_that_write(array_in(finding.message), line);
  const std::string element = element_in(finding.message);
  if (writes.empty()) return fmt::format("no write to {} before line {}", element, line);
  if (writes.size() == 1)
    return fmt::format("the write at line {} does not reach {} before line {}", writes.front(), element,
                       line);
  return fmt::format("the writes at line {} and line {} do not reach {} before line {}", writes[0], writes[1],
                     element, line);
}

std::string missing_in(const facts::Finding& finding, const SourceStructure& source) {
  if (finding.where.empty()) return {};
  switch (finding.verdict) {
    case facts::Verdict::race:
      return missing_in_race(finding, source);
    case facts::Verdict::divergent_barrier:
      return missing_at_barrier(finding, source);
    case facts::Verdict::uninitialised:
      return missing_write(finding, source);
    case facts::Verdict::out_of_bounds:
      return missing_in_bounds(finding, source);
    case facts::Verdict::timeout:
      return missing_in_loop(finding, source);
    default:
      return {};
  }
}

// The simulator counts the elements of an array from its beginning, whatever its type: here they get the
// indices and members that the file has for them.
std::string with_written_elements(std::string text, const facts::Finding& finding,
                                  const SourceStructure& source) {
  // An access of another size counts in that.
  const auto has_own_size = [&](const std::string& array) {
    return std::ranges::all_of(finding.where, [&](const facts::Location& place) {
      const std::string code = code_of(place.text);
      return code.find("_cast<") == std::string::npos && find_name(code, "memset") == std::string::npos &&
             find_name(code, "memcpy") == std::string::npos &&
             (find_name(code, array) != std::string::npos || source.names_row_of(array, place.line));
    });
  };
  for (std::size_t open = 0; (open = text.find('[', open)) != std::string::npos; ++open) {
    const std::size_t close = text.find_first_not_of("0123456789", open + 1);
    if (close == std::string::npos || close == open + 1 || text[close] != ']') continue;
    std::size_t begin = open;
    while (begin > 0 && is_of_name(text[begin - 1])) --begin;
    if (begin == open || text.compare(close + 1, 1, "[") == 0) continue;
    const std::string array = text.substr(begin, open - begin);
    if (!has_own_size(array)) continue;
    const auto written = source.element_of(array, std::strtoll(text.c_str() + open + 1, nullptr, 10));
    if (!written) continue;
    text.replace(begin, close + 1 - begin, *written);
    open = begin + written->size() - 1;
  }
  return text;
}

}  // namespace

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

void complete(facts::Finding& finding, const StudentNames& names) {
  finding.message = names.in(std::move(finding.message));
  const std::string first_line = finding.message.substr(0, finding.message.find('\n'));
  const std::string array = array_in(first_line);
  if (finding.verdict == facts::Verdict::launch_error && finding.where.empty())
    add_launch_shape(finding, names.source());
  const bool is_outside = finding.verdict == facts::Verdict::out_of_bounds;
  for (facts::Location& place : finding.where) {
    if (place.role.empty() && finding.verdict == facts::Verdict::out_of_bounds)
      place.role = role_in(first_line);
    const std::string text = os::read_file(place.file).value_or("");
    if (finding.verdict == facts::Verdict::timeout && place.role == "repeats")
      place.line = head_of_loop(place.line, text);
    place.text = without_end_blanks(line_of(text, place.line));
    if (!place.text.empty())
      place.column = column_of(place, array, finding.message, is_outside, SourceStructure(text));
  }
  name_own_variable(finding, names.source());
  if (finding.verdict == facts::Verdict::wrong_answer && finding.where.empty())
    add_local_array(finding, names.source());
  if (!finding.where.empty()) {
    const SourceStructure source(os::read_file(finding.where.front().file).value_or(""));
    const auto fields =
        finding.verdict == facts::Verdict::race ? fields_of_one_word(finding, source.text()) : std::nullopt;
    if (fields) {
      finding.diagnosis = "missing_atomic";
      finding.missing = *fields;
    }
    if (finding.missing.empty()) finding.missing = missing_in(finding, source);
    if (shared_variable_in(finding, source)) {
      const std::string element = array + "[0]";
      if (const std::size_t at = finding.message.find(element); at != std::string::npos)
        finding.message.replace(at, element.size(), array);
    }
  }
  const bool is_of_memory = finding.verdict == facts::Verdict::race ||
                            finding.verdict == facts::Verdict::out_of_bounds ||
                            finding.verdict == facts::Verdict::uninitialised;
  if (is_of_memory && !finding.where.empty()) {
    const SourceStructure source(os::read_file(finding.where.front().file).value_or(""));
    for (std::string* const text : {&finding.message, &finding.missing})
      *text = with_written_elements(*text, finding, source);
  }
  finding.evidence.clear();
  for (std::size_t end = finding.message.find('\n'); end != std::string::npos;) {
    const std::size_t begin = finding.message.find_first_not_of(' ', end + 1);
    if (begin == std::string::npos) break;
    end = finding.message.find('\n', begin);
    finding.evidence += (finding.evidence.empty() ? "" : "\n") + finding.message.substr(begin, end - begin);
  }
}

}  // namespace judge
