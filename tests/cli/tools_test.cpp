// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "cli/verbs/verbs.hpp"
#include "temporary_folder.hpp"

namespace {

judge::CheckReport report_of(const facts::Finding& finding, facts::Backend backend = facts::Backend::gpu) {
  judge::CheckReport report{.exercise = {.problem = "histogram"}, .backend = backend, .finding = finding};
  report.cases.push_back({{"letters", "bytes", 100}, {}, {}, {}});
  report.cases.push_back({{"letters4", "same", 257}, {finding}, {}, {}});
  return report;
}

std::string offer(facts::Verdict verdict, const std::string& diagnosis) {
  return cli::sanitizer_offer(report_of({verdict, "", diagnosis}), "compute-sanitizer",
                              "build/labs/04_shared_memory/histogram.gpu");
}

}  // namespace

TEST_CASE(
    "a check on a GPU offers compute-sanitizer, in the case that failed, where its tools may see the cause") {
  using facts::Verdict;
  const std::string rest =
      " build/labs/04_shared_memory/histogram.gpu --binning letters4 --input same --length 257\n";
  for (const char* diagnosis : {"", "not_deterministic", "lost_updates"}) {
    CAPTURE(diagnosis);
    CHECK(offer(Verdict::wrong_answer, diagnosis) ==
          "  or, for races in shared memory: compute-sanitizer --tool racecheck" + rest);
  }
  const std::string memcheck = "  or, for accesses out of bounds: compute-sanitizer --tool memcheck" + rest;
  CHECK(offer(Verdict::wrong_answer, "past_the_end") == memcheck);
  CHECK(offer(Verdict::out_of_bounds, "") == memcheck);
  CHECK(offer(Verdict::crash, "") == memcheck);
  CHECK(offer(Verdict::wrong_answer, "uncleared_counters") ==
        "  or, for global memory that is read before it is written: compute-sanitizer --tool initcheck" +
            rest);
}

TEST_CASE("nothing is offered where counts tell enough, on other backends, and without compute-sanitizer") {
  using facts::Verdict;
  CHECK(offer(Verdict::wrong_answer, "tail_missed") == "");
  CHECK(offer(Verdict::launch_error, "") == "");
  const facts::Finding wrong{Verdict::wrong_answer, "", "not_deterministic"};
  CHECK(cli::sanitizer_offer(report_of(wrong, facts::Backend::sim), "compute-sanitizer", "runner") == "");
  CHECK(cli::sanitizer_offer(report_of(wrong), "", "runner") == "");
  judge::CheckReport passed{.backend = facts::Backend::gpu};
  CHECK(cli::sanitizer_offer(passed, "compute-sanitizer", "runner") == "");
}

TEST_CASE("a tool is found on PATH, and one that is nowhere is not") {
  CHECK(cli::find_tool("sh").find("/sh") != std::string::npos);
  CHECK(cli::find_tool("no-such-tool-of-the-workbook") == "");
}

TEST_CASE("the variable NCU names the ncu that is meant, and no other") {
  const TemporaryFolder folder;
  const std::string program = folder.write("ncu", "#!/bin/sh\n");
  const char* const path = std::getenv("PATH");
  const std::string before = path ? path : "";
  const auto found = [](const std::string& variable, const std::string& path_then) {
    setenv("NCU", variable.c_str(), 1);
    setenv("PATH", path_then.c_str(), 1);
    return cli::find_tool("ncu");
  };
  CHECK(found("", folder.path() + ":" + before) != program);  // it may not be run
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  CHECK(found("", folder.path() + ":" + before) == program);
  CHECK(found(program, before) == program);
  CHECK(found(program + "-missing", folder.path() + ":" + before) == "");
  unsetenv("NCU");
  setenv("PATH", before.c_str(), 1);
}
