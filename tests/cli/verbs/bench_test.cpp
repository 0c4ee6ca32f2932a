// SPDX-License-Identifier: MIT
// `lab bench` and `lab records` without a GPU: on the simulator, and refusals.
#include <algorithm>

#include "cli/command_line.hpp"
#include "lab.hpp"
#include "support/contains.hpp"
#include "temporary_folder.hpp"

namespace {

// An exercise that launches a kernel and that the student has not begun; empty where all are.
std::string untouched_exercise() {
  const auto list = lab({"list", "--json"}).json();
  for (const auto& entry : list.at("exercises")) {
    const std::string name =
        entry.at("lab").get<std::string>() + "/" + entry.at("exercise").get<std::string>();
    if (entry.at("state") == "not started" && name != "01_sequential/histogram") return name;
  }
  MESSAGE("left out: every lab is begun");
  return {};
}

// How many exercises of the course launch a kernel: the rows of its ladder on the simulator.
std::size_t launched_exercises() {
  return static_cast<std::size_t>(
      std::ranges::count_if(workbook::here().exercises, [](const workbook::ExerciseInfo& exercise) {
        return exercise.launched && exercise.problem == workbook::here().exercises.front().problem;
      }));
}

// "labs 05 and 06": those whose manifests name the sweep.
std::string labs_of_sweep(const std::string& sweep) {
  return cli::labs_where(
      [&](const workbook::ExerciseInfo& exercise) { return std::ranges::count(exercise.sweeps, sweep) > 0; });
}

// Every lab's records in a file of this test's own.
std::vector<std::string> recording_to(const TemporaryFolder& folder) {
  return {"WORKBOOK_RECORDS=" + folder.path() + "/records.jsonl"};
}

}  // namespace

TEST_CASE("on the simulator the ladder is counters, and each row is kept as a record" *
          doctest::test_suite("long")) {
  if (!can_simulate_solutions()) return;
  const TemporaryFolder folder;
  const auto settings = recording_to(folder);
  const auto bench = lab({"bench", "--on", "sim", "--length", "100K", "--json"}, settings).json();
  REQUIRE(bench.at("exercises").size() == launched_exercises());
  const auto& global = bench.at("exercises")[0];
  CHECK(global.at("lab") == "02_global_atomics");
  CHECK(global.at("verdict") == "pass");
  CHECK(global.at("counters").at("global_atomics") == 102400);
  CHECK(global.at("time_ms").is_null());

  CHECK(lab({"records"}, settings).out.rfind(std::to_string(launched_exercises()) + " records in ", 0) == 0);
  // For whoever has no GPU, what one measured, with its name.
  const std::string told = lab({"bench", "--on", "sim", "--length", "1000"}, settings).out;
  CHECK(told.find("\nThe solutions, recorded on an NVIDIA H200, 2026-11-23: 1,073,741,824 bytes of letters, "
                  "binning letters4\n") != std::string::npos);
  CHECK(told.find("\nreading alone") != std::string::npos);
  CHECK(told.find(" 100.0 %") != std::string::npos);
  const std::string csv = lab({"records", "--csv"}, settings).out;
  CHECK(csv.find(",bench,") != std::string::npos);
  CHECK(csv.find("lab bench --on sim --length 100K --json") != std::string::npos);
}

TEST_CASE("a sweep on the simulator shows what the swept thing changes" * doctest::test_suite("long")) {
  if (!can_simulate_solutions()) return;
  const TemporaryFolder folder;
  const auto settings = recording_to(folder);
  const auto points =
      lab({"bench", "04", "--sweep", "block", "--on", "sim", "--length", "64K", "--json"}, settings)
          .json()
          .at("exercises");
  REQUIRE(points.size() == 6);
  std::uint64_t commits = ~std::uint64_t{0};
  for (std::size_t i = 0; i < points.size(); ++i) {
    CAPTURE(i);
    CHECK(points[i].at("verdict") == "pass");
    CHECK(points[i].at("launch").at("block") == 32u << i);
    CHECK(points[i].at("counters").at("shared_atomics") == 65536);
    CHECK(points[i].at("counters").at("global_atomics") < commits);
    commits = points[i].at("counters").at("global_atomics");
  }
  const auto contention =
      lab({"bench", "04", "--sweep", "contention", "--on", "sim", "--length", "64K", "--json"}, settings)
          .json()
          .at("exercises");
  REQUIRE(contention.size() == 4);  // 1, 2, 4 and 7 of the 7 bins
  CHECK(contention[0].at("input") == "uniform over 1 bins");
  CHECK(contention[3].at("input") == "uniform over 7 bins");
  CHECK(lab({"records"}, settings).out.rfind("10 records in ", 0) == 0);
}

