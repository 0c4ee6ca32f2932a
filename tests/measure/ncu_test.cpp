// SPDX-License-Identifier: MIT
// solution_04.csv is what ncu 2025.3.1 printed on an H200 of lab 04's solution over 1 MiB of text, without
// the columns that nobody reads here.
#include <doctest/doctest.h>

#include <filesystem>
#include <future>
#include <map>

#include "measure/ncu/profile.hpp"
#include "temporary_folder.hpp"
#include "workbook/workbook.hpp"

namespace {

using Kind = measure::NcuRefusal::Kind;

std::string h200_page() { return text_of(workbook::here().source_root + "/tests/measure/solution_04.csv"); }

// A program that stands in for ncu: keeps its arguments, says and prints what it is told to, and leaves a
// report or none.
struct FakeNcu {
  std::string said = "==PROF== Connected to process 1\n", printed, page = h200_page();
  int code = 0;
  bool makes_report = true, knows_instances = true;
  TemporaryFolder folder{};

  measure::NcuJob job() {
    const std::string at = folder.path();
    folder.write("said", said);
    folder.write("printed", printed);
    folder.write("page", page);
    const std::string program = folder.write(
        "ncu",
        "#!/bin/sh\necho \"$*\" >>" + at + "/calls\n" + "if [ \"$1\" = --import ]; then\n" +
            (knows_instances ? ""
                             : "  case \"$*\" in *instances*) echo 'unrecognised option'; exit 1;; esac\n") +
            "  cat " + at + "/page; exit 0\nfi\n" +
            "while [ $# -gt 0 ]; do case $1 in -o) report=$2;; --log-file) log=$2;; esac; shift; done\n" +
            "cat " + at + "/printed\n" + (said.empty() ? "" : "cat " + at + "/said >\"$log\"\n") +
            (makes_report ? ": >\"$report.ncu-rep\"\n" : "") + "exit " + std::to_string(code) + "\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    return {.ncu = program,
            .runner = "/b/histogram.gpu",
            .report = at + "/profiles/04.ncu-rep",
            .input = "text",
            .variant_option = "binning",
            .variant = "letters4",
            .length = 1048576,
            .seed = 7};
  }

  std::string calls() const { return text_of(folder.path() + "/calls"); }
};

using Launches = std::vector<measure::ProfiledLaunch>;

measure::NcuRefusal refused(FakeNcu& ncu) {
  const auto result = measure::profile_with_ncu(ncu.job());
  REQUIRE(std::holds_alternative<measure::NcuRefusal>(result));
  return std::get<measure::NcuRefusal>(result);
}

}  // namespace

TEST_CASE(
    "ncu counts the launch of the runner's sample, with the clock as it is, and prints it from its report") {
  FakeNcu ncu;
  const measure::NcuJob job = ncu.job();
  const auto result = measure::profile_with_ncu(job);
  REQUIRE(std::holds_alternative<Launches>(result));
  REQUIRE(std::get<Launches>(result).size() == 1);
  CHECK(std::get<Launches>(result).front().kernel ==
        "void histogram_kernel<Letters4>(const unsigned char *, unsigned long, unsigned int *)");
  const std::string at = ncu.folder.path() + "/profiles/04";
  CHECK(ncu.calls() ==
        "--clock-control none --target-processes application-only --nvtx --nvtx-include sample/launch/ "
        "--metrics " +
            measure::metric_list() + " --log-file " + at + ".log -f -o " + at +
            " /b/histogram.gpu --input text --length 1048576 --binning letters4 --seed 7\n"
            "--import " +
            at + ".ncu-rep --page raw --csv --print-units base --print-metric-instances details\n");
}

TEST_CASE("a launch shape is handed on") {
  const auto words = measure::profile_command({.ncu = "ncu",
                                               .runner = "r",
                                               .report = "x.ncu-rep",
                                               .input = "a b",
                                               .variant_option = "binning",
                                               .variant = "bytes",
                                               .length = 5,
                                               .seed = 1,
                                               .block = 256,
                                               .grid = 3});
  CHECK(std::vector(words.end() - 12, words.end()) ==
        std::vector<std::string>{"--input", "a b", "--length", "5", "--binning", "bytes", "--seed", "1",
                                 "--block", "256", "--grid", "3"});
}

