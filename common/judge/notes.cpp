// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "facts/wide_access.hpp"
#include "judge/check.hpp"
#include "judge/finding_message.hpp"
#include "judge/reasons_in_notes.hpp"
#include "judge/source_structure.hpp"
#include "judge/source_text.hpp"
#include "os/files.hpp"

namespace judge {

namespace {

constexpr std::size_t most_notes = 16;

// Of a wide access: how far its array is declared to be aligned. False where that is enough, or is not known,
// or the library makes the access, which looks for itself.
bool tell_alignment(facts::Finding& note) {
  if (note.where.empty()) return false;
  const facts::Location& place = note.where.front();
  const std::string text = os::read_file(place.file).value_or(""), code = code_of(line_of(text, place.line));
  for (const std::string_view function : {"memcpy", "memset"}) {
    if (find_name(code, function) != std::string::npos) return false;
  }
  const SourceStructure source(text);
  const std::string array = array_in(note.message);
  const unsigned aligned = source.shared_alignment(array);
  // "a thread reads 16 bytes at once at tile[0]"
  const std::size_t number = note.message.find_first_of("0123456789");
  if (aligned == 0 || number == std::string::npos) return false;
  const auto size = static_cast<unsigned>(std::strtoul(note.message.c_str() + number, nullptr, 10));
  if (size <= aligned) return false;
  const std::size_t end = std::min(note.message.find('\n'), note.message.size());
  note.message.insert(
      end, fmt::format("; `{}` at line {} is declared without an alignment: on a GPU the access fails unless "
                       "the array happens to begin at a multiple of {}",
                       array, source.declaration(array)->line, size));
  return true;
}

}  // namespace

void Notes::add(const std::vector<facts::Observation>& notes, const std::string& context) {
  for (const facts::Observation& note : notes) {
    const auto same = [&](const facts::Observation& known) { return known.sites == note.sites; };
    if (is_mere_reason(note)) continue;
    if (kept_.size() == most_notes || std::any_of(kept_.begin(), kept_.end(), same)) continue;
    kept_.push_back(note);
    kept_.back().message += context;
  }
}

std::vector<facts::Finding> Notes::told(const std::string& program) const {
  std::vector<facts::Finding> result;
  for (const facts::Observation& note : kept_) {
    facts::Finding told{.message = note.message, .where = source_lines(program, note.sites)};
    if (note.roles == std::vector{std::string(facts::wide_access)} && !tell_alignment(told)) continue;
    std::sort(told.where.begin(), told.where.end());
    told.where.erase(std::unique(told.where.begin(), told.where.end()), told.where.end());
    const auto same = [&](const facts::Finding& known) {
      return !told.where.empty() && known.where == told.where;
    };
    if (std::none_of(result.begin(), result.end(), same)) result.push_back(std::move(told));
  }
  return result;
}

}  // namespace judge
