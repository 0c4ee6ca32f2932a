// SPDX-License-Identifier: MIT
#include "judge/loop_details.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "judge/finding_message.hpp"

namespace judge {

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
  const std::string ends =
      fmt::format("the loop at line {} never ends, because `{}` stays true", loop.line, loop.condition);
  const auto counter = source.counter(loop.line);
  const bool is_of_threads = finding.message.find(" a thread repeats ") != std::string::npos;
  if (!counter) return ends + (is_of_threads ? " for this thread" : "");
  if (!counter->may_change) return fmt::format("{}: nothing in the loop changes `{}`", ends, counter->name);
  const auto declared = source.declaration(counter->name);
  constexpr std::array<std::string_view, 8> short_types{
      "short", "unsigned short", "char", "unsigned char", "signed char", "uint8_t", "uint16_t", "int16_t"};
  return declared && std::ranges::count(short_types, declared->type) > 0
             ? fmt::format("{}: `{}` has the type `{}`", ends, counter->name, declared->type)
             : ends;
}

int head_of_loop(int line, const std::string& text) {
  const std::vector<Loop> loops = SourceStructure(text).loops(line);
  return loops.size() == 1 ? loops.front().line : line;
}

}  // namespace judge
