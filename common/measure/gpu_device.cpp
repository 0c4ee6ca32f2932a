// SPDX-License-Identifier: MIT
#include "measure/gpu_device.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "build/runner.hpp"
#include "os/command.hpp"
#include "simulator/model_device.hpp"

namespace measure {

namespace {

GpuDevice ask(const workbook::Workbook& workbook) {
  GpuDevice device;
  const std::string probe = workbook.build_root + "/common/runner/gpu/lab-gpu-probe";
  if (!workbook.has_gpu) {
    device.why_not = "this build has no runners for a GPU";
    return device;
  }
  // It is there if all has been built, and not if only `lab` has.
  if (access(probe.c_str(), X_OK) != 0 && build::update(workbook, {probe}).code != 0) {
    device.why_not = probe + " cannot be built";
    return device;
  }
  const os::CommandResult answer = os::run_command({probe});
  std::istringstream lines(answer.output);
  if (answer.code != 0) {
    std::getline(lines, device.why_not);
    return device;
  }
  device.works = true;
  for (std::string key, value; lines >> key && std::getline(lines >> std::ws, value);)
    device.properties[key] = value;
  return device;
}

}  // namespace

double highest_clock_mhz(const GpuDevice& device) {
  const auto clock = device.properties.find("clock_mhz");
  return clock == device.properties.end() ? 0 : std::strtod(clock->second.c_str(), nullptr);
}

bool counters_are_kept() {
  if (geteuid() == 0) return false;
  std::ifstream parameters("/proc/driver/nvidia/params");
  for (std::string line; std::getline(parameters, line);) {
    if (line == "RmProfilingAdminOnly: 1") return true;
  }
  return false;
}

const GpuDevice& gpu_device(const workbook::Workbook& workbook) {
  static const GpuDevice device = ask(workbook);
  return device;
}

unsigned multiprocessors(const workbook::Workbook& workbook, facts::Backend backend) {
  if (traits_of(backend).simulated) return simulator::ModelDevice::multiprocessors;
  const auto& properties = gpu_device(workbook).properties;
  const auto found = properties.find("multiprocessors");
  return found == properties.end() ? 1 : static_cast<unsigned>(std::stoul(found->second));
}

}  // namespace measure
