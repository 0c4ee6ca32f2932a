// SPDX-License-Identifier: MIT
// `lab tour` on the simulator, and where there is no GPU.
#include <algorithm>

#include "lab.hpp"
#include "support/contains.hpp"
#include "temporary_folder.hpp"

TEST_CASE("every solution is run, and kept as a record with the seed of its input" *
          doctest::test_suite("long")) {
  if (!can_simulate_solutions()) return;
  const TemporaryFolder folder;
  const std::vector<std::string> settings{"WORKBOOK_RECORDS=" + folder.path() + "/records.jsonl"};
  const auto rows =
      lab({"tour", "--on", "sim", "--input", "phrase", "--json"}, settings).json().at("exercises");
  const auto& all = workbook::here().exercises;
  const auto extra = std::ranges::count_if(all, [](const auto& exercise) { return exercise.is_extra(); });
  REQUIRE(rows.size() == all.size() - static_cast<std::size_t>(extra));
  for (const auto& row : rows) {
    CAPTURE(row.at("lab"));
    CHECK(row.at("verdict") == "pass");
    CHECK(row.at("input") == "phrase");
    CHECK(row.at("time_ms").is_null() == (row.at("backend") == "sim"));
  }
  const LabResult told = lab({"tour", "--on", "sim", "--input", "phrase"}, settings);
  CHECK(told.code == 0);
  CHECK(told.out.rfind("On the simulator", 0) == 0);
  CHECK(contains(told.out, "\n41 bytes of phrase, binning letters4\n"));
  const std::string records = text_of(folder.path() + "/records.jsonl");
  CHECK(contains(records, "\"kind\":\"tour\",\"tree\":\"solution\",\"seed\":1,\"lab\":\"01_sequential\""));
}

TEST_CASE("a tour of labs without a function of the CPU's has neither its time nor a speed-up" *
          doctest::test_suite("long")) {
  if (!can_simulate_solutions() || workbook::here().find("x1/naive").empty()) return;
  const TemporaryFolder folder;
  const LabResult told = lab({"tour", "--all", "--on", "sim", "--input", "phrase"},
                             {"WORKBOOK_RECORDS=" + folder.path() + "/records.jsonl"});
  CHECK(told.code == 0);
  const std::size_t extra = told.out.find("\nThe parallel reduction\n");
  REQUIRE(extra != std::string::npos);
  const std::string of_course = told.out.substr(0, extra), of_extra = told.out.substr(extra);
  CHECK(contains(of_course,
                 "\nlab                                   ms    GB/s  speed-up   shared    global\n"));
  CHECK(contains(of_course, " a GPU's speed: only the CPU's time is shown.\n"));
  CHECK(contains(of_extra, "\nlab                              sectors     lanes\n"));
  CHECK(contains(of_extra, "\nx1_reduction/coalesced     pass        4      22.1\n"));
  CHECK(contains(of_extra, " a GPU's speed: no times are shown.\n"));
}

TEST_CASE("a GPU that is asked for and not there is told, and lab 01 is measured all the same" *
          doctest::test_suite("long")) {
  if (!can_simulate_solutions()) return;
  const LabResult result = lab({"tour", "--on", "gpu", "--input", "phrase"}, {"CUDA_VISIBLE_DEVICES=-1"});
  CHECK(result.code == 3);
  CHECK(result.out.rfind("No GPU: ", 0) == 0);
  CHECK(contains(result.out, "01_sequential              pass"));
  CHECK(contains(result.out, "02_global_atomics          unavailable"));
}
