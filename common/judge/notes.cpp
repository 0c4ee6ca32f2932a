// SPDX-License-Identifier: MIT
#include "judge/notes.hpp"

#include <algorithm>

#include "judge/source_lines.hpp"

namespace judge {

namespace {

constexpr std::size_t most_notes = 16;

}  // namespace

void Notes::add(const std::vector<runner::Note>& notes, const std::string& context) {
  for (const runner::Note& note : notes) {
    const auto same = [&](const runner::Note& known) { return known.sites == note.sites; };
    if (kept_.size() == most_notes || std::any_of(kept_.begin(), kept_.end(), same)) continue;
    kept_.push_back({note.message + context, note.sites});
  }
}

std::vector<Note> Notes::told(const std::string& program) const {
  std::vector<Note> result;
  for (const runner::Note& note : kept_) {
    Note told{note.message, source_lines(program, note.sites)};
    std::sort(told.where.begin(), told.where.end());
    told.where.erase(std::unique(told.where.begin(), told.where.end()), told.where.end());
    const auto same = [&](const Note& known) { return !told.where.empty() && known.where == told.where; };
    if (std::none_of(result.begin(), result.end(), same)) result.push_back(std::move(told));
  }
  return result;
}

}  // namespace judge
