// SPDX-License-Identifier: MIT
// Profiles that this tool has made on other machines, kept with the documents: for whoever cannot count on a
// GPU.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "facts/counters.hpp"
#include "workbook/workbook.hpp"

namespace measure {

// What only hardware tells, by the names of measured_figures(), in their units.
using Figures = std::map<std::string, double>;

struct RecordedProfile {
  std::string gpu, time;  // whose, and when: "NVIDIA H200", "2026-11-20T18:00:00Z"
  std::string file;       // where the record stands
  std::string binning, input;
  std::uint64_t length = 0, seed = 0;
  unsigned grid = 0, block = 0;
  facts::Counters counters;
  Figures figures;
};

// What was profiled, to find the record that fits best.
struct ProfiledInput {
  std::string binning, input;
  std::uint64_t length, seed;
};

bool is_of(const RecordedProfile& profile, const ProfiledInput& what);

// The solution's record in a folder of record files (docs/records/*.jsonl): of the same binning and input
// where there is one, then of the same length, then of the same seed; among equals the newest. Nothing where
// the exercise has none. Throws std::system_error for a file that cannot be read.
std::optional<RecordedProfile> find_recorded_profile(const std::string& folder,
                                                     const workbook::ExerciseInfo& exercise,
                                                     const ProfiledInput& what);

}  // namespace measure
