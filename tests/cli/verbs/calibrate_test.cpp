// SPDX-License-Identifier: MIT
#include <cmath>

#include "lab.hpp"
#include "support/contains.hpp"
#include "temporary_folder.hpp"

namespace {

using Json = nlohmann::ordered_json;

const std::string records = workbook::here().source_root + "/docs/records/calibration/";
const std::string recorded = records + "h200.jsonl";  // without the parts that later workbooks measure

// All parts, which were measured one after the other; of what was measured twice, the last counts.
std::string all_parts() {
  return text_of(records + "h200-copies.jsonl") + text_of(records + "h200-exchanges.jsonl") +
         text_of(records + "h200-constants.jsonl") + text_of(records + "h200-cas-loops.jsonl") +
         text_of(records + "h200-switches.jsonl") + text_of(records + "h200-pipes.jsonl") + text_of(recorded);
}

Json file_of(const std::string& path) { return Json::parse(text_of(path)); }

}  // namespace

TEST_CASE("without a GPU nothing is measured, and the message says what is missing") {
  const TemporaryFolder folder;
  const LabResult result = lab({"calibrate"}, {"WORKBOOK_STATE=" + folder.path(), "CUDA_VISIBLE_DEVICES=-1"});
  CHECK(result.code == 3);
  CHECK(contains(result.err, workbook::here().has_gpu
                                 ? "there is no GPU to measure: "
                                 : "a GPU is measured by a program that nvcc compiles: "));
  CHECK(lab({"estimate", "04", "--gpu", "mine"}, {"WORKBOOK_STATE=" + folder.path()}).code == 2);
}

TEST_CASE("from what was measured on an H200 the H200's file comes out again") {
  const TemporaryFolder folder;
  const std::vector<std::string> settings{"WORKBOOK_STATE=" + folder.path()};
  folder.write("all.jsonl", all_parts());
  const LabResult result =
      lab({"calibrate", "--from", folder.path() + "/all.jsonl", "--capability", "9.0", "--gpu", "mine"},
          settings);
  CAPTURE(result.err);
  REQUIRE(result.code == 0);
  CHECK(contains(result.out, "NVIDIA H200, from "));
  const Json made = file_of(folder.path() + "/devices/mine.json"),
             shipped = file_of(workbook::here().source_root + "/common/model/devices/h200.json");
  CHECK(keys_of(made) == keys_of(shipped));
  CHECK(made.at("calibrated") == true);
  // Nothing is taken over but what calibrate.cu does not measure.
  std::vector<std::string> taken_over;
  for (const auto& [key, entry] : made.items()) {
    if (entry.is_object() && contains(entry.at("source").get<std::string>(), "taken over"))
      taken_over.push_back(key);
  }
  CHECK(taken_over == std::vector<std::string>{"branch_cycles", "special_register_cycles", "issue_cycles",
                                               "block_end_cycles", "launch_us"});
  for (const auto& [name, entry] : shipped.items()) {
    const std::string& key = name;
    CAPTURE(key);
    if (!entry.is_object() || key == "error") continue;
    const Json& value = made.at(key).at("value");
    if (value.is_array()) {
      REQUIRE(value.size() == entry.at("value").size());
      for (std::size_t i = 0; i < value.size(); ++i)
        CHECK(value[i][1].get<double>() ==
              doctest::Approx(entry.at("value")[i][1].get<double>()).epsilon(0.02));
    } else {
      // Some of the shipped ones were rounded by hand.
      CHECK(value.get<double>() == doctest::Approx(entry.at("value").get<double>()).epsilon(0.06));
    }
  }
  // It is found by its name, and counts as measured.
  if (!can_simulate_solutions()) return;
  const LabResult estimate =
      lab({"estimate", "04", "--solution", "--gpu", "mine", "--length", "1M", "--json"}, settings);
  CHECK(estimate.code == 0);
  CHECK(estimate.json().at("gpu") == "mine");
  CHECK(estimate.json().at("calibrated") == true);
  CHECK(contains(lab({"estimate", "04", "--gpu", "yours"}, settings).err,
                 "those that are: a100, h200, mine, rtx4060-laptop, rtx4090, t4"));
}

