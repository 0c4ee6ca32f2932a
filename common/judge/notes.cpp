// SPDX-License-Identifier: MIT
#include <algorithm>

#include "judge/check.hpp"
#include "judge/reasons_in_notes.hpp"
#include "judge/source_text.hpp"

namespace judge {

namespace {

constexpr std::size_t most_notes = 16;

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
