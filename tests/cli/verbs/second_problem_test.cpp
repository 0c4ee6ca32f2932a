// SPDX-License-Identifier: MIT
// A lab of another problem than the course's is shown by the same verbs, under its own words.
#include <regex>

#include "build/runner.hpp"
#include "cli/verbs/verbs.hpp"
#include "lab.hpp"
#include "measure/run.hpp"
#include "os/command.hpp"
#include "support/contains.hpp"
#include "support/kept_folder.hpp"
#include "temporary_folder.hpp"

namespace {

// The extra lab is not in every tree.
bool has_lab() { return can_simulate_solutions() && !workbook::here().find("x1/naive").empty(); }

const TemporaryFolder& state() {
  static const TemporaryFolder folder;
  return folder;
}

LabResult lab_apart(const std::vector<std::string>& words) {
  return lab(words, {"WORKBOOK_STATE=" + state().path()});
}

const std::string submissions = workbook::here().source_root + "/tests/submissions/x1_reduction/naive/";

// A run of a kernel for x1/naive.
measure::Record run_of(const std::string& source, std::uint64_t length) {
  const workbook::Workbook& workbook = workbook::here();
  const workbook::ExerciseInfo exercise = workbook.find("x1/naive").at(0);
  workbook::Target target = workbook.target(exercise, workbook::Tree::student, facts::Backend::sim);
  target.source = source;
  static const KeptFolder folder("cli");
  target.runner = folder.path() + "/" + std::filesystem::path(source).stem().string() + ".sim";
  REQUIRE_FALSE(build::make_runner(workbook, target));
  const problems::Problem& problem = *problems::find_problem(exercise.problem);
  runner::RunOptions options;
  options.parts = true;
  return measure::run(judge::runner_settings(target), *problem.make_input("same", "sum", length, 1),
                      {.exercise = exercise, .variant = "sum"}, options);
}

}  // namespace

TEST_CASE("a result is shown only if all launches ran and one value is left") {
  if (!has_lab()) return;
  const auto told = [](const measure::Record& record) {
    const std::string text = cli::shown_result(record, 80);
    return text.substr(0, text.find('\n'));
  };
  const std::string race = submissions + "race/missing_barrier-one_before_the_loop.cu";
  const measure::Record one_of_two = run_of(race, 5000);
  CHECK(name_of(one_of_two.finding.verdict) == "race");
  CHECK(one_of_two.result.empty());
  CHECK(told(one_of_two) == "no result: 1 of 2 launches ran; the bars are what the blocks of the first left");
  CHECK(contains(cli::shown_result(one_of_two, 80), "\n\nblock 0  "));
  CHECK(measure::run_json(workbook::here(), one_of_two).at("result").is_null());
  // One block, one launch.
  const measure::Record whole = run_of(race, 2000);
  CHECK(name_of(whole.finding.verdict) == "race");
  CHECK(told(whole).starts_with("result: "));
  // Places that no block has written are filled with what is no value of the kernel's.
  const measure::Record with_gaps = run_of(submissions + "uninitialised/only_block_0_stores.cu", 5000);
  CHECK(name_of(with_gaps.finding.verdict) == "uninitialised");
  CHECK(cli::shown_result(with_gaps, 80) == "no result: 1 of 2 launches ran\n");
  CHECK(measure::run_json(workbook::here(), with_gaps).at("partials").empty());
  const measure::Record nothing_left = run_of(submissions + "out_of_bounds/second_element_not_tested.cu", 1);
  CHECK(name_of(nothing_left.finding.verdict) == "out_of_bounds");
  CHECK(cli::shown_result(nothing_left, 80) == "no result: the last launch left none\n");
}

