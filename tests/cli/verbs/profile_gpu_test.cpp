// SPDX-License-Identifier: MIT
// What `lab profile` shows of a GPU, from counts that are given; and what it says where there is no GPU.
#include <nlohmann/json.hpp>

#include "cli/verbs/profile.hpp"
#include "lab.hpp"
#include "measure/gpu_device.hpp"

namespace {

const std::vector<cli::Counted> three_columns{
    {"measured",
     {{"warps", 32768}, {"barriers", 65536}, {"shared_atomic_requests", 32768}, {"global_store_requests", 0}},
     {{"occupancy", 77.51}, {"dram_bytes", 1052416}}},
    {"simulated", {{"warps", 32768}, {"barriers", 65536}, {"shared_atomics", 700000}}, {}},
    {"03", {{"warps", 32768}, {"shared_atomic_requests", 0}}, {{"occupancy", 80}}}};

cli::Profile profile_of_04() {
  return {.record = {.exercise = workbook::here().find("04").front(),
                     .backend = facts::Backend::gpu,
                     .variant = "letters4",
                     .input = "text",
                     .length = 1048576,
                     .launch = {1024, 1024},
                     .counters = {{"warps", 32768}},
                     .figures = {{"occupancy", 77.51}}},
          .tree = workbook::Tree::student,
          .file = "/b/profiles/04.ncu-rep"};
}

}  // namespace

TEST_CASE(
    "counters and figures stand in columns; what is 0 everywhere is left out, what is not known is blank") {
  CHECK(cli::counted_table(three_columns, {}) ==
        "                              measured     simulated            03\n"
        "warps                           32,768        32,768        32,768  warps of the grid\n"
        "barriers                        65,536        65,536                times that a warp waited at a "
        "barrier of its block\n"
        "shared_atomic_requests          32,768                           0  instructions of a warp that "
        "changed shared memory atomically\n"
        "shared_atomics                               700,000                the same counted by lanes\n"
        "\n"
        "dram_bytes                 1,052,416 B                              read from and written to device "
        "memory\n"
        "occupancy                       77.5 %                      80.0 %  warps at work, of those that a "
        "multiprocessor has room for\n");
}

TEST_CASE("on a narrow terminal a meaning stands below its row") {
  const std::string table = cli::counted_table(three_columns, {.live = true, .columns = 90});
  CHECK(table.find(
            "\nwarps                           32,768        32,768        32,768  warps of the grid\n") !=
        std::string::npos);
  CHECK(table.find("\nbarriers                        65,536        65,536\n    times that a warp waited at "
                   "a barrier of its block\n") != std::string::npos);
}

TEST_CASE("figures have units that fit them") {
  CHECK(cli::figure_text(5568, "ns") == "5.568 us");
  CHECK(cli::figure_text(194137817, "ns") == "194.1 ms");
  CHECK(cli::figure_text(1052416, "byte") == "1,052,416 B");
  CHECK(cli::figure_text(189011494252.87, "byte/s") == "189 GB/s");
  CHECK(cli::figure_text(3.95, "%") == "4.0 %");
  CHECK(cli::figure_text(17.19, "") == "17.19");
  CHECK(cli::figure_text(1371124, "") == "1,371,124");
}

