// SPDX-License-Identifier: MIT
#include "lab.hpp"

namespace {

using Json = nlohmann::ordered_json;

const std::string estimate_keys =
    "lab exercise gpu verdict message binning input length launch ms low high bound_by sampling_error "
    "registers instructions_from calibrated";

LabResult estimate(const std::vector<std::string>& more) {
  std::vector<std::string> words{"estimate"};
  words.insert(words.end(), more.begin(), more.end());
  return lab(words);
}

}  // namespace

TEST_CASE("an estimate is one JSON document, of a launch over 1 GiB on an H200") {
  if (!can_simulate_solutions()) return;
  const LabResult result = estimate({"04", "--solution", "--input", "bytes", "--binning", "bytes", "--json"});
  CHECK(result.code == 0);
  const Json json = result.json();
  CHECK(keys_of(json) == estimate_keys);
  CHECK(json.at("lab") == "04_shared_memory");
  CHECK(json.at("gpu") == "h200");
  CHECK(json.at("verdict") == "pass");
  CHECK(json.at("message") == "");
  CHECK(json.at("length") == std::uint64_t{1} << 30);
  CHECK(json.at("launch") == Json{{"grid", 1 << 20}, {"block", 1024}});
  CHECK(json.at("calibrated") == true);
  CHECK(json.at("low") < json.at("ms"));
  CHECK(json.at("high") > json.at("ms"));
  // nearly all of the launch's blocks are alike
  CHECK(json.at("sampling_error") >= 0);
  CHECK(json.at("sampling_error") < 0.05);
  if (workbook::here().has_gpu) {
    CHECK(json.at("registers") > 0);
    CHECK(json.at("registers") <= 64);
    CHECK(json.at("instructions_from") == "machine code");
  } else {
    CHECK(json.at("registers").is_null());
    CHECK(json.at("instructions_from") == "table");
  }
  // a commit of 256 counters for 1,024 bytes
  CHECK(json.at("bound_by").at(0).at("what") == "atomics");
  for (const Json& share : json.at("bound_by")) {
    CHECK(share.at("share") >= 0);
    CHECK(share.at("share") <= 1);
  }
  // the same question has the same answer
  CHECK(estimate({"04", "--solution", "--input", "bytes", "--binning", "bytes", "--json"}).out == result.out);
}

TEST_CASE("several exercises are estimated in one document") {
  if (!can_simulate_solutions()) return;
  const Json json = estimate({"05", "--solution", "--length", "4M", "--json"}).json();
  CHECK(keys_of(json) == "exercises");
  REQUIRE(json.at("exercises").size() == 2);
  for (const Json& one : json.at("exercises")) CHECK(keys_of(one) == estimate_keys);
}

TEST_CASE("the launch shape is told of the GPU that is asked about") {
  if (!can_simulate_solutions()) return;
  // eight times as many blocks of 256 threads as fit: 132 x 2048, 40 x 1024 threads
  const auto grid_on = [](const char* gpu) {
    return estimate({"05/interleaved", "--solution", "--gpu", gpu, "--json"}).json().at("launch").at("grid");
  };
  CHECK(grid_on("h200") == 8 * 132 * 8);
  CHECK(grid_on("t4") == 8 * 40 * 4);
  const Json json =
      estimate({"05/interleaved", "--solution", "--gpu", "t4", "--block", "128", "--grid", "40", "--json"})
          .json();
  CHECK(json.at("launch") == Json{{"grid", 40}, {"block", 128}});
  CHECK(json.at("calibrated") == false);
}

TEST_CASE("where there is no estimate the document says why") {
  if (!can_simulate_solutions()) return;
  const auto withheld = [](const std::vector<std::string>& words, const char* verdict,
                           const std::string& reason) {
    const LabResult result = estimate(words);
    CAPTURE(result.out);
    CHECK(result.code == 1);
    const Json json = result.json();
    CHECK(keys_of(json) == estimate_keys);
    CHECK(json.at("verdict") == verdict);
    CHECK(json.at("message").get<std::string>().find(reason) != std::string::npos);
    for (const char* key : {"ms", "low", "high"}) CHECK(json.at(key).is_null());
    CHECK(json.at("bound_by").empty());
  };
  withheld({"01", "--solution", "--json"}, "pass", "lab 01 launches no kernel");
  withheld({"02/histogram-cas", "--solution", "--length", "64K", "--json"}, "pass",
           "compare-and-swap (atomicCAS) in global memory");
}

TEST_CASE("an estimate is asked of a GPU that is known, over an input with a length") {
  const LabResult unknown = estimate({"04", "--solution", "--gpu", "h2000"});
  CHECK(unknown.code == 2);
  CHECK(unknown.err.find(
            "no GPU \"h2000\" is known; those that are: a100, h200, rtx4060-laptop, rtx4090, t4") !=
        std::string::npos);
  CHECK(estimate({"04", "--solution", "--length", "0"}).code == 2);
  CHECK(estimate({"04", "--solution", "--block", "2000"}).code == 2);
  CHECK(estimate({"04", "--solution", "--input", "no such file"}).code == 2);
}
