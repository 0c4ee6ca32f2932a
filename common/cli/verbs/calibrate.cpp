// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/command_line.hpp"
#include "cli/estimated.hpp"
#include "cli/known_devices.hpp"
#include "cli/speech.hpp"
#include "facts/errors.hpp"
#include "facts/words.hpp"
#include "measure/calibration.hpp"
#include "measure/gpu_device.hpp"
#include "model/calibration.hpp"
#include "os/files.hpp"
#include "report/terminal/screen.hpp"

namespace cli {

namespace {

struct CalibrateOptions {
  std::string from, gpu, capability;
};

std::vector<nlohmann::ordered_json> lines_of(const CalibrateOptions& options) {
  if (options.from.empty()) {
    report::ProgressBar bar("lab calibrate");
    bar.update("measuring the GPU");
    return measure::measured_calibration(workbook::here());
  }
  const auto text = os::read_file(options.from);
  if (!text) throw facts::MachineError(fmt::format("cannot read {}", options.from));
  return measure::calibration_in(*text, options.from);
}

std::string capability_of(const CalibrateOptions& options) {
  if (!options.capability.empty()) return options.capability;
  const measure::GpuDevice& gpu = measure::gpu_device(workbook::here());
  if (const auto known = gpu.properties.find("compute_capability");
      options.from.empty() && known != gpu.properties.end())
    return known->second;
  throw facts::UsageError(
      "--from: a recorded calibration does not say the GPU's compute capability; add --capability, such as "
      "--capability 9.0");
}

bool is_file_name(const std::string& id) {
  return !id.empty() && id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
}

int calibrate(const CalibrateOptions& options) {
  if (!options.gpu.empty() && !is_file_name(options.gpu))
    throw facts::UsageError(
        fmt::format("--gpu {}: a name has small letters, digits and hyphens", options.gpu));
  if (!options.from.empty()) capability_of(options);  // complains before anything is read
  const std::vector<nlohmann::ordered_json> lines = lines_of(options);
  nlohmann::ordered_json device;
  try {
    device = model::device_file(lines, capability_of(options), device_json(usual_device));
  } catch (const std::exception& error) {
    throw facts::MachineError(fmt::format("no file of this GPU can be made: {}", error.what()));
  }
  const auto name = device.at("name").get<std::string>();
  const std::string id = options.gpu.empty() ? model::id_of_gpu(name) : options.gpu,
                    folder = own_devices_folder(), file = folder + "/" + id + ".json";
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  os::write_file(file, device.dump(2) + "\n");
  find_device(id);  // which it has to be able to read
  const std::size_t taken_over =
      static_cast<std::size_t>(std::ranges::count_if(device, [](const auto& entry) {
        return entry.is_object() && entry.at("source").template get<std::string>().starts_with("taken over");
      }));
  say("{}, from {} measurements: {}\n", name, facts::separated(lines.size()),
      workbook::here().shortened(file));
  say("{} numbers are not measured but taken over from an H200; the file says which\n", taken_over);
  say("next: {}\n",
      lab_command(fmt::format("estimate {} --gpu {}", example_exercise().short_name(true), id)));
  return ExitCode::fine;
}

}  // namespace

void add_calibrate(CommandLine& line) {
  auto [verb, options] = line.add<CalibrateOptions>(
      "calibrate", "measures the GPU at hand, so that estimates can be made of it", calibrate);
  verb.add_option("--gpu", options.gpu,
                  "its name for `lab estimate --gpu`; without it, from what the GPU calls itself");
  verb.add_option("--from", options.from, "a calibration that was recorded elsewhere, instead of measuring");
  verb.add_option("--capability", options.capability,
                  "with --from: the GPU's compute capability, such as 9.0");
}

}  // namespace cli
