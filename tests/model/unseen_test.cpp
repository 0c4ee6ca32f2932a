// SPDX-License-Identifier: MIT
// Kernels that are no lab's: those that the model had not seen are compiled and judged on the simulator, so
// that a GPU is needed only for their times.
#include "unseen.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "cli/estimated.hpp"
#include "cli/known_devices.hpp"
#include "cli/measured.hpp"
#include "problems/reference.hpp"
#include "support/make_runners.hpp"

namespace {

// With WORKBOOK_KERNELS_ONE_OF=3 a third of them, others for each WORKBOOK_SEEDS_FROM, the beginning of a
// commit's name.
template <class Kernel>
void keep_one_of_some(std::vector<Kernel>& kernels) {
  const char *const one_of = std::getenv("WORKBOOK_KERNELS_ONE_OF"), *const from =
                                                                         std::getenv("WORKBOOK_SEEDS_FROM");
  const std::size_t some = one_of ? std::strtoul(one_of, nullptr, 10) : 1;
  if (some <= 1) return;
  const std::size_t chosen = from ? std::strtoul(from, nullptr, 16) % some : 0;
  std::size_t number = 0;
  std::erase_if(kernels, [&](const Kernel&) { return number++ % some != chosen; });
}

}  // namespace

TEST_CASE("every kernel that the model had not seen counts right, over a length that nothing divides") {
  std::vector<std::pair<std::string, std::string>> all;
  for (const std::string& set : unseen::sets) {
    if (!unseen::folder_of(set).starts_with("model/")) continue;  // judged by other tests
    REQUIRE(unseen::kernels(set).size() >= 12);
    for (const std::string& kernel : unseen::kernels(set)) all.emplace_back(set, kernel);
  }
  keep_one_of_some(all);
  std::vector<workbook::Target> units;
  for (const auto& [set, kernel] : all)
    units.push_back(
        workbook::here().target(unseen::exercise(kernel, set), workbook::Tree::solution, facts::simulator));
  REQUIRE(make_runners(units) == "");
  for (const auto& one : all) {
    const std::string &set = one.first, &kernel = one.second;
    const bool is_reduction = unseen::is_reduction(kernel);
    const auto& problem = problems::reference_of(is_reduction ? "reduction" : "histogram").problem();
    for (const std::string& binning : is_reduction
                                          ? std::vector<std::string>{"sum", "product", "farthest"}
                                          : std::vector<std::string>{"letters4", "letters", "bytes"}) {
      const std::string name = is_reduction ? "uniform" : binning == "bytes" ? "bytes" : "letters";
      CAPTURE(kernel);
      CAPTURE(binning);
      const auto input = problem.make_input(name, binning, 70'001, 1);
      const measure::Record record = cli::measured_run({.kind = "run",
                                                        .seed = 1,
                                                        .exercise = unseen::exercise(kernel, set),
                                                        .backend = facts::simulator,
                                                        .variant = binning,
                                                        .input = name,
                                                        .length = 70'001},
                                                       workbook::Tree::solution, *input);
      CHECK(record.finding.message == "");
      CHECK(record.passed());
    }
  }
}

TEST_CASE("compare-and-swaps in global memory have no estimate, those in shared memory one with a warning") {
  const auto estimated = [](const std::string& kernel) {
    return cli::estimated_run(
        {.record = {.kind = "run",
                    .seed = 1,
                    .exercise = unseen::exercise(kernel, "exchanges"),
                    .backend = facts::simulator,
                    .variant = "bytes",
                    .input = "bytes",
                    .length = 1 << 20},
         .tree = workbook::Tree::solution,
         .launch = {},
         .input =
             [](std::uint64_t length) {
               return problems::reference_of("histogram").problem().make_input("bytes", "bytes", length, 1);
             }},
        cli::find_device("h200"));
  };
  const cli::Estimated global = estimated("global_memory"), shared = estimated("shared_memory");
  CHECK(global.record.passed());
  CHECK_FALSE(global.estimate);
  CHECK(global.message ==
        "the kernel uses compare-and-swap (atomicCAS) in global memory; how often one has to be repeated "
        "depends on the other threads, which the model does not know");
  CHECK(shared.record.passed());
  REQUIRE(shared.estimate);
  CHECK(shared.estimate->ms > 0);
  CHECK(shared.message ==
        "The kernel uses compare-and-swap (atomicCAS) in shared memory. Where lanes try it again in a loop, "
        "they drift apart, and each may wait alone for what it loads from global memory: the kernel may take "
        "up to several times as long.");
}

TEST_CASE("a sample with too many steps is one of fewer blocks") {
  cli::ModelInput fed;
  const cli::Estimated estimated = cli::estimated_run(
      {.record = {.kind = "run",
                  .seed = 1,
                  .exercise = unseen::exercise("one_thread_one_bin", "unseen_second"),
                  .backend = facts::simulator,
                  .variant = "bytes",
                  .input = "bytes",
                  .length = 64 * unseen::mebi},
       .tree = workbook::Tree::solution,
       .launch = {},
       .input =
           [](std::uint64_t length) {
             return problems::reference_of("histogram").problem().make_input("bytes", "bytes", length, 1);
           }},
      cli::find_device("h200"), &fed);
  CHECK(estimated.message == "");
  CHECK(estimated.estimate);
  // 64 blocks would make more than two million steps.
  REQUIRE(fed.samples.size() == 2);
  CHECK(fed.samples.back().stream.blocks.size() < 64);
  CHECK(fed.samples.front().stream.blocks.size() == fed.samples.back().stream.blocks.size());
}

TEST_CASE("with nvcc a kernel whose counters lie in local memory has no estimate") {
  const cli::Estimated estimated = cli::estimated_run(
      {.record = {.kind = "run",
                  .seed = 1,
                  .exercise = unseen::exercise("private_array", "unseen_third"),
                  .backend = facts::simulator,
                  .variant = "bytes",
                  .input = "bytes",
                  .length = 64 * unseen::mebi},
       .tree = workbook::Tree::solution,
       .launch = {},
       .input =
           [](std::uint64_t length) {
             return problems::reference_of("histogram").problem().make_input("bytes", "bytes", length, 1);
           },
       .compiled = true},
      cli::find_device("h200"));
  CHECK(estimated.record.passed());
  if (!estimated.registers) return;  // there is no nvcc
  CHECK_FALSE(estimated.estimate);
  CHECK(estimated.message ==
        "each thread keeps variables in local memory, as arrays with an index that the compiler does not "
        "know, and the model "
        "does not know how long these loads and stores take");
}

TEST_CASE("a stream of many instructions comes through, and a loop over many elements at a time is seen") {
  const auto estimated = [](const std::string& kernel) {
    return cli::estimated_run(
        {.record = {.kind = "run",
                    .seed = 1,
                    .exercise = unseen::exercise(kernel),
                    .backend = facts::simulator,
                    .variant = "bytes",
                    .input = "bytes",
                    .length = std::uint64_t{1} << 30},
         .tree = workbook::Tree::solution,
         .launch = {},
         .input =
             [](std::uint64_t length) {
               return problems::reference_of("histogram").problem().make_input("bytes", "bytes", length, 1);
             }},
        cli::find_device("h200"));
  };
  // beyond the 1 MiB that other answers of a runner are allowed
  CHECK(estimated("roomy_tables").message == "");
  CHECK(estimated("roomy_tables").estimate);
  // Byte by byte, as its threads go through a few elements, it would take more than 2 ms.
  REQUIRE(estimated("many_registers").estimate);
  CHECK(estimated("many_registers").estimate->ms < 1);
}

namespace {

// What the model is fed with for a kernel over so many elements, without nvcc.
cli::ModelInput fed_with(const std::string& set, const std::string& kernel, const std::string& variant,
                         const std::string& input, std::uint64_t length) {
  const std::string problem = unseen::is_reduction(kernel) ? "reduction" : "histogram";
  cli::ModelInput fed;
  const cli::Estimated estimated = cli::estimated_run(
      {.record = {.kind = "run",
                  .seed = 1,
                  .exercise = unseen::exercise(kernel, set),
                  .backend = facts::simulator,
                  .variant = variant,
                  .input = input,
                  .length = length},
       .tree = workbook::Tree::solution,
       .launch = {},
       .input =
           [&](std::uint64_t of) {
             return problems::reference_of(problem).problem().make_input(input, variant, of, 1);
           }},
      cli::find_device("h200"), &fed);
  CHECK(estimated.message == "");
  REQUIRE(estimated.estimate);
  return fed;
}

std::size_t loads_of(const model::BlockSteps& block) {
  std::size_t loads = 0;
  for (const model::WarpSteps& warp : block.warps)
    loads +=
        static_cast<std::size_t>(std::ranges::count(warp, model::StepKind::global_load, &model::Step::kind));
  return loads;
}

}  // namespace

TEST_CASE("where each block takes a fixed piece of the input, the sampled ones have theirs") {
  const cli::ModelInput fed =
      fed_with("unseen_second", "blocks_of_two_warps", "bytes", "bytes", 64 * unseen::mebi);
  CHECK(fed.launch.grid == 4096);
  const model::Sample& sample = fed.samples.back();
  CHECK(sample.work == 256);
  REQUIRE(sample.stream.blocks.size() == 64);
  // 16 KiB, 32 bytes for each load of a warp
  for (const model::BlockSteps& block : sample.stream.blocks) CHECK(loads_of(block) >= 512);
}

TEST_CASE("a kernel that needs a piece of the input for each block has an estimate") {
  // With half of its 48 KiB per block it reads beyond the input.
  const cli::ModelInput fed = fed_with("unseen_third", "large_pieces", "bytes", "bytes", 64 * unseen::mebi);
  REQUIRE(fed.samples.size() == 2);
  REQUIRE(fed.samples.back().stream.blocks.size() == 21);
  // 16 bytes for each load of a lane
  CHECK(loads_of(fed.samples.back().stream.blocks.front()) >= 49152 / 512);
}

TEST_CASE("a sample of elements of 16 bytes is one launch, and not cut") {
  const cli::ModelInput fed =
      fed_with("unseen_third", "sum_of_tiles", "farthest", "uniform", 64 * unseen::mebi);
  REQUIRE(fed.samples.size() == 2);
  // 8,192 elements per block, a load of each by a lane
  REQUIRE(fed.samples.back().stream.blocks.size() == 128);
  for (const model::BlockSteps& block : fed.samples.back().stream.blocks) CHECK(loads_of(block) == 256);
}
