// SPDX-License-Identifier: MIT
// Wrong kernels (kernels/*.cu), each compiled as an exercise is and judged on the simulator.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sched.h>

#include <algorithm>

#include "judge/check.hpp"
#include "judged_runner.hpp"
#include "passed_text.hpp"
#include "support/contains.hpp"
#include "temporary_folder.hpp"

namespace {

std::string source_of(const std::string& kernel) {
  return workbook::here().source_root + "/tests/judge/kernels/" + kernel + ".cu";
}

judge::CheckReport checked(const std::string& kernel, std::uint64_t seed = 1, bool ahead = false) {
  judge::RunnerSettings settings = judge::runner_settings(judged_runner(kernel), facts::Backend::sim);
  workbook::ExerciseInfo exercise = workbook::here().find("02").at(0);
  exercise.file = kernel + ".cu";
  return judge::check_runner(settings, exercise, facts::Backend::sim, {.seed = seed, .ahead = ahead});
}

void check_finding(const judge::CheckReport& report, const std::string& verdict, const std::string& message) {
  CHECK(name_of(report.finding.verdict) == verdict);
  CHECK(report.finding.message == message);
}

const std::string first_case = "\n  with 1 byte of `letters`, binning letters4";

// The line of a kernel's source that a comment marks.
int line_with(const std::string& kernel, const std::string& mark) {
  const std::string text = text_of(source_of(kernel));
  const std::size_t at = text.find("// " + mark);
  REQUIRE(at != std::string::npos);
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

}  // namespace

TEST_CASE("control: a correct kernel passes, and nothing else is said") {
  const judge::CheckReport report = checked("correct");
  check_finding(report, "pass", passed_text(report));
  CHECK(report.further.empty());
  CHECK(report.notes.empty());
  // of the longest case: blocks of 256
  CHECK(report.counters.at("threads") == (report.cases.back().what.length + 255) / 256 * 256);
}

// All that a report says.
std::string told(const judge::CheckReport& report) {
  std::string text;
  const auto add = [&](const char* what, const facts::Finding& finding) {
    text += fmt::format("{}: {} {} {}\n", what, name_of(finding.verdict), finding.diagnosis, finding.message);
    for (const facts::Location& line : finding.where)
      text += fmt::format("  {}:{}:{} {}\n", line.file, line.line, line.column, line.role);
  };
  add("finding", report.finding);
  for (const facts::Finding& finding : report.further) add("further", finding);
  for (const facts::Finding& note : report.notes) add("note", note);
  for (const judge::CaseResult& result : report.cases) {
    text += judge::describe(*problems::find_problem("histogram"), result.what) + "\n";
    for (const facts::Finding& finding : result.findings) add("case", finding);
    if (!result.answer) continue;
    for (const auto& [name, value] : result.answer->counters) text += fmt::format("  {} {}\n", name, value);
    for (const auto& [name, value] : result.answer->conduct) text += fmt::format("  {} {}\n", name, value);
  }
  return text;
}

// Lets this process, and those that it starts, run on one processor while it lives.
class OneProcessor {
 public:
  OneProcessor() {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int cpu = 0; CPU_COUNT(&one) == 0; ++cpu) {
      if (CPU_ISSET(cpu, &before_)) CPU_SET(cpu, &one);
    }
    sched_setaffinity(0, sizeof one, &one);
  }
  ~OneProcessor() { sched_setaffinity(0, sizeof before_, &before_); }
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

 private:
  cpu_set_t before_;
};

TEST_CASE("a report is the same to the last digit, on one processor and on all" *
          doctest::test_suite("long")) {
  for (const char* const kernel : {"same_value", "no_bounds_check"}) {
    INFO(kernel);
    const std::string on_all = told(checked(kernel, 1, true));
    const OneProcessor alone;
    CHECK(told(checked(kernel, 1, true)) == on_all);
  }
  CHECK(told(checked("same_value", 2)) != told(checked("same_value")));  // it holds what the seed draws
}

