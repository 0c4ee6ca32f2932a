// SPDX-License-Identifier: MIT
// The kernels that the model had not seen are compiled and judged on the simulator, so that a GPU is needed
// only for their times.
#include "unseen.hpp"

#include <doctest/doctest.h>

#include <utility>

#include "cli/measured.hpp"
#include "problems/reference.hpp"

TEST_CASE("every kernel that the model had not seen counts right, over a length that nothing divides") {
  const auto& problem = problems::reference_of("histogram").problem();
  REQUIRE(unseen::kernels().size() >= 12);
  for (const std::string& kernel : unseen::kernels()) {
    for (const auto& [binning, name] :
         {std::pair{"letters4", "letters"}, {"letters", "letters"}, {"bytes", "bytes"}}) {
      CAPTURE(kernel);
      CAPTURE(binning);
      const auto input = problem.make_input(name, binning, 70'001, 1);
      const measure::Record record = cli::measured_run({.kind = "run",
                                                        .seed = 1,
                                                        .exercise = unseen::exercise(kernel),
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
