// SPDX-License-Identifier: MIT
// The files of GPUs that the timing model knows.
#include "model/device.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "facts/errors.hpp"
#include "os/files.hpp"
#include "workbook/workbook.hpp"

namespace {

std::string shipped() { return workbook::here().source_root + "/common/model/devices"; }

std::string what_is_thrown(const std::string& folder, const std::string& id) {
  try {
    model::read_device(folder, id);
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("every shipped GPU can be read, and only the H200 was measured") {
  const std::vector<std::string> ids = model::device_ids(shipped());
  CHECK(ids == std::vector<std::string>{"a100", "h200", "rtx4060-laptop", "rtx4090", "t4"});
  for (const std::string& id : ids) {
    CAPTURE(id);
    const model::Device device = model::read_device(shipped(), id);
    CHECK(device.id == id);
    CHECK(device.calibrated == (id == "h200"));
    CHECK(device.clock_mhz > 1000);
    CHECK(std::ranges::is_sorted(device.slices_of_lines));
  }
  CHECK(model::read_device(shipped(), "h200").multiprocessors == 132);
}

TEST_CASE("an unknown GPU names the known ones") {
  CHECK_THROWS_AS(model::read_device(shipped(), "h2000"), facts::UsageError);
  CHECK(what_is_thrown(shipped(), "h2000") ==
        "no GPU \"h2000\" is known; those that are: a100, h200, rtx4060-laptop, rtx4090, t4");
}

TEST_CASE("a file that lacks a number or its source says which") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "model-device-test";
  std::filesystem::create_directories(folder);
  std::string text = os::read_file(shipped() + "/h200.json").value();
  const std::string key = "\"turn_cycles\"";
  text.replace(text.find(key), key.size(), "\"turns\"");
  std::ofstream(folder / "lacking.json") << text;
  CHECK(what_is_thrown(folder.string(), "lacking") ==
        (folder / "lacking.json").string() + ": \"turn_cycles\": it is missing");
  std::ofstream(folder / "unsourced.json")
      << R"({"name": "x", "calibrated": false, "capability": {"value": 9.0}})";
  CHECK(what_is_thrown(folder.string(), "unsourced").find("unsourced.json: \"capability\": ") !=
        std::string::npos);
  std::filesystem::remove_all(folder);
}