TEST_CASE("a whole calibration of a GPU leaves five numbers to be taken over, and the file can be read") {
  const TemporaryFolder folder;
  folder.write("all.jsonl",
               text_of(records + "h200-third.jsonl") + text_of(records + "h200-constants.jsonl") +
                   text_of(records + "h200-cas-loops.jsonl") + text_of(records + "h200-switches.jsonl") +
                   text_of(records + "h200-pipes.jsonl"));
  const LabResult result =
      lab({"calibrate", "--from", folder.path() + "/all.jsonl", "--capability", "9.0", "--gpu", "mine"},
          {"WORKBOOK_STATE=" + folder.path()});
  CHECK(result.code == 0);
  CHECK(contains(result.out,
                 "\n5 numbers are not measured but taken over from an H200; the file says which\n"));
}

TEST_CASE("a calibration that is none, or lacks a measurement, makes no file") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::vector<std::string>& more, int code, const std::string& reason) {
    std::vector<std::string> words{"calibrate"};
    words.insert(words.end(), more.begin(), more.end());
    const LabResult result = lab(words, {"WORKBOOK_STATE=" + folder.path() + "/state"});
    CAPTURE(result.err);
    CHECK(result.code == code);
    CHECK(contains(result.err, reason));
  };
  folder.write("damaged.jsonl", "{\"kind\":\"calibration\"}\nnot JSON\n");
  folder.write("empty.jsonl", "\n");
  folder.write(
      "short.jsonl",
      "{\"kind\":\"calibration\",\"gpu\":\"NVIDIA L4\",\"multiprocessors\":58,\"clock_mhz\":2040,\"what\":"
      "\"latency\",\"l1_cycles\":33}\n");
  const std::string at = folder.path() + "/";
  refused({"--from", at + "missing.jsonl", "--capability", "9.0"}, 3, "cannot read ");
  refused({"--from", at + "damaged.jsonl", "--capability", "9.0"}, 3,
          "damaged.jsonl, line 2: this is no measurement of a calibration: not JSON");
  refused({"--from", at + "empty.jsonl", "--capability", "9.0"}, 3, "there are no measurements in it");
  refused({"--from", at + "short.jsonl", "--capability", "8.9"}, 3,
          "the calibration lacks \"cycles\" of \"issue\"");
  // of a workbook that did not measure operations of a warp
  refused({"--from", recorded, "--capability", "9.0"}, 3, "; measure again, as this workbook does it");
  refused({"--from", recorded}, 2, "add --capability");
  refused({"--from", recorded, "--capability", "new"}, 3, "\"new\" is no compute capability");
  refused({"--from", recorded, "--capability", "6.1"}, 3,
          "compute capability 6.1 is older than the model knows");
  refused({"--from", recorded, "--capability", "9.0", "--gpu", "../h200"}, 2,
          "a name has small letters, digits and hyphens");
  CHECK_FALSE(std::filesystem::exists(folder.path() + "/state/devices/l4.json"));
}

TEST_CASE("a GPU's file from an older workbook, which lacks a number, is refused and says what to do") {
  const TemporaryFolder folder;
  Json device = file_of(workbook::here().source_root + "/common/model/devices/h200.json");
  device.erase("match_latency_of_value");
  std::filesystem::create_directories(folder.path() + "/devices");
  folder.write("devices/mine.json", device.dump());
  const LabResult result = lab({"estimate", "04", "--gpu", "mine"}, {"WORKBOOK_STATE=" + folder.path()});
  CHECK(result.code == 3);
  CHECK(contains(result.err, "mine.json: \"match_latency_of_value\": it is missing"));
  CHECK(contains(result.err, "where that GPU is, run again: "));
  CHECK(contains(result.err, "calibrate --gpu mine"));
}
