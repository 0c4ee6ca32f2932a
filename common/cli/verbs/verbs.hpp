// SPDX-License-Identifier: MIT
// Functions of verbs that other verbs or tests call.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/predict/predictions.hpp"
#include "judge/check.hpp"
#include "measure/record.hpp"
#include "workbook/workbook.hpp"

namespace cli {

// lab check

struct CheckManner {
  std::uint64_t seed;   // of the random inputs
  std::string on;       // --on, for what is measured after a pass
  bool all = false;     // print every finding, not only the first
  bool silent = false;  // print nothing
  // Whether predictions of times may be answered by estimates, which take a second or two.
  bool estimates = true;
  std::chrono::milliseconds time_limit{60'000};                // of a check on one backend
  std::function<void(const std::string&)> progress = {};       // called at each step; may be empty
  std::function<void(const judge::CheckReport&)> judged = {};  // called before it is printed; may be empty
};

// Judges an exercise on one backend after the other, prints the report, and remembers the verdict on a
// student's file. Precondition: there is a target, and all are of the same exercise and tree.
judge::CheckReport check_exercise(const std::vector<workbook::Target>& targets, const CheckManner& manner);

// The text that follows a pass of the student's own file, else empty: predictions against what came out, what
// changed since the lab before, and the solution to compare with. Keeps the counters that later labs are
// compared with, and the outcomes of predictions. `on` is --on: the GPU stays unused if that is the
// simulator. `estimates`: predictions of times are answered by estimates where there is no GPU.
std::string after_pass_text(const judge::CheckReport& report, const std::string& on, bool estimates = false);

// What a GPU would take for the student's kernel that has just passed, in two lines, with the exercise's name
// if it is to be `named`; empty where no estimates are shown, or a GPU is there to measure it.
std::string estimate_after_pass(const judge::CheckReport& report, bool named = false);

// The lengths, and the counters that differ by more than a tenth, as a table with a line each, in the order
// in which counters are shown; empty where none do. `before_name` and `name` are short names of exercises.
std::string changed_counters(const problems::Problem& problem, const KeptCounters& before,
                             const std::string& before_name, const KeptCounters& now,
                             const std::string& name);

// A GPU has no checkers. Where what it found may have one of the causes that compute-sanitizer sees, a line
// with the command that looks for it, in the case that failed: "  or, for races in shared memory:
// compute-sanitizer --tool racecheck ...". Empty where there is none to offer. `sanitizer`: how it is called;
// `runner`: the exercise's on the GPU.
std::string sanitizer_offer(const judge::CheckReport& report, const std::string& sanitizer,
                            const std::string& runner);

// lab hint

// The hints of a lab's file: paragraphs between lines that hold only "---", in the order in which they are
// given.
std::vector<std::string> read_hints(const std::string& text);

// The next hint for an exercise, which is remembered as shown, or that all were; `again`: from the first.
// `refill`: for a terminal, which breaks the lines itself. Ends with a line end. Throws MachineError where
// there are none.
std::string next_hint(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise,
                      bool again = false, bool refill = false);

// lab reset

// Replaces the student's file by the skeleton and keeps the file beside it. Returns what was done, in one
// line. Throws MachineError if that is not possible; then everything is as it was.
std::string bring_back(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise);

// lab doctor

// The path of a program: on PATH, beside nvcc, in the CUDA Toolkit's usual folder, or in the newest of Nsight
// Compute's; for ncu the variable NCU comes first. Empty if it is not found.
std::string find_tool(const std::string& name);

// lab run

// The result with its bars, as it is printed; or in a line that there is none, and what the bars are then.
// Empty where nothing came back.
std::string shown_result(const measure::Record& record, unsigned columns);

// What became of the updates of a run in lockstep; nothing if it gave no counts.
std::optional<problems::LostUpdates> lost_updates(const measure::Record& record);

// "lockstep, seed 1: 60,996 of 1,048,576 updates lost"
std::string lockstep_text(std::uint64_t seed, const problems::LostUpdates& updates);

// lab run --trace FILE (docs/trace.md describes the file)

// The blocks that "0,3-5" means. Throws UsageError.
facts::TraceRequest traced_blocks(const std::string& words);

// The whole file: a line that describes the run, and one for each event of its trace, which must be there.
// Asks addr2line for the lines of source.
std::string trace_lines(const workbook::Workbook& workbook, const measure::Record& record,
                        workbook::Tree tree, const facts::TraceRequest& blocks);

}  // namespace cli