TEST_CASE("a barrier that the compiler has made two of keeps no further launch from running") {
  if (!has_lab()) return;
  const KeptFolder folder("cli");
  const auto run_with = [&](const std::string& name, const std::string& barriers) {
    std::string kernel = text_of(submissions + "pass/first_threads_take_the_pairs.cu");
    const std::string barrier = "__syncthreads();";
    kernel.replace(kernel.find(barrier), barrier.size(), barriers);
    return run_of(folder.write(name + ".cu", kernel), 5000);
  };
  const measure::Record one_line = run_with(
      "barriers_on_one_line", "if (threadIdx.x < 512) { __syncthreads(); } else { __syncthreads(); }");
  CHECK(name_of(one_line.finding.verdict) == "pass");
  CHECK(one_line.result == one_line.expected);
  const measure::Record two_lines = run_with(
      "barriers_on_two_lines", "if (threadIdx.x < 512) { __syncthreads(); } else {\n__syncthreads(); }");
  CHECK(name_of(two_lines.finding.verdict) == "divergent_barrier");
  // Their threads went on together.
  CHECK(cli::shown_result(two_lines, 80).starts_with("result: "));
}

TEST_CASE("a run has the result and what each block left, under the problem's own keys") {
  if (!has_lab()) return;
  const auto run = lab_apart({"run", "x1/naive", "--solution", "--on", "sim", "--length", "5000", "--input",
                              "same", "--operator", "maximum", "--json"})
                       .json();
  CHECK(run.at("verdict") == "pass");
  CHECK(run.at("operator") == "maximum");
  CHECK_FALSE(run.contains("binning"));
  CHECK_FALSE(run.contains("bins"));
  CHECK(run.at("partials").size() == run.at("launch").at("grid").get<std::size_t>());
  for (const auto& partial : run.at("partials")) CHECK(partial == run.at("result"));
}

TEST_CASE("a runner that is started by hand takes the problem's usual input") {
  if (!has_lab()) return;
  const auto run =
      lab_apart({"run", "x1/naive", "--solution", "--on", "sim", "--length", "5000", "--json"}).json();
  const std::string runner = workbook::here().runner(workbook::here().find("x1/naive").front(),
                                                     workbook::Tree::solution, facts::Backend::sim);
  const os::CommandResult by_hand = os::run_command({runner, "--length", "5000"});
  CHECK(by_hand.code == 0);
  CHECK(contains(by_hand.output, run.at("result").dump()));
}

TEST_CASE("a run in words has the result, a bar for each block, and what it is equal to") {
  if (!has_lab()) return;
  const LabResult told = lab_apart({"run", "x1/naive", "--solution", "--on", "sim", "--length", "5000"});
  CHECK(told.code == 0);
  CHECK(told.out.rfind("x1_reduction naive on sim: 5,000 elements of uniform, operator sum\nresult: ", 0) ==
        0);
  CHECK(contains(told.out, "block 0"));
  CHECK(contains(told.out, "pass: equal to the CPU's result"));
}

TEST_CASE("a sum of floats is said to be within its bound, and equal where nothing is rounded") {
  if (!has_lab()) return;
  const auto told = [](const std::string& operation, const std::string& length) {
    return lab_apart({"run", "x1/shuffled", "--solution", "--on", "sim", "--length", length, "--operator",
                      operation})
        .out;
  };
  const std::string rounded = told("sum_float", "4M");
  CHECK(std::regex_search(
      rounded,
      std::regex("\npass: [0-9.e-]+ off the CPU's result, within the bound of [0-9.e+]+ for rounding "
                 "in any order\n")));
  CHECK_FALSE(contains(rounded, "equal"));
  // Whole numbers that are small enough.
  CHECK(contains(told("sum_float", "5000"), "pass: equal to the CPU's result"));
  CHECK(contains(told("maximum_float", "5000"), "pass: equal to the CPU's result"));
}