// The longest case may run beside the others, and in a runner of its own: what is said of it must not depend
// on that.
TEST_CASE("what only the longest case shows is found, whether that runs beside the others or behind them" *
          doctest::test_suite("long")) {
  const judge::CheckReport report = checked("first_million", 1, true);
  CHECK(name_of(report.finding.verdict) == "wrong_answer");
  CHECK(contains(report.finding.message, "with 1,04"));
  CHECK(report.cases.back().what.length > 1 << 20);
  CHECK_FALSE(report.cases.back().findings.empty());
  CHECK(report.cases.back().answer.value().conduct.contains("input_bytes"));
  CHECK(told(checked("first_million", 1, false)) == told(report));
}

TEST_CASE(
    "threads that write the same value are noted once over all cases and binnings, and the kernel passes" *
    doctest::test_suite("long")) {
  const judge::CheckReport report = checked("same_value");
  check_finding(report, "pass", passed_text(report));
  CHECK(report.further.empty());
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0].message ==
        "several threads write the same value to bytes\n"
        "  thread (0,0,0) of block (0,0,0) and thread (1,0,0) of block (0,0,0); 255 such pairs, the first is "
        "shown\n"
        "  with 1 byte of `letters`, binning letters4, beginning 1 byte past an aligned address");
  REQUIRE(report.notes[0].where.size() == 1);
  CHECK(report.notes[0].where[0].file == source_of("same_value"));
  CHECK(report.notes[0].where[0].line == line_with("same_value", "everybody"));
}

TEST_CASE(
    "an access that is wider than its shared array is aligned to is noted, and one to an aligned array is "
    "not") {
  const judge::CheckReport report = checked("bytes_read_as_vectors");
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0].message.starts_with(
      "a thread reads 16 bytes at once at tile[0]; `tile` at line 7 is declared without an alignment: on a "
      "GPU "
      "the access fails unless the array happens to begin at a multiple of 16\n"));
  REQUIRE(report.notes[0].where.size() == 1);
  CHECK(report.notes[0].where[0].line == line_with("bytes_read_as_vectors", "by chance"));
}

TEST_CASE("without a bounds check the first byte behind the input is named") {
  const judge::CheckReport report = checked("no_bounds_check");
  check_finding(report, "out_of_bounds",
                "histogram_kernel read data[1]; data has 1 byte\n"
                "  thread (1,0,0) of block (0,0,0); 255 times, the first is shown" +
                    first_case);
  REQUIRE(report.finding.where.size() == 1);
  CHECK(report.finding.where[0].line == line_with("no_bounds_check", "beyond the end too"));
}

TEST_CASE("a kernel that must be inlined is seen as any other") {
  CHECK(name_of(checked("inlined_no_bounds_check").finding.verdict) == "out_of_bounds");
}

TEST_CASE("of what a unit defines the rest of the runner sees the exercise alone") {
  const std::string object = judged_runner("correct") + ".p/runner-template-sealed-sim.o";
  const os::CommandResult seen =
      os::run_command({"nm", "--defined-only", "--extern-only", "--format=posix", object});
  CHECK(seen.code == 0);
  CHECK(seen.output.substr(0, seen.output.find(' ')) == "_ZN6runner19exercise_under_testE");
  CHECK(std::count(seen.output.begin(), seen.output.end(), '\n') == 1);
}

TEST_CASE("a write behind the histogram is named by its index") {
  const judge::CheckReport report = checked("one_counter_too_far");
  check_finding(report, "out_of_bounds",
                "histogram_kernel wrote histo[7]; histo has 7 elements\n  thread (0,0,0) of block (0,0,0)" +
                    first_case);
}

TEST_CASE("an increment without an atomic is a race that lacks one, although the counts are right") {
  const judge::CheckReport report = checked("no_atomic");
  CHECK(name_of(report.finding.verdict) == "race");
  CHECK(report.finding.diagnosis == "missing_atomic");
  CHECK(report.finding.message.find("two threads change histo[") == 0);
  CHECK(report.further.empty());
  REQUIRE(report.finding.where.size() == 2);
  CHECK(report.finding.where[0].line == line_with("no_atomic", "read, changed and written"));
  CHECK(report.finding.where[1].line == line_with("no_atomic", "read, changed and written"));
}

