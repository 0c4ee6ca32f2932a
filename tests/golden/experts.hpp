// SPDX-License-Identifier: MIT
// Histograms as people write them who know CUDA well, each a file like a lab's. A later set was written when
// the rules from the ones before were there, by somebody who had not seen them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "workbook/workbook.hpp"

namespace golden {

inline const std::vector<std::string> expert_sets{"experts", "experts_second", "experts_third"};

inline std::vector<std::string> experts_of(const std::string& set) {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(workbook::here().source_root + "/tests/golden/" + set)) {
    if (entry.path().extension() == ".cu") names.push_back(entry.path().stem());
  }
  return names;
}

// The names of all, sorted.
inline std::vector<std::string> experts() {
  std::vector<std::string> names;
  for (const std::string& set : expert_sets) {
    const std::vector<std::string> more = experts_of(set);
    names.insert(names.end(), more.begin(), more.end());
  }
  std::ranges::sort(names);
  return names;
}

// Judged like lab 04's, and its runner lies in tests/golden/experts of the build folder.
inline workbook::Target expert(const std::string& name, facts::Backend backend) {
  workbook::Target target =
      workbook::here().target(workbook::here().find("04").at(0), workbook::Tree::student, backend);
  const auto set = std::ranges::find_if(
      expert_sets, [&](const std::string& set) { return std::ranges::count(experts_of(set), name) > 0; });
  target.source = workbook::here().source_root + "/tests/golden/" + *set + "/" + name + ".cu";
  target.runner =
      workbook::here().build_root + "/tests/golden/experts/" + name + "." + std::string(name_of(backend));
  return target;
}

}  // namespace golden
