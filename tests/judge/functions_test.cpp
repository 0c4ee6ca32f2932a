// SPDX-License-Identifier: MIT
// Lab 01's function, wrong in one way each (functions/*.cpp): judged on the simulator, as one thread.
#include <doctest/doctest.h>

#include <algorithm>

#include "judge/check.hpp"
#include "judged_runner.hpp"
#include "passed_text.hpp"
#include "temporary_folder.hpp"

namespace {

std::string source_of_function(const std::string& name) {
  return workbook::here().source_root + "/tests/judge/functions/" + name + ".cpp";
}

judge::CheckReport checked_function(const std::string& name) {
  const judge::RunnerSettings settings =
      judge::runner_settings(judged_runner(name, false), facts::Backend::sim);
  workbook::ExerciseInfo exercise = workbook::here().find("01").at(0);
  exercise.file = name + ".cpp";
  return judge::check_runner(settings, exercise, facts::Backend::cpu, {.seed = 1});
}

// Out of bounds, in these words, at the line that the comment marks.
void check_out_of_bounds(const std::string& name, const std::string& what, const std::string& mark) {
  const judge::CheckReport report = checked_function(name);
  CHECK(name_of(report.finding.verdict) == "out_of_bounds");
  CHECK(report.finding.message == what);
  CHECK(report.counters.empty());
  const std::string text = text_of(source_of_function(name));
  const std::size_t at = text.find("// " + mark);
  REQUIRE(at != std::string::npos);
  REQUIRE(report.finding.where.size() == 1);
  CHECK(report.finding.where[0].file == source_of_function(name));
  CHECK(report.finding.where[0].line ==
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

const std::string with_first_case = "\n  with 1 byte of `letters`, binning letters4";

}  // namespace

TEST_CASE("the byte behind the last one is named by its index") {
  check_out_of_bounds("reads_past_the_end",
                      "histogram_sequential read data[1]; data has 1 byte" + with_first_case, "one too many");
}

TEST_CASE("the counter before the first one is named by its index") {
  const judge::CheckReport report = checked_function("counts_before_the_bins");
  CHECK(name_of(report.finding.verdict) == "out_of_bounds");
  CHECK(report.finding.message.find("histogram_sequential read histo[-1]; histo has 7 elements\n  with ") ==
        0);
  REQUIRE(report.finding.where.size() == 1);
  CHECK(report.finding.where[0].line == 7);
}

// The host's own memory is not known, so only the processor can tell; and near the arrays there is none.
TEST_CASE("a wild index is told at its line, as far as it may lead") {
  check_out_of_bounds("wild_address",
                      "histogram_sequential wrote memory that belongs to no array" + with_first_case,
                      "nowhere");
  const judge::CheckReport report = checked_function("wild_index");
  CHECK(name_of(report.finding.verdict) == "out_of_bounds");
  CHECK(report.finding.message.find("histogram_sequential read histo[") == 0);
  CHECK(report.finding.message.find("; histo has 7 elements\n") != std::string::npos);
  REQUIRE(report.finding.where.size() == 1);
  CHECK(report.finding.where[0].line == 7);
}

TEST_CASE("what memset does outside is seen too") {
  check_out_of_bounds("clears_too_much",
                      "histogram_sequential wrote histo[7]; histo has 7 elements" + with_first_case,
                      "behind the last");
}

TEST_CASE("a null pointer is out of bounds") {
  const judge::CheckReport report = checked_function("through_null");
  CHECK(name_of(report.finding.verdict) == "out_of_bounds");
  CHECK(report.finding.message.find("histogram_sequential read address 0x") == 0);
  REQUIRE(report.finding.where.size() == 1);
  CHECK(report.finding.where[0].line == 10);
}

TEST_CASE("control: a function of the host's may have memory of its own, and throw" *
          doctest::test_suite("long")) {
  const judge::CheckReport report = checked_function("with_memory_of_its_own");
  CHECK(name_of(report.finding.verdict) == "pass");
  CHECK(report.finding.message == passed_text(report));
  CHECK(report.further.empty());
}
