// SPDX-License-Identifier: MIT
#include "cli/known_devices.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "cli/command_line.hpp"
#include "cli/speech.hpp"
#include "facts/errors.hpp"
#include "measure/gpu_device.hpp"
#include "os/files.hpp"
#include "workbook/workbook.hpp"

namespace cli {

namespace {

std::string devices_folder() { return workbook::here().source_root + "/common/model/devices"; }

// What was measured here stands before what came with the workbook. Throws facts::UsageError with the names
// of those that are known.
std::string folder_of_device(const std::string& id) {
  const std::vector<std::string> known = names_of_devices();
  if (std::ranges::count(known, id) == 0)
    throw facts::UsageError(fmt::format("no GPU \"{}\" is known; those that are: {}", id, join(known)));
  std::error_code none;
  return std::filesystem::exists(own_devices_folder() + "/" + id + ".json", none) ? own_devices_folder()
                                                                                  : devices_folder();
}

std::vector<model::Device> all_devices() {
  std::vector<model::Device> devices;
  for (const std::string& id : names_of_devices()) devices.push_back(find_device(id));
  return devices;
}

}  // namespace

std::string own_devices_folder() { return workbook::here().state_file("devices"); }

std::vector<std::string> names_of_devices() {
  std::vector<std::string> names = model::device_ids(devices_folder());
  std::error_code none;
  if (std::filesystem::is_directory(own_devices_folder(), none)) {
    for (std::string& name : model::device_ids(own_devices_folder())) names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

// A file that an older workbook has made may lack numbers that the model needs by now.
model::Device find_device(const std::string& id) {
  const std::string folder = folder_of_device(id);
  try {
    return model::read_device(folder, id);
  } catch (const std::runtime_error& error) {
    if (folder != own_devices_folder()) throw;
    throw facts::MachineError(fmt::format(
        "{}\nan older workbook has made this file, or it was changed; where that GPU is, run again: {}",
        error.what(), lab_command("calibrate --gpu " + id)));
  }
}

nlohmann::ordered_json device_json(const std::string& id) {
  return nlohmann::ordered_json::parse(os::read_file(folder_of_device(id) + "/" + id + ".json").value_or(""));
}

std::optional<model::Device> device_of_gpu(const std::string& name) {
  const std::vector<model::Device> devices = all_devices();
  // Of the same GPU a file that was calibrated on it says more than one from data sheets.
  const model::Device* best = nullptr;
  for (const model::Device& device : devices) {
    if (device.name == name && (!best || (device.calibrated && !best->calibrated))) best = &device;
  }
  return best ? std::optional(*best) : std::nullopt;
}

std::optional<model::Device> shown_device() {
  const workbook::Workbook& workbook = workbook::here();
  if (!workbook.has_simulator) return std::nullopt;
  const char* const chosen = std::getenv("WORKBOOK_ESTIMATE");
  if (chosen && std::string_view(chosen) == "none") return std::nullopt;
  const measure::GpuDevice& gpu = measure::gpu_device(workbook);
  if (!gpu.works) return find_device(chosen && *chosen ? chosen : usual_device);
  const auto name = gpu.properties.find("name");
  return name == gpu.properties.end() ? std::nullopt : device_of_gpu(name->second);
}

}  // namespace cli
