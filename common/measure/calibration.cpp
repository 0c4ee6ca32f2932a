// SPDX-License-Identifier: MIT
#include "measure/calibration.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "build/runner.hpp"
#include "facts/errors.hpp"
#include "judge/check.hpp"
#include "measure/gpu_device.hpp"
#include "os/command.hpp"

namespace measure {

std::vector<nlohmann::ordered_json> calibration_in(const std::string& text, const std::string& file) {
  std::vector<nlohmann::ordered_json> lines;
  std::istringstream stream(text);
  std::size_t number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.empty()) continue;
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(line, nullptr, false);
    if (!json.is_object() || json.value("kind", "") != "calibration")
      throw facts::MachineError(
          fmt::format("{}, line {}: this is no measurement of a calibration: {}", file, number, line));
    lines.push_back(std::move(json));
  }
  if (lines.empty()) throw facts::MachineError(fmt::format("{}: there are no measurements in it", file));
  return lines;
}

std::vector<nlohmann::ordered_json> measured_calibration(const workbook::Workbook& workbook) {
  if (const auto missing = judge::missing_backend(workbook, facts::accelerator))
    throw facts::MachineError("a GPU is measured by a program that nvcc compiles: " + missing->message);
  if (const GpuDevice& gpu = gpu_device(workbook); !gpu.works)
    throw facts::MachineError("there is no GPU to measure: " + gpu.why_not);
  const std::string program = workbook.build_root + "/common/model/calibrate/calibrate";
  if (const os::CommandResult built = build::update(workbook, {program}); built.code != 0)
    throw facts::MachineError("the program that measures cannot be built:\n" + built.output);
  const os::CommandResult run = os::run_command({program});
  if (run.code != 0)
    throw facts::MachineError(
        fmt::format("{} ended with code {}:\n{}", workbook.shortened(program), run.code, run.output));
  return calibration_in(run.output, program);
}

}  // namespace measure
