// SPDX-License-Identifier: MIT
#include "measure/tools.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

namespace measure {

namespace {

std::string value_of_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

// /opt/nvidia/nsight-compute/2025.3.1 and its neighbours, the newest first.
std::vector<std::string> nsight_compute_folders() {
  std::error_code ignored;
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator("/opt/nvidia/nsight-compute", ignored)) folders.push_back(entry.path());
  std::sort(folders.rbegin(), folders.rend());
  return folders;
}

bool can_be_run(const std::string& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
}

}  // namespace

std::string find_tool(const std::string& name) {
  if (name == "ncu") {
    // Who names one means that one, and no other.
    if (const std::string named = value_of_variable("NCU"); !named.empty()) return can_be_run(named) ? named : "";
  }
  std::vector<std::string> folders;
  std::istringstream path(value_of_variable("PATH"));
  for (std::string folder; std::getline(path, folder, ':');) folders.push_back(folder);
  folders.emplace_back("/usr/local/cuda/bin");
  for (const std::string& folder : nsight_compute_folders()) folders.push_back(folder);
  for (const std::string& folder : folders) {
    if (!folder.empty() && can_be_run(folder + "/" + name)) return folder + "/" + name;
  }
  return {};
}

bool counters_are_kept() {
  if (geteuid() == 0) return false;
  std::ifstream parameters("/proc/driver/nvidia/params");
  for (std::string line; std::getline(parameters, line);) {
    if (line == "RmProfilingAdminOnly: 1") return true;
  }
  return false;
}

}  // namespace measure
