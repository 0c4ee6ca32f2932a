// SPDX-License-Identifier: MIT
#include "judge/warnings.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "judge/build.hpp"
#include "judge/presentable.hpp"

namespace judge {

namespace {

// By the option that turns each of them off, in brackets behind it.
constexpr std::array<std::string_view, 23> telling{"parentheses",
                                                   "logical-op-parentheses",
                                                   "logical-not-parentheses",
                                                   "empty-body",
                                                   "misleading-indentation",
                                                   "unused-value",
                                                   "unused-comparison",
                                                   "unused-result",
                                                   "self-assign",
                                                   "array-bounds",
                                                   "type-limits",
                                                   "tautological-compare",
                                                   "tautological-unsigned-zero-compare",
                                                   "bool-compare",
                                                   "bool-operation",
                                                   "overflow",
                                                   "constant-conversion",
                                                   "div-by-zero",
                                                   "shift-count-overflow",
                                                   "shift-count-negative",
                                                   "sequence-point",
                                                   "uninitialized",
                                                   "maybe-uninitialized"};

}  // namespace

std::optional<facts::Finding> first_warning(const std::string& output, const std::string& source) {
  constexpr std::string_view mark = ": warning: ", option_mark = " [-W";
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t words = line.find(mark), option = line.rfind(option_mark);
    // Lines of source are shown behind blanks.
    if (words == std::string::npos || option == std::string::npos || option < words || line.front() == ' ')
      continue;
    std::string kind = line.substr(option + option_mark.size());
    kind = kind.substr(0, kind.find_first_of("]="));
    const std::size_t colon = line.find(':');
    const facts::Location place{line.substr(0, colon), std::atoi(line.c_str() + colon + 1)};
    if (std::ranges::find(telling, kind) == telling.end() || place.line == 0 || !is_students(place, source))
      continue;
    const std::size_t begin = words + mark.size();
    return facts::Finding{
        .message = "the compiler warns: " + shortened_text(printable(line.substr(begin, option - begin))),
        .where = {place}};
  }
  return std::nullopt;
}

void add_warning(CheckReport& report, const std::string& output, const std::string& source) {
  if (report.finding.verdict == facts::Verdict::pass) return;
  if (auto warning = first_warning(output, source))
    report.notes.insert(report.notes.begin(), std::move(*warning));
}

}  // namespace judge
