// SPDX-License-Identifier: MIT
// Profiles: what ncu counted of one launch beside what the simulator counts of the same, where in a kernel's
// file it comes from, and those that this tool has made on other machines, kept with the documents for
// whoever cannot count on a GPU.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "measure/ncu/ncu.hpp"
#include "measure/record.hpp"
#include "workbook/workbook.hpp"

namespace measure {

// The counters and figures of a launch, in the workbook's names; what this ncu does not give on this GPU is
// left out.
struct LaunchCounts {
  facts::Counters counters;
  Figures figures;
};
LaunchCounts counts_of(const ProfiledLaunch& launch);

// The file that ncu makes of an exercise.
std::string ncu_report(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise,
                       workbook::Tree tree);

// Counts the exercise on its input, with `ncu` (the program; empty: there is none) and the given launch or
// the exercise's own.
std::variant<LaunchCounts, NcuRefusal> counted_by_ncu(const workbook::Workbook& workbook,
                                                      const std::string& ncu, const Record& asked,
                                                      workbook::Tree tree, std::optional<unsigned> block = {},
                                                      std::optional<unsigned> grid = {});

struct SourceProfile {
  std::map<int, facts::Counters> lines;  // of the kernel's file; what is 0 is left out
  facts::Counters elsewhere;             // in other files, or where no line is known
};

// The counters of `places` (Record::places) by line of `file`; `program` is the runner that counted. What
// was inlined counts for the line that called it only where the callee lies in the simulator.
SourceProfile source_profile(const std::string& program, const std::string& file,
                             const std::map<std::uint64_t, facts::Counters>& places);

// A profile, and the simulator's counters of the same launch; empty: it was not simulated.
struct CountedOnBoth {
  Record measured;
  facts::Counters simulated;
};

// The newest profile of each exercise, tree, input, variant, length and launch. The simulated counters are
// the profile's own, else those of the newest record of the simulator that agrees in all of these.
std::vector<CountedOnBoth> counted_on_both(const std::vector<Record>& records);

struct RecordedProfile {
  Record record;
  std::string file;  // that holds it
};

// Whether both are of the same variant, input, length and seed.
bool is_of_same_input(const Record& one, const Record& other);

// The solution's record in a folder of record files (docs/records/*.jsonl): of the same variant and input as
// `asked` where there is one, then of the same length, then of the same seed; among equals the newest.
// Nothing where the exercise has none that was made on a GPU. Throws std::system_error for a file that cannot
// be read.
std::optional<RecordedProfile> find_recorded_profile(const std::string& folder,
                                                     const workbook::ExerciseInfo& exercise,
                                                     const Record& asked);

}  // namespace measure