TEST_CASE("a barrier left out before the commit is a race that lacks one") {
  const judge::CheckReport report = checked("no_second_barrier");
  CHECK(name_of(report.finding.verdict) == "race");
  CHECK(report.finding.diagnosis == "missing_barrier");
  CHECK(report.finding.message.find("counts[") != std::string::npos);
}

TEST_CASE("a barrier left out before counting lacks a barrier of the block, whatever the seed") {
  // With most seeds one byte is wrong already, and of one byte a single warp takes part.
  for (const std::uint64_t seed : {1, 3, 5, 646078199}) {
    CAPTURE(seed);
    const judge::CheckReport report = checked("no_first_barrier", seed);
    CHECK(name_of(report.finding.verdict) == "race");
    CHECK(report.finding.diagnosis == "missing_barrier");
  }
}

TEST_CASE("barriers in two branches are named by their lines") {
  const judge::CheckReport report = checked("divergent_barrier");
  check_finding(report, "divergent_barrier",
                "threads of one block wait at different barriers\n"
                "  thread (0,0,0) of block (0,0,0) and thread (128,0,0) of block (0,0,0)" +
                    first_case);
  REQUIRE(report.finding.where.size() == 2);
  CHECK(report.finding.where[0].file == source_of("divergent_barrier"));
  CHECK(report.finding.where[0].line == line_with("divergent_barrier", "the lower half waits here"));
  CHECK(report.finding.where[1].line == line_with("divergent_barrier", "the upper half waits here"));
}

TEST_CASE("barriers of one line are one barrier, however often the compiler wrote them") {
  const judge::CheckReport report = checked("barriers_on_one_line");
  check_finding(report, "pass", passed_text(report));
}

TEST_CASE("a block of 2000 threads is refused in CUDA's words") {
  check_finding(checked("block_of_2000"), "launch_error",
                "cudaErrorInvalidConfiguration: invalid configuration argument\n"
                "  a launch of 1 block of 2,000 threads; a block has 1 to 1,024 threads" +
                    first_case);
}

TEST_CASE("a kernel that never ends is stopped, at the line that it does not leave") {
  const judge::CheckReport report = checked("endless");
  check_finding(report, "timeout",
                "histogram_kernel never ends: a thread repeats the same steps again and again, accessing "
                "histo[0] atomically\n  thread (0,0,0) of block (0,0,0)" +
                    first_case);
  CHECK(report.cases.size() == 1);
  CHECK(report.further.empty());
  REQUIRE(report.finding.where.size() == 1);
  CHECK(report.finding.where[0].file == source_of("endless"));
  CHECK(report.finding.where[0].line == line_with("endless", "for ever"));
}

TEST_CASE("a recursion without an end is a limit, at the line that goes deeper") {
  const judge::CheckReport report = checked("endless_recursion");
  check_finding(
      report, "limit",
      "visited overflows the stack: it needs more than 512 KiB per thread for calls and local arrays\n  "
      "thread (0,0,0) of block (0,0,0)" +
          first_case);
  REQUIRE(report.finding.where.size() == 1);
  CHECK(report.finding.where[0].file == source_of("endless_recursion"));
  const int line = line_with("endless_recursion", "deeper and deeper");
  CHECK(report.finding.where[0].line >= line - 2);  // the function's first line, or the call's
  CHECK(report.finding.where[0].line <= line);
}

TEST_CASE("control: local arrays of tens of KiB work") {
  const judge::CheckReport report = checked("large_local_array");
  check_finding(report, "pass", passed_text(report));
}

TEST_CASE("an assertion that fails is a crash, with its words and its line") {
  const judge::CheckReport report = checked("failed_assertion");
  check_finding(report, "crash",
                "histogram_kernel failed an assertion: position < length\n  thread (1,0,0) of block (0,0,0)" +
                    first_case);
  REQUIRE(report.finding.where.size() == 1);
  CHECK(report.finding.where[0].line == line_with("failed_assertion", "not for all"));
}