TEST_CASE("the page of an H200 gives every counter and figure") {
  const auto launches = measure::read_raw_page(h200_page());
  REQUIRE(launches.size() == 1);
  const std::map<std::string_view, double> expected{{"threads", 1048576},
                                                    {"warps", 32768},
                                                    {"barriers", 65536},
                                                    {"global_load_requests", 32768},
                                                    {"global_load_sectors", 32768},
                                                    {"global_store_requests", 0},
                                                    {"global_store_sectors", 0},
                                                    {"global_atomic_requests", 1024},
                                                    {"shared_load_requests", 1024},
                                                    {"shared_load_wavefronts", 1051},
                                                    {"shared_store_requests", 1024},
                                                    {"shared_store_wavefronts", 1024},
                                                    {"shared_atomic_requests", 32768},
                                                    {"shared_atomic_wavefronts", 33113},
                                                    {"kernel_time", 5568},
                                                    {"dram_bytes", 1052416},
                                                    {"dram_throughput", 189011494252.87},
                                                    {"dram_share", 3.95},
                                                    {"occupancy", 77.51},
                                                    {"instructions", 1371124},
                                                    {"active_lanes", 29.91},
                                                    {"divergent_branches", 33780},
                                                    {"issue_share", 39.25},
                                                    {"stall_long_scoreboard", 17.19},
                                                    {"stall_short_scoreboard", 1.61},
                                                    {"stall_mio_throttle", 0.99},
                                                    {"stall_lg_throttle", 0},
                                                    {"stall_barrier", 3.66}};
  std::map<std::string_view, double> got;
  const auto get = [&](const facts::Quantity& quantity) {
    if (const auto value = launches.front().value(quantity)) got[quantity.name] = *value;
  };
  for (const facts::CounterRow& row : measure::measured_counters()) get(row.quantity);
  for (const facts::Quantity& figure : measure::measured_figures()) get(figure);
  CHECK(got == expected);
}

TEST_CASE("an older ncu, which prints no instances, is asked without") {
  FakeNcu ncu;
  ncu.knows_instances = false;
  CHECK(std::holds_alternative<Launches>(measure::profile_with_ncu(ncu.job())));
  CHECK(ncu.calls().ends_with("--print-units base\n"));
}

TEST_CASE("what the program prints is not taken for ncu's words") {
  FakeNcu ncu;
  ncu.printed = "==ERROR== ERR_NVGPUCTRPERM\n\"ID\",\"Kernel Name\"\n\"\",\"\"\n\"0\",\"no launch\"\n";
  CHECK(std::holds_alternative<Launches>(measure::profile_with_ncu(ncu.job())));
}

TEST_CASE("an earlier run's report is not taken for this one's") {
  FakeNcu ncu;
  REQUIRE(std::holds_alternative<Launches>(measure::profile_with_ncu(ncu.job())));
  ncu.makes_report = false;
  const measure::NcuRefusal refusal = refused(ncu);
  CHECK(refusal.kind == Kind::other_launches);
  CHECK(measure::explanation(refusal) ==
        "ncu should have counted the launches of one kernel: no launch in the range sample/launch/");
}

TEST_CASE("two at a time take turns over one report") {
  FakeNcu ncu;
  const measure::NcuJob job = ncu.job();
  const std::string at = ncu.folder.path();
  // A call that finds another under way says so.
  ncu.folder.write("ncu", "#!/bin/sh\nmkdir " + at + "/busy || echo overlap >>" + at + "/calls\nsleep 0.1\n" +
                              text_of(at + "/ncu").replace(0, 10, "trap 'rmdir " + at + "/busy' EXIT\n"));
  const auto run = [&] { return std::holds_alternative<Launches>(measure::profile_with_ncu(job)); };
  auto other = std::async(std::launch::async, run);
  CHECK(run());
  CHECK(other.get());
  CHECK(ncu.calls().find("overlap") == std::string::npos);
}

