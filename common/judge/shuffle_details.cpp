// SPDX-License-Identifier: MIT
#include "judge/shuffle_details.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "judge/finding_details.hpp"

namespace judge {

namespace {

bool has_absent_source(const facts::Observation& note) {
  return note.roles == std::vector{std::string(facts::absent_source)};
}

bool has_note_at(const CaseResult& result, const std::vector<std::uint64_t>& sites) {
  return result.answer && std::ranges::any_of(result.answer->notes, [&](const facts::Observation& note) {
           return has_absent_source(note) && note.sites == sites;
         });
}

}  // namespace

void add_absent_source(facts::Finding& wrong, const std::vector<CaseResult>& cases,
                       const std::string& program) {
  const auto failed =
      std::ranges::find_if(cases, [](const CaseResult& result) { return !result.findings.empty(); });
  if (wrong.verdict != facts::Verdict::wrong_answer || !wrong.where.empty() || failed == cases.end() ||
      !failed->answer)
    return;
  for (const facts::Observation& note : failed->answer->notes) {
    const bool is_harmless = std::ranges::any_of(
        cases, [&](const CaseResult& result) { return result.passed() && has_note_at(result, note.sites); });
    if (!has_absent_source(note) || is_harmless) continue;
    const auto places = places_of(program, note);
    if (places.empty()) return;
    wrong.where = places;
    // "a shuffle reads from lane 1, which does not take part"
    const std::string first_line = note.message.substr(0, note.message.find('\n'));
    const std::size_t verb = first_line.find(" reads ");
    if (verb != std::string::npos)
      wrong.missing = fmt::format("the shuffle at line {}{}", places.front().line, first_line.substr(verb));
    return;
  }
}

void leave_out_reasons(std::vector<facts::Finding>& notes, const std::vector<facts::Finding>& found) {
  std::erase_if(notes, [&](const facts::Finding& note) {
    return std::ranges::any_of(found, [&](const facts::Finding& finding) {
      return finding.where.size() == 1 && note.where.size() == 1 &&
             finding.where.front().role == facts::absent_source &&
             finding.where.front().file == note.where.front().file &&
             finding.where.front().line == note.where.front().line;
    });
  });
}

}  // namespace judge