TEST_CASE("a sweep and a ladder of the extra lab show no atomics, and the course's no columns of nothing" *
          doctest::test_suite("long")) {
  if (!has_lab()) return;
  const auto header = [](const std::string& text, const std::string& begin) {
    const std::size_t at = text.find(begin);
    return at == std::string::npos ? text : text.substr(at, text.find('\n', at) - at);
  };
  const std::string sweep =
      lab_apart({"bench", "x1/grid", "--sweep", "block", "--on", "sim", "--length", "16K"}).out;
  CHECK(header(sweep, "threads per block") ==
        "threads per block     blocks   load req.     sectors    barriers       lanes");
  // The blocks stand once, also where they are what is swept.
  const std::string grids =
      lab_apart({"bench", "x1/grid", "--sweep", "grid", "--on", "sim", "--length", "16K"}).out;
  CHECK(header(grids, "         blocks") ==
        "         blocks   load req.     sectors    barriers       lanes");
  CHECK(contains(grids, "\n            132         "));
  const std::string ladder = lab_apart({"bench", "x1", "--on", "sim", "--length", "4096"}).out;
  CHECK(header(ladder, "                     load") ==
        "                     load req.     sectors  shared ld.    barriers       lanes");
  CHECK(contains(ladder, "lanes: of 32, active in a step of a warp"));
  CHECK_FALSE(contains(ladder, "atomics"));
  // Lab 02 has nothing in shared memory.
  const std::string global =
      lab_apart({"bench", "02", "--sweep", "block", "--on", "sim", "--length", "4K"}).out;
  CHECK(header(global, "threads per block") ==
        "threads per block     blocks   load req.     sectors  global at.");
  const std::string lengths =
      lab_apart({"bench", "x1/naive", "--sweep", "length", "--on", "sim", "--length", "4K"}).out;
  CHECK(contains(lengths, "\n       elements     blocks"));
}

TEST_CASE("an input of nothing gives the identity") {
  if (!has_lab()) return;
  const auto run = lab_apart({"run", "x1/naive", "--solution", "--on", "sim", "--length", "0", "--operator",
                              "product", "--json"})
                       .json();
  CHECK(run.at("verdict") == "pass");
  CHECK(run.at("result") == 1);
  CHECK(run.at("partials").empty());
}

TEST_CASE("the option of another problem is refused in one sentence, and so are its inputs and variants") {
  if (!has_lab()) return;
  const LabResult binning = lab_apart({"run", "x1/naive", "--binning", "letters"});
  CHECK(binning.code == 2);
  CHECK(binning.err == "lab: --binning is for labs 01, 02, 03, 04, 05 and 06; here it is --operator\n");
  const LabResult operation = lab_apart({"run", "04", "--operator", "sum"});
  CHECK(operation.code == 2);
  CHECK(operation.err == "lab: --operator is for lab x1; here it is --binning\n");
  CHECK(
      lab_apart({"run", "x1/naive", "--operator", "letters"}).err ==
      "lab: no operator is called \"letters\"; the operators are: sum, maximum, minimum, product, sum_float, "
      "maximum_float, minimum_float, farthest\n");
  CHECK(lab_apart({"run", "x1/naive", "--input", "letters"}).err ==
        "lab: input \"letters\" is neither a file nor one of: uniform, same, ascending, descending, needle, "
        "special, "
        "sparse\n");
}

TEST_CASE("a bench of the extra lab counts its own exercises" * doctest::test_suite("long")) {
  if (!has_lab()) return;
  const auto rows =
      lab_apart({"bench", "x1", "--on", "sim", "--length", "4096", "--json"}).json().at("exercises");
  CHECK(rows.size() == workbook::here().find("x1").size());
  for (const auto& row : rows) {
    CHECK(row.at("lab") == "x1_reduction");
    CHECK(row.at("input") == "uniform");
    CHECK(row.at("verdict") == "pass");
  }
}

TEST_CASE("an overview counts the extra labs apart") {
  if (!has_lab()) return;
  const LabResult told = lab_apart({});
  CHECK(contains(told.out, "The parallel histogram, step by step: "));
  CHECK(contains(told.out, " of 7 exercises passed\n"));
  CHECK(contains(told.out, "extra labs: "));
  CHECK(contains(told.out, "  x1/naive "));
}

TEST_CASE("a tour leads through the course, and with --all through the extra labs behind it" *
          doctest::test_suite("long")) {
  if (!has_lab()) return;
  const auto labs_of = [](const std::vector<std::string>& words) {
    std::vector<std::string> labs;
    const auto told = lab_apart(words).json();
    for (const auto& row : told.at("exercises")) {
      CHECK(row.at("verdict") == "pass");
      labs.push_back(row.at("lab"));
    }
    return labs;
  };
  const auto course = labs_of({"tour", "--on", "sim", "--input", "phrase", "--json"}),
             all = labs_of({"tour", "--all", "--on", "sim", "--input", "phrase", "--json"});
  CHECK(course.size() == 7);
  CHECK(all.size() == 7 + workbook::here().find("x1").size());
  CHECK(all.back() == "x1_reduction");
}
