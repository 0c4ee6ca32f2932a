// SPDX-License-Identifier: MIT
// The sources of the kernels, as text.
#pragma once

#include <map>
#include <set>
#include <string>

struct KernelSource {
  std::string body;            // from its first line to its closing brace
  std::set<int> marked_lines;  // those with DEFECT or OTHER
};

// By name, from all *_kernels.cpp.
const std::map<std::string, KernelSource>& kernel_sources();

// All that is written in a folder's files whose names end like this.
std::string text_of_files(const std::string& folder, const std::string& ending);
