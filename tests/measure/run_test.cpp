// SPDX-License-Identifier: MIT
#include "measure/run.hpp"

#include <doctest/doctest.h>

#include "hostile.hpp"
#include "judge/check.hpp"
#include "judged_runner.hpp"
#include "problems/histogram/generators.hpp"
#include "problems/histogram/histogram_reference.hpp"
#include "support/outputs.hpp"

using facts::Backend;
using facts::Verdict;

namespace {

const workbook::ExerciseInfo of_histogram{.problem = "histogram"};

using Counts = std::vector<std::uint64_t>;

// Small pieces, so that several are soon counted.
constexpr std::uint64_t piece_bytes = 64 << 10;
const measure::Sampling in_pieces{.piece_bytes = piece_bytes};

Counts expected(const problems::Input& input, std::string_view binning) {
  return histogram::expected_bins(input, histogram::find_binning(binning).value(), 0, input.length());
}

Counts counts_of(const problems::Result& result) { return problems::values_of<std::uint64_t>(result); }

measure::Record run_correct_kernel(std::uint64_t length, std::optional<unsigned> block,
                                   std::optional<unsigned> grid) {
  return measure::run(judge::runner_settings(judged_runner("correct"), Backend::sim),
                      *histogram::make_input("text", length, 1),
                      {.exercise = of_histogram, .variant = "letters4"}, {.block = block, .grid = grid});
}

}  // namespace

TEST_CASE("an input of several pieces is counted piece by piece, and everything is added up") {
  const std::uint64_t length = 2 * piece_bytes + 1000;
  const auto input = histogram::make_input("text", length, 1);
  std::vector<double> told;
  const measure::Record report = measure::run(
      hostile("is honest", {"BLOCK=64"}), *input, {.exercise = of_histogram, .variant = "letters"}, {},
      {.progress = [&](double fraction) { told.push_back(fraction); }, .piece_bytes = piece_bytes});
  CHECK(name_of(report.finding.verdict) == "pass");
  CHECK(counts_of(report.result) == expected(*input, "letters"));
  CHECK(report.launches == 3);
  CHECK(report.counters.at("threads") == length);
  CHECK(report.launch.grid == 7);
  CHECK(report.launch.block == 64);
  CHECK_FALSE(report.time_ms);  // the simulator is not timed
  REQUIRE(told.size() == 4);
  CHECK(told[0] == 0);
  CHECK(told[1] == doctest::Approx(static_cast<double>(piece_bytes) / static_cast<double>(length)));
  CHECK(told[2] == doctest::Approx(2 * static_cast<double>(piece_bytes) / static_cast<double>(length)));
  CHECK(told[3] == 1);
}

TEST_CASE("what threads write alike is noted once over all pieces, with its line") {
  if (!workbook::here().has_simulator) {
    MESSAGE("left out: this build has no simulator");
    return;
  }
  const auto input = histogram::make_input("same", piece_bytes + 1, 1);
  const measure::Record report =
      measure::run(judge::runner_settings(judged_runner("same_value"), Backend::sim), *input,
                   {.exercise = of_histogram, .variant = "bytes"}, {}, in_pieces);
  CHECK(name_of(report.finding.verdict) == "pass");
  CHECK(report.launches == 2);
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0].message ==
        "several threads write the same value to bytes[0]\n"
        "  thread (0,0,0) of block (0,0,0) and thread (1,0,0) of block (0,0,0); 65,280 such pairs, the "
        "first is shown");
  REQUIRE(report.notes[0].where.size() == 1);
  CHECK(report.notes[0].where[0].line == 9);
  CHECK(run_correct_kernel(1000, {}, {}).notes.empty());
}

TEST_CASE("only the first piece is traced, and only if it is asked for") {
  if (!workbook::here().has_simulator) {
    MESSAGE("left out: this build has no simulator");
    return;
  }
  const std::uint64_t length = piece_bytes + 1;
  const auto input = histogram::make_input("same", length, 1);
  const auto run = [&](std::optional<facts::TraceRequest> trace) {
    return measure::run(judge::runner_settings(judged_runner("correct"), Backend::sim), *input,
                        {.exercise = of_histogram, .variant = "letters4"}, {.trace = trace}, in_pieces)
        .trace;
  };
  CHECK_FALSE(run({}));
  const auto trace = run(facts::TraceRequest{{{0, 0}}});
  REQUIRE(trace);
  CHECK(trace->events.size() ==
        2 + 2 * 256 / 32);  // a load and an atomic a warp, while the second piece has one byte
  CHECK(trace->arrays.at(0).bytes == piece_bytes);
}

