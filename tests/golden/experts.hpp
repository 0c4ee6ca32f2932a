// SPDX-License-Identifier: MIT
// The kernels of experts/: histograms as people write them who know CUDA well, each a file like a lab's.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "workbook/workbook.hpp"

namespace golden {

inline std::string experts_folder() { return workbook::here().source_root + "/tests/golden/experts"; }

// The names of all, sorted.
inline std::vector<std::string> experts() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(experts_folder())) {
    if (entry.path().extension() == ".cu") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Judged like lab 04's, and its runner lies in tests/golden/experts of the build folder.
inline workbook::Target expert(const std::string& name, facts::Backend backend) {
  workbook::Target target =
      workbook::here().target(workbook::here().find("04").at(0), workbook::Tree::student, backend);
  target.source = experts_folder() + "/" + name + ".cu";
  target.runner =
      workbook::here().build_root + "/tests/golden/experts/" + name + "." + std::string(name_of(backend));
  return target;
}

}  // namespace golden
