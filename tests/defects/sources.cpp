// SPDX-License-Identifier: MIT
#include "sources.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

namespace {

std::vector<std::filesystem::path> files(const std::string& folder, const std::string& ending) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.size() >= ending.size() && name.compare(name.size() - ending.size(), ending.size(), ending) == 0)
      found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

void add_kernels(const std::filesystem::path& path, std::map<std::string, KernelSource>& all) {
  const std::string start = "__global__ void ";
  std::ifstream file(path);
  KernelSource* kernel = nullptr;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.rfind(start, 0) == 0) kernel = &all[line.substr(start.size(), line.find('(') - start.size())];
    if (!kernel) continue;
    kernel->body += line + "\n";
    if (line.find("// DEFECT") != std::string::npos || line.find("// OTHER") != std::string::npos)
      kernel->marked_lines.insert(number);
    if (line == "}") kernel = nullptr;
  }
}

}  // namespace

const std::map<std::string, KernelSource>& kernel_sources() {
  static const std::map<std::string, KernelSource> sources = [] {
    std::map<std::string, KernelSource> all;
    for (const auto& path : files(DEFECTS_FOLDER, "_kernels.cpp")) add_kernels(path, all);
    return all;
  }();
  return sources;
}

std::string text_of_files(const std::string& folder, const std::string& ending) {
  std::ostringstream text;
  for (const auto& path : files(folder, ending)) text << std::ifstream(path).rdbuf();
  return text.str();
}