TEST_CASE(
    "in lockstep a kernel without atomics loses updates, the same for the same seed, and one with them "
    "none") {
  if (!workbook::here().has_simulator) {
    MESSAGE("left out: this build has no simulator");
    return;
  }
  const auto input = histogram::make_input("letters", 50'000, 1);
  const auto run = [&](const std::string& kernel, std::uint64_t seed) {
    return measure::run(judge::runner_settings(judged_runner(kernel), Backend::sim), *input,
                        {.exercise = of_histogram, .variant = "bytes"}, {.lockstep_seed = seed});
  };
  const measure::Record lossy = run("no_atomic", 1);
  CHECK(name_of(lossy.finding.verdict) == "wrong_answer");  // nobody looks for races there
  CHECK(counts_of(lossy.expected) == expected(*input, "bytes"));
  const Counts lossy_bins = counts_of(lossy.result), all_bins = counts_of(lossy.expected);
  REQUIRE(lossy_bins.size() == all_bins.size());
  for (std::size_t bin = 0; bin < lossy_bins.size(); ++bin) {
    CHECK(lossy_bins[bin] <= all_bins[bin]);
    CHECK((lossy_bins[bin] == all_bins[bin]) == (all_bins[bin] == 0));
  }
  CHECK(run("no_atomic", 1).result == lossy.result);
  CHECK(run("no_atomic", 2).result != lossy.result);
  const measure::Record correct = run("correct", 1);
  CHECK(name_of(correct.finding.verdict) == "pass");
  CHECK(correct.result == correct.expected);
  CHECK(correct.launches == 1);
}

TEST_CASE("in lockstep a piece is 1 MiB, and what the CPU counts is added up") {
  const auto input = histogram::make_input("text", (2 << 20) + 1, 1);
  const measure::Record report = measure::run(
      hostile("is honest"), *input, {.exercise = of_histogram, .variant = "letters"}, {.lockstep_seed = 1});
  CHECK(report.launches == 3);
  CHECK(counts_of(report.expected) == expected(*input, "letters"));
  CHECK(report.result == report.expected);
}

TEST_CASE("an input on the CPU is timed in rounds, until there are samples enough") {
  const measure::Record report =
      measure::run(hostile("is honest"), *histogram::make_input("text", 1000, 1),
                   {.exercise = of_histogram, .backend = Backend::cpu, .variant = "bytes"}, {},
                   {.rule = {.round = 5, .least = 6, .most = 16, .spread = 0}});
  REQUIRE(report.time_ms);  // sample i of a round took i + 1 ms, says this runner: 1; 1 2 3 4 5, three times
  CHECK(report.time_ms->samples == 16);
  CHECK(report.time_ms->min == 1);
  CHECK(report.time_ms->median == 3);
  CHECK(report.launches == 1);
  CHECK_FALSE(report.clock_mhz);
}

TEST_CASE("a wrong answer has no time, however it was timed") {
  const measure::Record report =
      measure::run(hostile("answers", {R"(ANSWER={"outputs":[)" + document_of({1, 2, 3, 4, 5, 6, 7}) +
                                       R"(],"grid":1,"block":1,"times_ms":[1.5],)"
                                       R"("counters":{},"observations":[]})"}),
                   *histogram::make_input("text", 1000, 1),
                   {.exercise = of_histogram, .backend = Backend::cpu, .variant = "letters4"});
  CHECK(name_of(report.finding.verdict) == "wrong_answer");
  CHECK(counts_of(report.result) == Counts{1, 2, 3, 4, 5, 6, 7});
  CHECK_FALSE(report.time_ms);
  CHECK(throughput_gb_s(report) == 0);
}

TEST_CASE("an empty input is one piece of nothing") {
  const measure::Record report = measure::run(hostile("is honest"), *problems::hold({}),
                                              {.exercise = of_histogram, .variant = "letters4"});
  CHECK(name_of(report.finding.verdict) == "pass");
  CHECK(counts_of(report.result) == Counts(7));
  CHECK(report.launches == 1);
}

TEST_CASE("the first piece that fails ends the run, and what was counted before is kept") {
  const auto input = histogram::make_input("text", 2 * piece_bytes + 5, 1);
  const measure::Record report = measure::run(
      hostile("is honest once"), *input, {.exercise = of_histogram, .variant = "letters4"}, {}, in_pieces);
  CHECK(name_of(report.finding.verdict) == "protocol");
  CHECK(report.finding.message == "the program ended without an answer (exit code 0)");
  CHECK(report.launches == 1);
  CHECK(report.counters.at("threads") == piece_bytes);
}

TEST_CASE("what does not fit the device is a limit, and a backend that is not there is unavailable") {
  const std::string too_large =
      R"(ANSWER={"outputs":[],"grid":9,"block":1,"times_ms":[],"counters":{},"observations":[],)"
      R"("failure":{"kind":"too_large","message":"no room"}})";
  const auto input = histogram::make_input("text", 100, 1);
  const measure::Record limit = measure::run(hostile("answers", {too_large}), *input,
                                             {.exercise = of_histogram, .variant = "letters4"});
  CHECK(name_of(limit.finding.verdict) == "limit");
  CHECK(limit.finding.message == "no room");
  CHECK(limit.result.empty());
  CHECK_FALSE(limit.time_ms);
  const measure::Record unavailable = measure::run(hostile("is honest", {"UNAVAILABLE=no driver"}), *input,
                                                   {.exercise = of_histogram, .variant = "letters4"});
  CHECK(name_of(unavailable.finding.verdict) == "unavailable");
  CHECK(unavailable.launches == 0);
}

TEST_CASE("on the simulator nothing is timed, and the shape of the launch can be chosen") {
  if (!workbook::here().has_simulator) {
    MESSAGE("left out: this build has no simulator");
    return;
  }
  const measure::Record own = run_correct_kernel(1000, {}, {});
  CHECK(name_of(own.finding.verdict) == "pass");
  CHECK(own.launch.block == 256);
  CHECK(own.launch.grid == 4);
  CHECK_FALSE(own.time_ms);
  CHECK(throughput_gb_s(own) == 0);
  // --block keeps the number of threads, rounded up to whole blocks.
  const measure::Record block = run_correct_kernel(1000, 100, {});
  CHECK(name_of(block.finding.verdict) == "pass");
  CHECK(block.launch.block == 100);
  CHECK(block.launch.grid == 11);
  CHECK(block.counters.at("threads") == 1100);
  // --grid is taken as it is; this kernel then misses what no thread covers.
  const measure::Record grid = run_correct_kernel(1000, {}, 3);
  CHECK(name_of(grid.finding.verdict) == "wrong_answer");
  CHECK(grid.counters.at("threads") == 768);
  CHECK(name_of(run_correct_kernel(1000, 1025, {}).finding.verdict) == "launch_error");
}

TEST_CASE("a solution's counters over two pieces are those of the pieces") {
  const workbook::Workbook& workbook = workbook::here();
  if (!workbook.has_simulator || !workbook.has_solutions) {
    MESSAGE("left out: this build has no simulator, or this tree no solutions/");
    return;
  }
  const judge::RunnerSettings settings = judge::runner_settings(
      workbook.runner(workbook.find("05/interleaved").at(0), workbook::Tree::solution, Backend::sim),
      Backend::sim);
  const std::uint64_t piece = piece_bytes;
  const auto whole = histogram::make_input("runs", piece + 4321, 1);
  const auto run_part = [&](std::uint64_t offset, std::uint64_t length) {
    std::vector<unsigned char> bytes(length);
    whole->read(offset, bytes);
    return measure::run(settings, *problems::hold(std::move(bytes)),
                        {.exercise = of_histogram, .variant = "bytes"}, {}, in_pieces);
  };
  const measure::Record all =
      measure::run(settings, *whole, {.exercise = of_histogram, .variant = "bytes"}, {}, in_pieces);
  const measure::Record first = run_part(0, piece), second = run_part(piece, 4321);
  CHECK(name_of(all.finding.verdict) == "pass");
  CHECK(all.launches == 2);
  CHECK(counts_of(all.result) == expected(*whole, "bytes"));
  CHECK(all.launch.grid == first.launch.grid);
  CHECK(all.counters.size() == first.counters.size());
  for (const auto& counter : all.counters) {
    CAPTURE(counter.first);
    CHECK(counter.second == first.counters.at(counter.first) + second.counters.at(counter.first));
  }
}

TEST_CASE("what a kernel prints comes with the run") {
  const measure::Record report =
      measure::run(judge::runner_settings(judged_runner("prints"), Backend::sim),
                   *histogram::make_input("phrase", 41, 1), {.exercise = of_histogram, .variant = "letters"});
  CHECK(name_of(report.finding.verdict) == "pass");
  CHECK(report.output ==
        "  it printed:\n    byte 5 is an a\n    byte 13 is an a\n    byte 23 is an a\n    byte 25 is an a");
  CHECK(run_correct_kernel(100, std::nullopt, std::nullopt).output.empty());
}
