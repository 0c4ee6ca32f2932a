// SPDX-License-Identifier: MIT
#include "judge/launch_bound.hpp"

#include <fmt/core.h>

#include "facts/words.hpp"
#include "judge/kernel_mistakes.hpp"
#include "os/files.hpp"

namespace judge {

std::optional<LaunchBound> launch_bound_in(const std::string& source, const problems::Problem& problem) {
  if (source.empty()) return std::nullopt;
  const auto kernel = kernel_in(problem.entry(true));
  return kernel ? SourceStructure(os::read_file(source).value_or("")).launch_bound(*kernel) : std::nullopt;
}

void refuse_beyond(const std::optional<LaunchBound>& bound, CaseResult& result) {
  if (!bound || !result.answer || result.answer->failure || result.answer->block <= bound->threads ||
      result.what.length == 0)
    return;
  result.findings = {
      {facts::Verdict::launch_error,
       fmt::format("the kernel is declared for blocks of at most {} (__launch_bounds__, line {})"
                   "\n  a launch of {} of {}",
                   facts::counted(static_cast<std::uint64_t>(bound->threads), "threads"), bound->line,
                   facts::counted(result.answer->grid, "blocks"),
                   facts::counted(result.answer->block, "threads"))}};
}

}  // namespace judge
