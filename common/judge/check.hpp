// SPDX-License-Identifier: MIT
// Judges an exercise: builds its runner, goes through the cases and gives the verdict. Notes, which a runner
// sends of what is worth knowing and not wrong, never change it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "facts/verdict.hpp"
#include "judge/case.hpp"
#include "judge/runner_session.hpp"
#include "runner/protocol.hpp"
#include "workbook/workbook.hpp"

namespace judge {

// The file still equals the skeleton as shipped, white space aside.
bool equals_skeleton(const std::string& file, const std::optional<std::string>& skeleton);

// A finding `not_started` where the student's file is meant and it still equals the skeleton.
std::optional<facts::Finding> not_started(const workbook::Workbook& workbook,
                                          const workbook::ExerciseInfo& exercise, workbook::Tree tree);

// A finding `unavailable` where this build has no such backend.
std::optional<facts::Finding> missing_backend(const workbook::Workbook& workbook, facts::Backend backend);

// The limits for runners on a backend.
RunnerSettings runner_settings(const std::string& program, facts::Backend backend);

// The runner's hello, or why it cannot be used: no such backend here, or what went wrong.
std::optional<facts::Finding> start_session(RunnerSession& session);

struct CheckOptions {
  workbook::Tree tree = workbook::Tree::student;
  facts::Backend backend = facts::Backend::sim;
  std::uint64_t seed = 0;
  std::vector<std::string> wrapper;                  // a tool to run the runner under
  std::function<void(const std::string&)> progress;  // told what is being done; may be empty
};

struct CheckReport {
  workbook::ExerciseInfo exercise;
  facts::Backend backend = facts::Backend::sim;
  std::uint64_t seed = 0;
  facts::Finding finding;               // the verdict with its evidence
  std::vector<facts::Finding> further;  // other findings, most important first
  std::vector<CaseResult> cases;
  facts::Counters counters;           // of the longest case
  std::vector<facts::Finding> notes;  // what is worth knowing and not wrong, in any case
};

CheckReport check(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise,
                  const CheckOptions& options);

// Judges a runner that is already built: every case, shortest first, up to the first length at which one
// fails.
CheckReport check_runner(const RunnerSettings& settings, const workbook::ExerciseInfo& exercise,
                         const CheckOptions& options);

// The notes of several runs, one for each place in the program: the first stands for all. Of more than 16
// places nothing more is kept, whatever a runner sends.
class Notes {
 public:
  // Keeps those of places that are new; `context` is put behind their words.
  void add(const std::vector<facts::Observation>& notes, const std::string& context = {});

  // Those kept, in their order, with their lines of source, each line once. Of places on the same lines, as a
  // kernel's are that is compiled for each variant, the first is told.
  std::vector<facts::Finding> told(const std::string& program) const;

 private:
  std::vector<facts::Observation> kept_;
};

}  // namespace judge
