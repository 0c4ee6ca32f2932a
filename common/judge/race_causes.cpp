// SPDX-License-Identifier: MIT
#include "judge/race_causes.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "judge/finding_message.hpp"
#include "judge/source_structure.hpp"
#include "os/files.hpp"

namespace judge {

namespace {

struct EarlyRead {
  std::string array;
  facts::Location place;
};

// Of a race for want of a barrier: what one thread reads while another writes it.
std::optional<EarlyRead> early_read(const facts::Finding& finding) {
  if (finding.verdict != facts::Verdict::race || finding.diagnosis == "missing_atomic" ||
      finding.where.size() != 2)
    return std::nullopt;
  const auto reads = std::ranges::find(finding.where, "reads", &facts::Location::role);
  const bool is_written =
      std::ranges::find(finding.where, "writes", &facts::Location::role) != finding.where.end();
  std::string array = array_in(finding.message);
  if (reads == finding.where.end() || !is_written || array.empty()) return std::nullopt;
  return EarlyRead{std::move(array), *reads};
}

SourceStructure structure_of(const facts::Location& place) {
  return SourceStructure(os::read_file(place.file).value_or(""));
}

}  // namespace

bool has_parting_race(const std::vector<facts::Finding>& findings) {
  return std::ranges::any_of(findings, [](const facts::Finding& finding) {
    const auto read = early_read(finding);
    return read && structure_of(read->place).decides(read->array, read->place.line);
  });
}

bool comes_of_race(const facts::Finding& race, const facts::Finding& cause) {
  const auto read = early_read(cause);
  // Of races on one array neither is the other's cause: which lines its reads decide on, both lack an order.
  if (race.verdict != facts::Verdict::race || !read || array_in(race.message) == read->array) return false;
  const SourceStructure source = structure_of(read->place);
  return std::ranges::any_of(race.where, [&](const facts::Location& place) {
    return place.file == read->place.file && source.decides_on(read->array, read->place.line, place.line);
  });
}

}  // namespace judge