TEST_CASE("of several launches of a kernel the counters are added up, and the figures are the first's") {
  FakeNcu ncu;
  std::string last_row = ncu.page.substr(ncu.page.rfind('\n', ncu.page.size() - 2) + 1);
  const std::string occupancy = "77.5";
  REQUIRE(last_row.find(occupancy) != std::string::npos);
  ncu.page += last_row.replace(last_row.find(occupancy), occupancy.size(), "11.1");
  const auto result = measure::profile_with_ncu(ncu.job());
  REQUIRE(std::holds_alternative<Launches>(result));
  const measure::LaunchCounts both = measure::counts_of(std::get<Launches>(result));
  const measure::LaunchCounts one = measure::counts_of({std::get<Launches>(result).front()});
  CHECK(both.launches == 2);
  CHECK(both.counters.at("warps") == 2 * one.counters.at("warps"));
  CHECK(both.counters.at("global_atomic_requests") == 2048);
  CHECK(both.figures == one.figures);
  // A counter that one of them lacks is of none.
  Launches lacking = std::get<Launches>(result);
  lacking.back().cells.erase("launch__thread_count");
  CHECK_FALSE(measure::counts_of(lacking).counters.find(facts::Counter::threads));
}

TEST_CASE("launches of several kernels are refused") {
  FakeNcu ncu;
  std::string last_row = ncu.page.substr(ncu.page.rfind('\n', ncu.page.size() - 2) + 1);
  const std::string name = "histogram_kernel<Letters4>";
  ncu.page += last_row.replace(last_row.find(name), name.size(), "another_kernel");
  const measure::NcuRefusal refusal = refused(ncu);
  CHECK(refusal.kind == Kind::other_launches);
  CHECK(refusal.words.starts_with(ncu.folder.path() +
                                  "/profiles/04.ncu-rep holds launches of void histogram_kernel"));
}

TEST_CASE("a program that fails under ncu is told with its last words") {
  FakeNcu ncu;
  ncu.said = "==PROF== Connected to process 1\n==ERROR== The application returned an error code (3).\n";
  ncu.printed = "this machine has too little memory for 1048576 bytes\n";
  ncu.code = 3;
  CHECK(measure::explanation(refused(ncu)) ==
        "the program failed under ncu: this machine has too little memory for 1048576 bytes");
}

TEST_CASE("what ncu says before it has opened its log counts too") {
  FakeNcu ncu;
  ncu.said = "";
  ncu.printed =
      "==ERROR== Unable to write to file x.ncu-rep. Please verify this file is not locked, and writable.\n";
  ncu.code = 1;
  CHECK(
      measure::explanation(refused(ncu)) ==
      "ncu failed: Unable to write to file x.ncu-rep. Please verify this file is not locked, and writable.");
}

TEST_CASE("without ncu nothing is started") {
  FakeNcu ncu;
  measure::NcuJob job = ncu.job();
  job.ncu = "";
  const auto result = measure::profile_with_ncu(job);
  REQUIRE(std::holds_alternative<measure::NcuRefusal>(result));
  CHECK(std::get<measure::NcuRefusal>(result).kind == Kind::not_found);
  CHECK_FALSE(std::filesystem::exists(ncu.folder.path() + "/profiles"));
}

TEST_CASE("ncu's refusals are told apart") {
  const std::string connected = "==PROF== Connected to process 9012 (/b/histogram.gpu)\n";
  const std::string ending = "==ERROR== The application returned an error code (1).\n";
  CHECK(measure::refusal_of(connected +
                            "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA "
                            "GPU Performance Counters on the "
                            "target device 0.\n" +
                            ending)
            .kind == Kind::not_permitted);
  CHECK(measure::refusal_of(connected +
                            "==ERROR== Profiling failed because a driver resource was unavailable.\n")
            .kind == Kind::busy);
  CHECK(measure::refusal_of("==ERROR== Cuda driver is not compatible with Nsight Compute.\n").kind ==
        Kind::old_driver);
  CHECK(measure::refusal_of("==ERROR== Profiling is not supported on device 0.\n").kind == Kind::unsupported);
  const measure::NcuRefusal failed = measure::refusal_of(
      connected + "==ERROR== An error was reported by the driver:\n==ERROR== LaunchFailed\n" + ending);
  CHECK(failed.kind == Kind::runner_failed);
  CHECK(failed.words == "An error was reported by the driver:");
  CHECK(measure::refusal_of("==ERROR== Failed to load report file 'x'.\n").kind == Kind::failed);
}
