// SPDX-License-Identifier: MIT
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "cli/command_line.hpp"
#include "cli/speech.hpp"
#include "cli/verbs/verbs.hpp"
#include "measure/gpu_device.hpp"
#include "report/terminal/terminal.hpp"
#include "workbook_config.hpp"

namespace cli {

namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

bool can_be_run(const std::string& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
}

// /opt/nvidia/nsight-compute/2025.3.1 and its neighbours, the newest first.
std::vector<std::string> nsight_compute_folders() {
  std::error_code ignored;
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator("/opt/nvidia/nsight-compute", ignored))
    folders.push_back(entry.path());
  std::sort(folders.rbegin(), folders.rend());
  return folders;
}

struct DoctorOptions {};

class Examination {
 public:
  void finding(bool good, std::string_view what, std::string_view detail,
               std::string_view remedy = {}) const {
    const std::string mark =
        good ? terminal_.paint(report::Colour::green, "yes") : terminal_.paint(report::Colour::yellow, "no ");
    say("{}  {:<18} {}\n", mark, what, detail);
    if (!good && !remedy.empty()) say("     {:<18} {}\n", "", remedy);
  }

  void tool(const std::string& name, std::string_view purpose, std::string_view remedy) const {
    const std::string found = find_tool(name);
    finding(!found.empty(), name, found.empty() ? fmt::format("not found; {}", purpose) : found, remedy);
  }

 private:
  report::Terminal terminal_ = report::Terminal::of_output();
};

// How to get a backend that the build lacks: change the option that leaves it out, or install something.
std::string remedy_of(std::string_view missing, const std::string& option, const std::string& install) {
  const std::string& build = workbook::here().build_root;
  if (missing.rfind("disabled by", 0) == 0)
    return fmt::format("meson configure {} -D{}=auto, then: ninja -C {}", build, option, build);
  return fmt::format("{}, then: meson setup --reconfigure {}", install, build);
}

int doctor(const DoctorOptions&) {
  const workbook::Workbook& workbook = workbook::here();
  const Examination examination;
  examination.finding(true, "compiler", WORKBOOK_CXX);
  examination.finding(true, "Meson", WORKBOOK_MESON);
  examination.finding(workbook.has_simulator, "simulator",
                      workbook.has_simulator ? "built" : WORKBOOK_SIMULATOR_MISSING,
                      remedy_of(WORKBOOK_SIMULATOR_MISSING, "simulator", "use a Linux on x86-64 or AArch64"));
  examination.finding(
      workbook.has_gpu, "nvcc",
      workbook.has_gpu ? fmt::format("{}, for {}", WORKBOOK_NVCC, WORKBOOK_GPU_CODES) : WORKBOOK_GPU_MISSING,
      remedy_of(WORKBOOK_GPU_MISSING, "gpu",
                "the labs run on the simulator without it; for a GPU install the CUDA Toolkit"));
  const measure::GpuDevice& gpu = measure::gpu_device(workbook);
  if (gpu.works) {
    const auto& is = gpu.properties;
    examination.finding(
        true, "GPU",
        fmt::format("{}, compute capability {}, {} multiprocessors, {} MiB; driver for CUDA {}, runtime {}",
                    is.at("name"), is.at("compute_capability"), is.at("multiprocessors"), is.at("memory_mib"),
                    is.at("driver_cuda"), is.at("runtime_cuda")));
  } else {
    examination.finding(false, "GPU", "there is none that can be used: " + gpu.why_not,
                        workbook.has_gpu
                            ? "the labs run on the simulator without one; an NVIDIA GPU needs a driver that "
                              "matches the toolkit: nvidia-smi shows what is installed"
                            : "");
  }
  examination.tool("ncu", "counters of a GPU cannot be read", "part of the CUDA Toolkit (Nsight Compute)");
  if (gpu.works) {
    const bool kept = measure::counters_are_kept();
    examination.finding(!kept, "counters",
                        kept ? "the driver lets only administrators read them" : "open to you",
                        "docs/profiling.md tells how an administrator opens them to all");
  }
  examination.tool("compute-sanitizer", "memory and races cannot be checked on a GPU",
                   "part of the CUDA Toolkit");
  examination.tool("addr2line", "reports name no source lines", "sudo apt-get install binutils");
  examination.tool("gnuplot", "lab report draws no plots", "sudo apt-get install gnuplot-nox");
  const std::vector<facts::Backend> present = present_backends();
  if (present.empty()) {
    say("\nOnly {} can run here: neither the simulator nor a GPU is at hand.\n",
        labs_where([](const workbook::ExerciseInfo& exercise) { return !exercise.launched; }));
    return ExitCode::machine;
  }
  std::vector<std::string> names;
  for (const facts::Backend backend : present) names.emplace_back(name_of(backend));
  say("\nThe labs run here on: {}\n", join(names));
  return ExitCode::fine;
}

}  // namespace

std::string find_tool(const std::string& name) {
  if (name == "ncu") {
    // A user who names one means no other.
    if (const std::string named = variable("NCU"); !named.empty()) return can_be_run(named) ? named : "";
  }
  std::vector<std::string> folders;
  std::istringstream path(variable("PATH"));
  for (std::string folder; std::getline(path, folder, ':');) folders.push_back(folder);
  folders.push_back(std::filesystem::path(WORKBOOK_NVCC).parent_path());
  folders.emplace_back("/usr/local/cuda/bin");
  for (const std::string& folder : nsight_compute_folders()) folders.push_back(folder);
  for (const std::string& folder : folders) {
    if (!folder.empty() && can_be_run(folder + "/" + name)) return folder + "/" + name;
  }
  return {};
}

void add_doctor(CommandLine& line) {
  line.add<DoctorOptions>("doctor", "what this machine has, what it lacks, and the commands that mend it",
                          doctor);
}

}  // namespace cli
