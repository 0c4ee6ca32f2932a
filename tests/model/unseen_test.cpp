// SPDX-License-Identifier: MIT
// Kernels that are no lab's: those that the model had not seen are compiled and judged on the simulator, so
// that a GPU is needed only for their times.
#include "unseen.hpp"

#include <doctest/doctest.h>

#include <string>

#include "cli/estimated.hpp"
#include "cli/measured.hpp"
#include "problems/reference.hpp"

TEST_CASE("every kernel that the model had not seen counts right, over a length that nothing divides") {
  std::vector<std::pair<std::string, std::string>> all;
  for (const std::string& set : unseen::sets) {
    REQUIRE(unseen::kernels(set).size() >= 12);
    for (const std::string& kernel : unseen::kernels(set)) all.emplace_back(set, kernel);
  }
  for (const auto& one : all) {
    const std::string &set = one.first, &kernel = one.second;
    const bool is_reduction = unseen::is_reduction(kernel);
    const auto& problem = problems::reference_of(is_reduction ? "reduction" : "histogram").problem();
    for (const std::string& binning : is_reduction ? std::vector<std::string>{"sum", "product", "farthest"}
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
        "The kernel uses compare-and-swap (atomicCAS) in shared memory. The model assumes that each one "
        "succeeds at once; where many threads of a block want the same counter, the kernel takes longer than "
        "this.");
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
