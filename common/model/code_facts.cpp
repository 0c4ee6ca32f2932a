// SPDX-License-Identifier: MIT
#include "model/code_facts.hpp"

#include <algorithm>
#include <cmath>

#include "model/accesses.hpp"

namespace model {

namespace {

SeenWays ways_in(const Stream& stream) {
  double warps = 0;
  for (const BlockSteps& block : stream.blocks) warps += static_cast<double>(block.warps.size());
  const auto of_warp = [&](std::uint64_t times) { return static_cast<double>(times) / std::max(1.0, warps); };
  return {stream.parts(), of_warp(stream.went_both_ways), of_warp(stream.accessed_on_both_ways)};
}

}  // namespace

double instructions_by_table(const std::vector<Sample>& samples, double work, const InstructionTable& table) {
  return for_work(samples, work, [&](const Stream& stream) {
    double sum = 0, warps = 0;
    for (const BlockSteps& block : stream.blocks) {
      for (const WarpSteps& warp : block.warps) {
        ++warps;
        for (const Step& step : warp) sum += instructions(step, table);
      }
    }
    return table.warp + sum / std::max(warps, 1.0);
  });
}

CodeFacts facts_without_code(const Stream& stream, const InstructionTable& table) {
  double all = 0, jumps = 0, ways = 0;
  for (const BlockSteps& block : stream.blocks) {
    for (const WarpSteps& warp : block.warps) {
      for (const Step& step : warp) {
        all += instructions(step, table);
        jumps += step.jumps;
        ways += step.ways;
      }
    }
  }
  if (jumps == 0 || ways == 0) return {};
  return {.jumps = jumps / all, .jump_ways = ways / all, .partings = std::max(0.0, ways - jumps) / all};
}

std::optional<CodeFacts> facts_of_code(const Launch& launch, const std::vector<Sample>& samples,
                                       const Device& device) {
  if (!launch.code) return std::nullopt;
  const CodeCycles cycles{device.branch_cycles, device.special_register_cycles};
  bool fits = true;
  Executed of_most_work;
  const double by_code = for_work(samples, launch.work, [&](const Stream& stream) {
    const auto found = launch.code->executed(accesses_of(stream), cycles, ways_in(stream));
    fits = fits && found;
    if (found && &stream == &samples.back().stream) of_most_work = *found;
    return found ? found->instructions : 0;
  });
  const double local_lines = for_work(samples, launch.work, [&](const Stream& stream) {
    const auto found = launch.code->executed(accesses_of(stream), {}, ways_in(stream));
    return found ? found->local_lines : 0;
  });
  if (!fits || by_code <= 0) return std::nullopt;
  return CodeFacts{
      .instructions = by_code,
      .unmade_accesses = of_most_work.unmade_accesses,
      .loads_at_a_time = of_most_work.loads_at_a_time,
      .uses_of_loads = of_most_work.uses_of_loads,
      .use_of_shared_load =
          LoadUse{.accesses = static_cast<unsigned>(std::lround(of_most_work.accesses_behind_shared_load))},
      .exchanges_at_a_time = static_cast<unsigned>(std::lround(of_most_work.exchanges_at_a_time)),
      .integer_part = of_most_work.integer_instructions / std::max(1.0, of_most_work.instructions),
      .special_reads = of_most_work.special_reads / std::max(1.0, of_most_work.instructions),
      .instruction_cycles = of_most_work.cycles / std::max(1.0, of_most_work.instructions),
      .local_lines = std::max(0.0, local_lines),
      .jumps = of_most_work.jumps / std::max(1.0, of_most_work.instructions),
      .jump_ways = of_most_work.jump_ways / std::max(1.0, of_most_work.instructions),
      .partings = of_most_work.partings / std::max(1.0, of_most_work.instructions)};
}

}  // namespace model
