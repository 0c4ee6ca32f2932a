// SPDX-License-Identifier: MIT
#include "judge/reasons_in_notes.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "judge/finding_details.hpp"

namespace judge {

namespace {

bool has_role(const facts::Observation& note, std::string_view role) {
  return note.roles == std::vector{std::string(role)};
}

bool has_note(const CaseResult& result, const facts::Observation& note) {
  return result.answer && std::ranges::any_of(result.answer->notes, [&](const facts::Observation& other) {
           return other.roles == note.roles && other.sites == note.sites;
         });
}

}  // namespace

void add_absent_source(facts::Finding& wrong, const facts::Observation& note, const std::string& program) {
  const auto places = places_of(program, note);
  if (places.empty()) return;
  wrong.where = places;
  // "a shuffle reads from lane 1, which does not take part"
  const std::string first_line = note.message.substr(0, note.message.find('\n'));
  const std::size_t verb = first_line.find(" reads ");
  if (verb != std::string::npos)
    wrong.missing = fmt::format("the shuffle at line {}{}", places.front().line, first_line.substr(verb));
}

const facts::Observation* absent_source_in(const std::vector<facts::Observation>& notes) {
  const auto note = std::ranges::find_if(
      notes, [](const facts::Observation& one) { return has_role(one, facts::absent_source); });
  return note == notes.end() ? nullptr : &*note;
}

void add_unrepeated_swap(facts::Finding& wrong, const std::vector<facts::Observation>& notes,
                         const std::string& program) {
  const auto note = std::ranges::find_if(
      notes, [](const facts::Observation& one) { return has_role(one, facts::unrepeated_swap); });
  if (note == notes.end()) return;
  wrong.message += "\n  " + note->message;
  wrong.where = places_of(program, *note);
}

void add_reason(facts::Finding& wrong, const std::vector<CaseResult>& cases, const std::string& program) {
  const auto failed =
      std::ranges::find_if(cases, [](const CaseResult& result) { return !result.findings.empty(); });
  if (wrong.verdict != facts::Verdict::wrong_answer || !wrong.where.empty() || failed == cases.end() ||
      !failed->answer)
    return;
  for (const facts::Observation& note : failed->answer->notes) {
    const bool is_harmless = std::ranges::any_of(
        cases, [&](const CaseResult& result) { return result.passed() && has_note(result, note); });
    if (is_harmless) continue;
    if (has_role(note, facts::absent_source)) return add_absent_source(wrong, note, program);
    if (has_role(note, facts::unrepeated_swap)) return add_unrepeated_swap(wrong, {note}, program);
  }
}

bool is_mere_reason(const facts::Observation& note) { return has_role(note, facts::unrepeated_swap); }

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