TEST_CASE("the document of a profile on a GPU has every key of one on the simulator, and its own") {
  cli::Profile profile = profile_of_04();
  const std::string keys =
      "lab exercise backend verdict message binning input length launch counters derived file lines "
      "elsewhere before figures simulated report recorded";
  auto document = nlohmann::ordered_json::parse(profile_json(workbook::here(), profile));
  CHECK(keys_of(document) == keys);
  CHECK(document.at("backend") == "gpu");
  CHECK(document.at("launch") == nlohmann::ordered_json({{"grid", 1024}, {"block", 1024}}));
  CHECK(document.at("counters").dump() == R"({"warps":32768})");
  CHECK(document.at("figures").dump() == R"({"occupancy":77.51})");
  CHECK(document.at("report") == "/b/profiles/04.ncu-rep");
  for (const char* const key : {"before", "simulated", "recorded"}) CHECK(document.at(key).is_null());
  CHECK(document.at("derived").empty());
  profile.record.simulated = {{"warps", 7}, {"thread_steps", 96}, {"warp_steps", 4}};
  profile.exercise_before = workbook::here().find("03").front();
  profile.before = three_columns.back();
  measure::Record recorded_once{.machine = {.gpu = {{"name", "NVIDIA H200"}}},
                                .time = "2026",
                                .seed = 1,
                                .exercise = {.problem = "histogram"},
                                .variant = "letters4",
                                .input = "text",
                                .length = 5,
                                .launch = {2, 3},
                                .counters = {{"warps", 8}},
                                .figures = {{"occupancy", 1}}};
  profile.recorded = measure::RecordedProfile{std::move(recorded_once),
                                              workbook::here().source_root + "/docs/records/h200.jsonl"};
  document = nlohmann::ordered_json::parse(profile_json(workbook::here(), profile));
  CHECK(keys_of(document) == keys);
  CHECK(document.at("simulated").dump() == R"({"thread_steps":96,"warp_steps":4,"warps":7})");
  CHECK(document.at("derived").dump() == R"({"lane_efficiency":24.0})");
  CHECK(
      document.at("before").dump() ==
      R"({"lab":"03_privatization","exercise":"histogram","counters":{"shared_atomic_requests":0,"warps":32768},"derived":{},"figures":{"occupancy":80.0}})");
  CHECK(
      document.at("recorded").dump() ==
      R"({"gpu":"NVIDIA H200","time":"2026","file":"docs/records/h200.jsonl","binning":"letters4","input":"text","length":5,"seed":1,)"
      R"("launch":{"grid":2,"block":3},"counters":{"warps":8},"figures":{"occupancy":1.0}})");
}

TEST_CASE("without a GPU the reason is said, and what comes next: code 3") {
  if (measure::gpu_device(workbook::here()).works) return;
  const LabResult text = lab({"profile", "02", "--on", "gpu", "--length", "1000"});
  CHECK(text.code == 3);
  CHECK(
      text.out.starts_with("02_global_atomics histogram on gpu: 1,000 bytes of text, binning "
                           "letters4\nunavailable: the backend gpu "));
  CHECK(text.out.find("\n  next: lab doctor, or on the simulator: lab profile 02 --on sim\n") !=
        std::string::npos);
  const LabResult document = lab({"profile", "02", "--on", "gpu", "--length", "1000", "--json"});
  CHECK(document.code == 3);
  CHECK(document.json().at("verdict") == "unavailable");
  CHECK(document.json().at("counters").empty());
}

TEST_CASE(
    "what was recorded elsewhere is marked with its machine, and stands beside the simulator's figures" *
    doctest::test_suite("long")) {
  const workbook::Workbook& workbook = workbook::here();
  const auto recorded = measure::find_recorded_profile(
      workbook.source_root + "/docs/records", workbook.find("04").front(),
      {.seed = 1, .variant = "letters4", .input = "letters", .length = 4194304});
  if (measure::gpu_device(workbook).works || !recorded || !can_simulate_solutions()) {
    MESSAGE("left out: a GPU works here, or no profile of lab 04 is recorded");
    return;
  }
  const LabResult text = lab({"profile", "04", "--solution", "--on", "gpu", "--input", recorded->record.input,
                              "--length", std::to_string(recorded->record.length)});
  CHECK(text.code == 3);
  CHECK(text.out.find("\nthe solution, recorded on an " + recorded->record.machine.gpu.at("name") + ", ") !=
        std::string::npos);
  CHECK(text.out.find(" recorded     simulated") != std::string::npos);
  CHECK(text.out.find("\noccupancy ") != std::string::npos);
  CHECK(text.out.find("measured") == std::string::npos);
}

TEST_CASE("an input that cannot be counted in one launch is refused: code 2") {
  CHECK(lab({"profile", "02", "--on", "gpu", "--length", "0"}).err ==
        "lab: an input of 0 bytes is not launched, so there is nothing to count\n");
  const LabResult result = lab({"profile", "02", "--on", "gpu", "--length", "2G"});
  CHECK(result.code == 2);
  CHECK(result.err ==
        "lab: an input of 2147483648 bytes: lab profile counts one launch, over up to 1073741824 bytes\n");
}
