// SPDX-License-Identifier: MIT
// The kernels of unseen/ and unseen_second/: histograms of other kinds than the labs', to which no number of
// the model was fitted. Each is a file like a lab's. The first set's largest errors showed which rules were
// missing; the second was written when those were there.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "workbook/workbook.hpp"

namespace unseen {

// The folders in tests/model, and those in docs/records with what was estimated and measured of their
// kernels.
inline const std::array<std::string, 2> sets{"unseen", "unseen_second"};

// The names of all in a set, sorted.
inline std::vector<std::string> kernels(const std::string& set = sets[0]) {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(workbook::here().source_root + "/tests/model/" + set)) {
    if (entry.path().extension() == ".cu") names.push_back(entry.path().stem());
  }
  std::ranges::sort(names);
  return names;
}

// A variant of lab 04 that lies elsewhere, FOLDER/KERNEL.cu: built, run and judged as these are.
inline workbook::ExerciseInfo exercise(const std::string& kernel, const std::string& folder = "unseen") {
  workbook::ExerciseInfo info = workbook::here().find("04").at(0);
  info.name += "-" + folder + "_" + kernel;
  info.file = "../../tests/model/" + folder + "/" + kernel + ".cu";
  info.technique.clear();
  return info;
}

struct Case {
  const char *binning, *input;
  std::uint64_t length;
};
constexpr std::uint64_t mebi = 1 << 20;
constexpr std::array<Case, 4> cases{{{"letters4", "letters", 1024 * mebi},
                                     {"bytes", "bytes", 1024 * mebi},
                                     {"letters4", "letters", 64 * mebi},
                                     {"bytes", "bytes", 64 * mebi}}};

}  // namespace unseen
