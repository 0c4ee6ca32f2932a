// SPDX-License-Identifier: MIT
// Judges an exercise: builds its runner, goes through the cases and gives the verdict. Notes on
// things that are worth knowing and not wrong never change it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "build/runner.hpp"
#include "facts/verdict.hpp"
#include "judge/case.hpp"
#include "judge/runner_session.hpp"
#include "runner/protocol.hpp"
#include "workbook/workbook.hpp"

namespace judge {

// The file's code still equals that of the skeleton as shipped; comments and white space may differ.
bool equals_skeleton(const std::string& file, const std::optional<std::string>& skeleton);

// The same with its comments: white space alone may differ.
bool holds_skeleton(const std::string& file, const std::optional<std::string>& skeleton);

// A finding `not_started` if the target is the student's file and that still equals the skeleton.
std::optional<facts::Finding> not_started(const workbook::Workbook& workbook, const workbook::Target& target);

// A finding `unavailable` if this build has no such backend.
std::optional<facts::Finding> missing_backend(const workbook::Workbook& workbook, facts::Backend backend);

struct CheckOptions {
  std::uint64_t seed = 0;
  std::vector<std::string> wrapper;                  // a tool to run the runner under
  std::chrono::milliseconds time_limit{60'000};      // for all that is done with the student's file
  std::function<void(const std::string&)> progress;  // called with each step in words; may be empty
  std::string source = {};  // the student's file, by whose names arrays are called; may be empty
  build::Manner build_manner = {};
  std::vector<std::string> sandbox = {};  // to run the runner under
  // Whether two runners may run at a time: the verdict is the same, and comes sooner where a processor is
  // free.
  bool ahead = false;
};

struct CheckReport {
  workbook::ExerciseInfo exercise;
  facts::Backend backend = facts::Backend::sim;
  std::uint64_t seed = 0;
  facts::Finding finding;               // the verdict with its evidence
  std::vector<facts::Finding> further;  // other findings, most important first
  std::vector<CaseResult> cases;
  facts::Counters counters;           // of the longest case
  std::vector<facts::Finding> notes;  // worth knowing and not wrong, in any case
};

CheckReport check(const workbook::Workbook& workbook, const workbook::Target& target,
                  const CheckOptions& options);

// Judges a runner that is already built: every case, shortest first, up to the first length at which one
// fails.
CheckReport check_runner(const RunnerSettings& settings, const workbook::ExerciseInfo& exercise,
                         facts::Backend backend, const CheckOptions& options);

// The notes of several runs, one for each place in the program: the first stands for all. Of more than 16
// places nothing more is kept, whatever a runner sends.
class Notes {
 public:
  // Keeps those of places that are new; `context` is appended to their messages.
  void add(const std::vector<facts::Observation>& notes, const std::string& context = {});

  // Those kept, in their order, with their lines of source, each line once. Of places on the same lines (a
  // kernel is compiled for each variant) the first is kept.
  std::vector<facts::Finding> told(const std::string& program) const;

 private:
  std::vector<facts::Observation> kept_;
};

}  // namespace judge
