// SPDX-License-Identifier: MIT
// Profiles: what ncu counts of a kernel's launches beside what the simulator counts of the same, where in
// the kernel's file it comes from, and those that this tool has made on other machines, kept with the
// documents for whoever cannot count on a GPU. ncu runs the runner by hand, finds the launches of its sample
// by the names that it gives its phases (runner/gpu/cuda.hpp), and the counts are read back from the report
// that it keeps.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "measure/ncu/metrics.hpp"
#include "measure/record.hpp"
#include "workbook/workbook.hpp"

namespace measure {

struct NcuJob {
  std::string ncu;     // the program
  std::string runner;  // for a GPU
  std::string report;  // the file to make, NAME.ncu-rep; what ncu says goes into NAME.log beside it
  std::string input, variant_option, variant;
  std::uint64_t length, seed;
  std::optional<unsigned> block, grid;
};

// Why there are no counts.
struct NcuRefusal {
  enum class Kind {
    not_found,       // no ncu here
    not_permitted,   // the driver keeps the counters to administrators
    busy,            // another tool has the counters
    old_driver,      // older than this ncu needs
    unsupported,     // a GPU that this ncu does not know
    runner_failed,   // the program ended with an error
    other_launches,  // none was counted, or those of several kernels
    failed           // anything else, in ncu's own words
  } kind;
  std::string words;  // ncu's, or the evidence; empty where the kind says it all
};

// The commands, word by word.
std::vector<std::string> profile_command(const NcuJob& job);
// `instances`: with the parts of a metric, which an older ncu does not print.
std::vector<std::string> import_command(const std::string& ncu, const std::string& report, bool instances);

// Counts the launches of one sample, at least one and all of one kernel; an older report of the same name is
// replaced. Throws std::system_error where no process or folder can be made.
std::variant<std::vector<ProfiledLaunch>, NcuRefusal> profile_with_ncu(const NcuJob& job);

// What ncu means by its messages (the lines that begin with ==ERROR==).
NcuRefusal refusal_of(const std::string& said);

// What is the matter and how to mend it, as lines of a message without a line end.
std::string explanation(const NcuRefusal& refusal);

// In the workbook's names, the counters of all launches together, and the figures of the first, which is the
// one over the input; what this ncu does not give on this GPU is left out. Precondition: at least one launch.
struct LaunchCounts {
  std::size_t launches;
  facts::Counters counters = {};
  Figures figures = {};
};
LaunchCounts counts_of(const std::vector<ProfiledLaunch>& launches);

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
