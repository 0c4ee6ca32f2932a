// SPDX-License-Identifier: MIT
// How many instructions the model counts, beside those that ncu counted on an H200 (tests/golden/h200.jsonl),
// of the kernels of experts: in the machine code, and by the table where there is none.
//
//   instruction-errors [--cache FOLDER] [NAME...]
#include <fmt/core.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "cli/estimated.hpp"
#include "error_tables.hpp"
#include "kept_input.hpp"
#include "problems/reference.hpp"
#include "support/make_runners.hpp"
#include "unseen.hpp"

namespace {

struct Launch {
  std::string kernel, input, binning;
  std::uint64_t length = 0;
  double instructions = 0;  // of all warps, by ncu
};

std::vector<Launch> launches(const std::vector<std::string>& chosen) {
  std::vector<Launch> all;
  for (const error_tables::Json& line :
       error_tables::lines_of(workbook::here().source_root + "/tests/golden/h200.jsonl")) {
    if (!line.contains("launch")) continue;
    std::istringstream words(line["launch"].get<std::string>());
    std::string kind;
    Launch one;
    words >> kind >> one.kernel >> one.input >> one.length >> one.binning;
    if (kind != "expert" || (!chosen.empty() && std::ranges::count(chosen, one.kernel) == 0)) continue;
    one.instructions = line["also"]["instructions"];
    all.push_back(one);
  }
  return all;
}

std::optional<cli::ModelInput> fed_by(const Launch& one, const model::Device& device) {
  cli::ModelInput fed;
  const auto make = [&](std::uint64_t length) {
    return problems::reference_of("histogram").problem().make_input(one.input, one.binning, length, 1);
  };
  const cli::Estimated estimated =
      cli::estimated_run({.record = {.kind = "run",
                                     .seed = 1,
                                     .exercise = unseen::exercise(one.kernel, "experts"),
                                     .backend = facts::simulator,
                                     .variant = one.binning,
                                     .input = one.input,
                                     .length = one.length},
                          .tree = workbook::Tree::solution,
                          .launch = {},
                          .input = make,
                          .compiled = true},
                         device, &fed);
  if (fed.samples.empty()) {
    fmt::print(stderr, "{}: {}\n", one.kernel, estimated.message);
    return std::nullopt;
  }
  return fed;
}

double warps_of(const model::Stream& stream) {
  double warps = 0;
  for (const model::BlockSteps& block : stream.blocks) warps += static_cast<double>(block.warps.size());
  return warps;
}

// Of a warp, by the table.
double by_table(const model::Stream& stream) {
  const model::InstructionTable table;
  double sum = 0;
  for (const model::BlockSteps& block : stream.blocks) {
    for (const model::WarpSteps& warp : block.warps) {
      for (const model::Step& step : warp) sum += model::instructions(step, table);
    }
  }
  return table.warp + sum / warps_of(stream);
}

}  // namespace

int main(int argument_count, char** arguments) {
  std::vector<std::string> chosen(arguments + 1, arguments + argument_count);
  std::string cache;
  if (chosen.size() > 1 && chosen[0] == "--cache") {
    cache = chosen[1];
    chosen.erase(chosen.begin(), chosen.begin() + 2);
  }
  const model::Device device = cli::find_device("h200");
  std::vector<workbook::Target> units;
  for (const std::string& kernel : chosen.empty() ? unseen::kernels("experts") : chosen)
    units.push_back(workbook::here().target(unseen::exercise(kernel, "experts"), workbook::Tree::solution,
                                            facts::simulator));
  if (const auto failure = build::update_libraries(workbook::here(), facts::simulator)) {
    fmt::print(stderr, "{}", *failure);
    return 1;
  }
  fmt::print(stderr, "{}", make_runners(units));
  fmt::print("{:32} {:8} {:>12} {:>8} {:>8}\n", "kernel", "input", "ncu", "code", "table");
  for (const Launch& one : launches(chosen)) {
    const std::string path = fmt::format("{}/{}-{}-{}.cbor", cache, one.kernel, one.input, one.length);
    std::optional<cli::ModelInput> fed;
    if (!cache.empty()) fed = kept_input::kept(path);
    if (!fed) {
      fed = fed_by(one, device);
      if (!fed) continue;
      if (!cache.empty()) kept_input::keep(path, *fed);
    }
    const model::Stream& stream = fed->samples.back().stream;
    const double warps = static_cast<double>(fed->launch.grid) *
                         (warps_of(stream) / static_cast<double>(stream.blocks.size()));
    const auto executed =
        fed->launch.code ? fed->launch.code->executed(model::accesses_of(stream)) : std::nullopt;
    const double in_code = executed ? executed->instructions * warps : 0;
    fmt::print("{:32} {:8} {:12.0f} {:+8.1f} {:+8.1f}\n", one.kernel, one.input, one.instructions,
               100 * (in_code / one.instructions - 1),
               100 * (by_table(stream) * warps / one.instructions - 1));
  }
  return 0;
}
