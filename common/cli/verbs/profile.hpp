// SPDX-License-Identifier: MIT
// The parts of `lab profile`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/messages.hpp"
#include "measure/ncu/profile.hpp"
#include "report/terminal/terminal.hpp"

namespace cli {

// A column of a profile's table.
struct Counted {
  std::string title;
  facts::Counters counters;
  measure::Figures figures = {};
};

// Columns of counters and below them of figures, with what each means: on its own line where the terminal is
// too narrow. What is 0 in all columns is left out, and what is not known left blank.
std::string counted_table(const std::vector<Counted>& columns, const report::Terminal& terminal);

// 1052416, "byte" -> "1,052,416 B"; 1.89e11, "byte/s" -> "189.0 GB/s"; 5568, "ns" -> "5.568 us"
std::string figure_text(double value, std::string_view unit);

// All that `lab profile` shows.
struct Profile {
  measure::Record record;  // on a GPU, of a run without the profiler; its counters are ncu's
  workbook::Tree tree;
  measure::SourceProfile source;  // the simulator's counters, by line
  std::optional<workbook::ExerciseInfo> exercise_before;
  std::optional<Counted> before;  // counted of the lab before on the same input

  // On a GPU.
  std::string file;                                  // ncu's report; empty: none
  std::size_t launches = 1;                          // that ncu counted
  std::optional<measure::RecordedProfile> recorded;  // shown where nothing could be counted
};

// Whose version of the lab before is shown: its solution, or what the student has.
workbook::Tree tree_before();

// The same launch on the simulator, as a whole and by line: the counters are the record's, or on a GPU its
// simulated ones.
void count_by_line(Profile& profile, const problems::Input& input, const runner::RunOptions& launch);

// Counts on the GPU with ncu or, where that is not possible, says why in the record's finding and looks up
// what was recorded elsewhere.
void count_with_ncu(Profile& profile, const problems::Input& input, const runner::RunOptions& launch);

// One document, without a line end.
std::string profile_json(const workbook::Workbook& workbook, const Profile& profile);

}  // namespace cli