TEST_CASE("a write through a null pointer is out of bounds, not a crash") {
  const judge::CheckReport report = checked("null_pointer");
  CHECK(name_of(report.finding.verdict) == "out_of_bounds");
  CHECK(report.finding.message.find("histogram_kernel wrote address 0x") == 0);
  CHECK(report.finding.message.find(", which belongs to no array\n  thread (0,0,0) of block (0,0,0)") !=
        std::string::npos);
  REQUIRE(report.finding.where.size() == 1);
  CHECK(report.finding.where[0].line == line_with("null_pointer", "of nothing"));
}

TEST_CASE("a result that depends on the order of threads names the swap that is not repeated") {
  const judge::CheckReport report = checked("swaps_once");
  const std::string& message = report.finding.message;
  CAPTURE(message);
  CHECK(name_of(report.finding.verdict) == "wrong_answer");
  CHECK(report.finding.diagnosis == "not_deterministic");
  CHECK(message.starts_with(
      "the result depends on the order in which threads run\n"
      "  right if they run one after another; if they run at the same time: 7 of 7 bins differ\n"));
  CHECK(message.find(" times a compare-and-swap found that the word had changed meanwhile, changed nothing, "
                     "and was not tried again\n  with 256 bytes of `letters`, binning letters4") !=
        std::string::npos);
  REQUIRE(report.finding.where.size() == 1);
  CHECK(report.finding.where[0].line == line_with("swaps_once", "once"));
  CHECK(checked("swaps_once").finding.message == message);
}

TEST_CASE("memory that a library allocates for a kernel is told at the kernel's line") {
  for (const auto& one : {std::pair{"keeps_a_vector", "a vector"}, std::pair{"grows_a_string", "a string"}}) {
    const char *const name = one.first, *const words = one.second;
    CAPTURE(name);
    const judge::CheckReport report = checked(name);
    CHECK(name_of(report.finding.verdict) == "limit");
    CHECK(report.finding.message.starts_with(
        "histogram_kernel allocates memory, which is not simulated: it needs a GPU\n"));
    REQUIRE(report.finding.where.size() == 1);
    CHECK(report.finding.where[0].line == line_with(name, words));
  }
}

TEST_CASE("memory that a kernel allocates needs a GPU") {
  const judge::CheckReport report = checked("allocates");
  check_finding(report, "limit",
                "histogram_kernel allocates memory, which is not simulated: it needs a GPU\n  thread (0,0,0) "
                "of block (0,0,0)" +
                    first_case);
  REQUIRE(report.finding.where.size() == 1);
  CHECK(report.finding.where[0].line == line_with("allocates", "from the device's heap"));
}

TEST_CASE("a small GPU is tried too, whose blocks turn where those of a large one do not") {
  const judge::CheckReport report = checked("tile_overwritten_in_next_turn");
  CHECK(name_of(report.finding.verdict) == "race");
  CHECK(report.finding.diagnosis == "missing_barrier");
  CHECK(contains(report.finding.message,
                 "with 524,289 bytes of `letters`, binning letters4, on a GPU with 1 multiprocessor"));
}

namespace {

void check_first_block_resets(std::uint64_t seed) {
  CAPTURE(seed);
  const judge::CheckReport report = checked("first_block_resets", seed);
  CHECK(report.finding.diagnosis == "not_deterministic");
  CHECK(report.finding.message.starts_with("the result depends on the order in which blocks run\n"));
  // The first block draws nearly all pieces; where they are dealt out, as many threads count as on a GPU.
  const judge::CheckReport twin = checked("last_block_resets", seed);
  CHECK(name_of(twin.finding.verdict) == "pass");
  CHECK(twin.further.empty());
}

}  // namespace

TEST_CASE(
    "what an earlier launch has left in the kernel's variables does not hide that the order of blocks "
    "matters") {
  check_first_block_resets(1);
}

TEST_CASE("what an earlier launch has left in the kernel's variables hides nothing with other seeds either" *
          doctest::test_suite("long")) {
  for (const std::uint64_t seed : {2, 3, 4}) check_first_block_resets(seed);
}
