// SPDX-License-Identifier: MIT
#include "judge/barrier_details.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "judge/finding_message.hpp"
#include "os/files.hpp"

namespace judge {

namespace {

// ", which stands under the condition `i < n` at line 8": the conditions up to the innermost loop, for any of
// them may be what did not hold, and that loop.
std::string standing(int line, const SourceStructure& source) {
  const std::vector<Control> around = source.controls(line);
  const auto loop = std::ranges::find(around.rbegin(), around.rend(), true, &Control::is_loop);
  std::vector<std::string> conditions;
  for (auto control = loop.base(); control != around.end(); ++control) {
    conditions.push_back(control->condition.empty()
                             ? fmt::format("at line {}", control->line)
                             : fmt::format("`{}` at line {}", control->condition, control->line));
  }
  std::string text;
  if (!conditions.empty())
    text = fmt::format(", which stands under the condition{} {}", conditions.size() > 1 ? "s" : "",
                       fmt::join(conditions, " and "));
  if (loop != around.rend())
    text += fmt::format("{} in the loop at line {}", text.empty() ? ", which stands" : ",", loop->line);
  return text;
}

// Who waits where, and under which conditions.
std::string missing_in_divergence(const facts::Finding& finding, const SourceStructure& source) {
  const int one = finding.where.front().line, other = finding.where.back().line;
  const bool known = finding.threads.size() == 2;
  const auto waits = [&](std::size_t which, std::string_view otherwise) {
    return known ? fmt::format("thread {} waits", finding.threads[which].thread) : std::string(otherwise);
  };
  const std::string under = standing(one, source), other_under = standing(other, source);
  // A loop or condition around both says nothing.
  const bool differ = under != other_under;
  return fmt::format("{} at line {}{}; {} at line {}{}; no barrier joins them", waits(0, "some threads wait"),
                     one, differ ? under : "", waits(1, "others wait"), other, differ ? other_under : "");
}

}  // namespace

std::string missing_at_barrier(const facts::Finding& finding, const SourceStructure& source) {
  const int line = finding.where.front().line;
  if (finding.message.starts_with("a warp operation with mask "))
    return fmt::format("not all lanes that the mask names come to line {}{}", line, standing(line, source));
  if (finding.where.size() == 2 && finding.where.front().role == "waits" &&
      finding.where.back().role == "waits" && line != finding.where.back().line)
    return missing_in_divergence(finding, source);
  return {};
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
      goes_round ? fmt::format("{} returns at line {} and does not come back to the barrier at line {}",
                               thread, behind.front(), line)
      : before.empty()
          ? fmt::format("{} ends while {} at the barrier at line {}{}", thread,
                        finding.message.find("when the other waited") != std::string::npos ? "another waits"
                                                                                           : "others wait",
                        line, standing(line, source))
      : before.size() == 1
          ? fmt::format("{} returns at line {} before the barrier at line {}", thread, before.front(), line)
          : fmt::format("{} returns before the barrier at line {}", thread, line);
}

}  // namespace judge