TEST_CASE("where there is no GPU each point is estimated, under a key of its own and over its own length" *
          doctest::test_suite("long")) {
  if (!can_simulate_solutions()) return;
  const TemporaryFolder folder;
  auto settings = recording_to(folder);
  settings.push_back("CUDA_VISIBLE_DEVICES=-1");
  const std::vector<std::string> sweep{"bench", "04", "--sweep", "block", "--on", "sim"};
  std::vector<std::string> as_json = sweep, short_input = sweep;
  as_json.push_back("--json");
  const auto points = lab(as_json, settings).json().at("exercises");
  REQUIRE(points.size() == 6);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& estimate = points[i].at("estimate");
    CAPTURE(estimate);
    CHECK(points[i].at("time_ms").is_null());
    CHECK(points[i].at("length") == 1 << 20);
    CHECK(estimate.at("name") == "NVIDIA H200");
    CHECK(estimate.at("length") == 1 << 30);
    CHECK(estimate.at("launch").at("block") == 32u << i);
    CHECK(estimate.at("launch").at("grid") == (1u << 30) / (32u << i));
    CHECK(estimate.at("ms") > estimate.at("low"));
    CHECK(estimate.at("ms") < estimate.at("high"));
  }
  short_input.insert(short_input.end(), {"--length", "64K"});
  const std::string told = lab(short_input, settings).out;
  CHECK(told.find(
            "\nEstimated for an NVIDIA H200, not measured: 65,536 bytes of letters, binning letters4\n\n"
            "threads per block          estimate, ms        probably  held back by\n") != std::string::npos);
  settings.push_back("WORKBOOK_ESTIMATE=none");
  CHECK(lab(short_input, settings).out.find("stimate") == std::string::npos);
}

TEST_CASE("variants are counted beside their solutions, and recorded as what they are" *
          doctest::test_suite("long")) {
  if (!can_simulate_solutions()) return;
  const TemporaryFolder folder;
  const auto settings = recording_to(folder);
  const auto rows = lab({"bench", "04", "--variants", "--on", "sim", "--length", "64K", "--json"}, settings)
                        .json()
                        .at("exercises");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].at("exercise") == "histogram");
  CHECK(rows[1].at("exercise") == "histogram-runtime_bins");
  for (const auto& row : rows) {
    CHECK(row.at("verdict") == "pass");
    CHECK(row.at("counters").at("shared_atomics") == 65536);
  }
  // A variant's name stands for it and its solution.
  const auto named =
      lab({"bench", "05/contiguous-c8", "--variants", "--on", "sim", "--length", "64K", "--json"}, settings)
          .json()
          .at("exercises");
  REQUIRE(named.size() == 2);
  CHECK(named[0].at("exercise") == "contiguous");
  CHECK(named[1].at("exercise") == "contiguous-c8");
  const LabResult unknown = lab({"bench", "05/contiguous-c5", "--variants", "--on", "sim"}, settings);
  CHECK(unknown.code == 2);
  CHECK(
      unknown.err.starts_with("lab: no variant is called \"05/contiguous-c5\"; this lab has: "
                              "05/contiguous-c32, 05/contiguous-c32_bytewise,"));
  // Names are longer than those of labs; their figures stand below each other all the same.
  const std::string table =
      lab({"bench", "05/contiguous-c32_bytewise", "--variants", "--on", "sim", "--length", "4K"}, settings)
          .out;
  CHECK(contains(table, "\n05/contiguous                      128 "));
  CHECK(contains(table, "\n05/contiguous-c32_bytewise         128 "));
  const std::string csv = lab({"records", "--csv"}, settings).out;
  CHECK(csv.find(",variants,") != std::string::npos);
  CHECK(csv.find(",05_coarsening,contiguous-c8,solution,") != std::string::npos);
}

TEST_CASE("what cannot be measured is refused with what can") {
  const auto refused = [](const std::vector<std::string>& words, const std::string& why) {
    std::vector<std::string> all{"bench", "--on", "sim"};
    all.insert(all.end(), words.begin(), words.end());
    const LabResult result = lab(all);
    CHECK(result.code == 2);
    CHECK(result.err == "lab: " + why + "\n");
  };
  refused({"--sweep", "colour"},
          "--sweep colour: no such sweep; the sweeps are: block, grid, length, contention, coarsening");
  refused({"04", "--sweep", "grid"},
          "--sweep grid does not fit lab 04: the number of blocks can be chosen in " + labs_of_sweep("grid") +
              " alone");
  refused({"01", "--sweep", "block"}, "--sweep block does not fit lab 01: it launches no kernel");
  refused({"x1/naive", "--sweep", "contention"},
          "--sweep contention does not fit lab x1/naive: it is measured in " + labs_of_sweep("contention") +
              " alone");
  refused({"04"},
          "LAB goes with --sweep or --variants; without them lab bench measures all labs against each other");
  if (workbook::here().has_solutions) refused({"01", "--variants"}, "--variants: there are none in this lab");
  refused({"04", "--sweep", "length", "--length", "1023"},
          "--length 1023: --sweep length begins at 1024 bytes");
  refused({"--warm"}, "--warm: the backend sim is not timed, and nothing of it depends on a cache");
  refused({"--length", "0"}, "--length 0: there is nothing to measure");
  refused({"--length", "5G"}, "--length 5368709120: lab bench measures up to 4294967296 bytes at a time");
}

