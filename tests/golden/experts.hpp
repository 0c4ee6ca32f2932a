// SPDX-License-Identifier: MIT
// Kernels as people write them who know CUDA well, each a file like a lab's: histograms, and reductions,
// whose names begin with sum_. A later set of histograms was written when the rules from the ones before were
// there, by somebody who had not seen them. The reductions were written for the model, and counted later.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "workbook/workbook.hpp"

namespace golden {

// Folders in tests/.
inline const std::vector<std::string> expert_sets{
    "golden/experts",       "golden/experts_second", "golden/experts_third",   "golden/experts_fourth",
    "golden/experts_fifth", "golden/experts_sixth",  "golden/experts_seventh", "model/unseen_third",
    "model/unseen_fourth",  "model/unseen_sixth",    "model/unseen_seventh",   "model/unseen_eighth",
    "model/unseen_ninth"};

inline bool is_reduction(const std::string& expert) { return expert.starts_with("sum_"); }

inline std::vector<std::string> experts_of(const std::string& set) {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(workbook::here().source_root + "/tests/" + set)) {
    const std::string name = entry.path().stem();
    if (entry.path().extension() != ".cu") continue;
    if (set.starts_with("golden/") || is_reduction(name)) names.push_back(name);
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

// Judged like lab 04's or, a reduction, like x1/grid; its runner lies in tests/golden/experts of the build
// folder.
inline workbook::Target expert(const std::string& name, facts::Backend backend) {
  const workbook::ExerciseInfo judged_as = workbook::here().find(is_reduction(name) ? "x1/grid" : "04").at(0);
  workbook::Target target = workbook::here().target(judged_as, workbook::Tree::student, backend);
  const auto set = std::ranges::find_if(
      expert_sets, [&](const std::string& set) { return std::ranges::count(experts_of(set), name) > 0; });
  target.source = workbook::here().source_root + "/tests/" + *set + "/" + name + ".cu";
  target.runner =
      workbook::here().build_root + "/tests/golden/experts/" + name + "." + std::string(name_of(backend));
  return target;
}

}  // namespace golden
