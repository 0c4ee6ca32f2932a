// SPDX-License-Identifier: MIT
// Kernels of other kinds than the labs', to which no number of the model was fitted: histograms and, named
// sum_..., reductions. Each is a file like a lab's. The largest errors of each set showed which rules were
// missing; the next set was written when those were there.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "workbook/workbook.hpp"

namespace unseen {

// The folders in docs/records with what was estimated and measured of the sets' kernels. The experts' kernels
// were written for the counters, by people who had not seen the model.
inline const std::vector<std::string> sets{
    "unseen",         "unseen_second", "unseen_third",  "unseen_fourth",  "unseen_fifth",   "unseen_sixth",
    "unseen_seventh", "unseen_eighth", "unseen_ninth",  "experts",        "experts_second", "experts_third",
    "experts_fourth", "experts_fifth", "experts_sixth", "experts_seventh"};

// Where a set's kernels lie in tests/.
inline std::string folder_of(const std::string& set) {
  return (set.starts_with("experts") ? "golden/" : "model/") + set;
}

// The names of all in a set, sorted.
inline std::vector<std::string> kernels(const std::string& set = sets[0]) {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(workbook::here().source_root + "/tests/" + folder_of(set))) {
    if (entry.path().extension() == ".cu") names.push_back(entry.path().stem());
  }
  std::ranges::sort(names);
  return names;
}

inline bool is_reduction(const std::string& kernel) { return kernel.starts_with("sum_"); }

// A variant of lab 04 or of x1/grid that lies elsewhere, FOLDER/KERNEL.cu: built, run and judged as these
// are.
inline workbook::ExerciseInfo exercise(const std::string& kernel, const std::string& set = sets[0]) {
  workbook::ExerciseInfo info = workbook::here().find(is_reduction(kernel) ? "x1/grid" : "04").at(0);
  info.name += "-" + set + "_" + kernel;
  info.file = "../../tests/" + folder_of(set) + "/" + kernel + ".cu";
  info.technique.clear();
  return info;
}

struct Case {
  const char* binning;  // or operator
  const char* input;
  std::uint64_t length;  // elements
  unsigned element_bytes = 1;
};
constexpr std::uint64_t mebi = 1 << 20;
constexpr std::array<Case, 4> cases{{{"letters4", "letters", 1024 * mebi},
                                     {"bytes", "bytes", 1024 * mebi},
                                     {"letters4", "letters", 64 * mebi},
                                     {"bytes", "bytes", 64 * mebi}}};
// The same numbers of bytes.
constexpr std::array<Case, 4> cases_of_reductions{{{"sum", "uniform", 256 * mebi, 4},
                                                   {"farthest", "uniform", 64 * mebi, 16},
                                                   {"sum", "uniform", 16 * mebi, 4},
                                                   {"farthest", "uniform", 4 * mebi, 16}}};
static_assert(cases.size() == cases_of_reductions.size());

inline const Case& case_of(const std::string& kernel, std::size_t number) {
  return (is_reduction(kernel) ? cases_of_reductions : cases).at(number);
}

}  // namespace unseen