TEST_CASE("a lab that is swept by its name and not begun is no pass") {
  if (!can_simulate_solutions()) return;
  const TemporaryFolder folder;
  const std::string name = untouched_exercise();
  if (name.empty()) return;
  const LabResult own =
      lab({"bench", name, "--sweep", "block", "--own", "--on", "sim", "--length", "4K", "--json"},
          recording_to(folder));
  CHECK(own.code == 1);
  REQUIRE(own.json().at("exercises").size() == 1);
  CHECK(own.json().at("exercises")[0].at("verdict") == "not_started");
}

TEST_CASE("on the simulator too, a lab that is not begun is told to be that") {
  if (!can_simulate_solutions()) return;
  const TemporaryFolder folder;
  const std::string name = untouched_exercise();
  if (name.empty()) return;
  const auto ladder =
      lab({"bench", "--own", "--on", "sim", "--length", "1000", "--json"}, recording_to(folder)).json();
  for (const auto& row : ladder.at("exercises")) {
    if (row.at("lab").get<std::string>() + "/" + row.at("exercise").get<std::string>() != name) continue;
    CHECK(row.at("verdict") == "not_started");
  }
}

TEST_CASE("where there is no GPU that is told once, and as JSON of every exercise") {
  const std::vector<std::string> settings{"CUDA_VISIBLE_DEVICES=-1", "WORKBOOK_RECORDS=/dev/null"};
  const LabResult ladder = lab({"bench", "--on", "gpu"}, settings);
  CHECK(ladder.code == 3);
  CHECK(ladder.out.rfind("unavailable: the backend gpu ", 0) == 0);
  CHECK(ladder.out.find("\n  next: lab doctor\n\nThe solutions, recorded on an NVIDIA H200") !=
        std::string::npos);
  const LabResult sweep = lab({"bench", "04", "--sweep", "block", "--on", "gpu"}, settings);
  CHECK(sweep.code == 3);
  CHECK(sweep.out.ends_with("\n  next: lab doctor\n"));
  const LabResult json = lab({"bench", "05", "--sweep", "block", "--on", "gpu", "--json"}, settings);
  CHECK(json.code == 3);
  REQUIRE(json.json().at("exercises").size() == 2);
  CHECK(json.json().at("exercises")[1].at("exercise") == "interleaved");
  CHECK(json.json().at("exercises")[1].at("verdict") == "unavailable");
}

TEST_CASE("records that cannot be kept are told once, and the result stands") {
  if (!can_simulate_solutions()) return;
  const LabResult result =
      lab({"bench", "--on", "sim", "--length", "1000"}, {"WORKBOOK_RECORDS=/proc/no/records.jsonl"});
  CHECK(result.code == 0);
  CHECK(result.err ==
        "lab: this is not recorded: cannot write /proc/no/records.jsonl: No such file or directory\n");
}

TEST_CASE("records of another shape are counted, and are no end of the program") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "records.jsonl",
      "{\"schema\":1,\"kind\":5,\"time\":[]}\n{\"schema\":1,\"kind\":\"run\",\"time\":\"now\"}\n");
  const LabResult result = lab({"records", "--file", file});
  CHECK(result.code == 0);
  CHECK(result.out ==
        "2 records in " + file +
            "\n  ?             1\n  run           1\nfrom ? to now\nas a table: lab records --csv\n");
}

TEST_CASE("a file of records that is named has to be there, and to be a file") {
  const TemporaryFolder folder;
  const std::string gone = folder.path() + "/gone.jsonl";
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"records", "--file"}, {"report", "--records"}}) {
    const auto of = [&](const std::string& file) { return lab({words[0], words[1], file}); };
    CHECK(of(gone).code == 3);
    CHECK(of(gone).err == "lab: cannot read " + gone + ": there is no such file\n");
    CHECK(of(folder.path()).code == 3);
    CHECK(of(folder.path()).err == "lab: cannot read " + folder.path() + ": Is a directory\n");
  }
}
