// SPDX-License-Identifier: MIT
// All labs against each other and against their peers, on one input: the CPU with one thread and with all,
// the labs' kernels, CUB, and what reading (and copying) the input alone takes. A ladder is measured here or
// found among records; the columns that tables and plots show of it are worked out here alone.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measure/contest.hpp"
#include "measure/record.hpp"
#include "problems/reference.hpp"
#include "workbook/workbook.hpp"

namespace measure {

// Null for a peer that no problem has.
const problems::Peer* find_peer(std::string_view name);

// How many times as fast as another. It is claimed only where the quartiles do not overlap.
struct Gain {
  double times;
  bool claimed;
};

// What was measured, and how it compares with others of its ladder; nothing where one of them was not timed.
struct Rung {
  Record record;
  std::optional<double> of_limit = {};   // on the limit's backend: its time as a share of this one's
  std::optional<double> over_cpu = {};   // speed-up over the lab that launches no kernel
  std::optional<Gain> over_before = {};  // of a lab: over the lab before
};

struct Ladder {
  std::vector<Rung> rungs;  // in the order of the run; also those that did not pass
  bool timed = false;       // on a GPU; else counted on the simulator

  // Of the labs among the rungs.
  const Record& lab() const;
  // Reading the input alone: the time that no lab undercuts. Null if it was not measured.
  const Record* limit() const;
  // The lab that launches no kernel: the CPU with one thread. Null if it was not measured.
  const Record* cpu_baseline() const;
};

// The rungs of one run, compared. Precondition: there are some.
Ladder compared(std::vector<Record> records);

// The newest ladder of `lab bench` for each tree, input, variant, length and state of the cache, and for
// times and counters each; where there is none for times or for counters, those of `lab tour`.
std::vector<Ladder> ladders(const std::vector<Record>& records);

// The launch with which reading alone is fastest here, which depends on nothing but how many bytes there are.
// It is looked for once.
struct ReadLaunch {
  std::uint64_t bytes = 0;  // of the input; 0: not known yet
  unsigned block = 0, grid = 0;
};

struct LadderOptions {
  const problems::Reference* reference = nullptr;  // of the problem whose labs are measured
  workbook::Tree tree = workbook::Tree::solution;
  StopRule rule = contest_rule;
  ReadLaunch* read_launch = nullptr;  // kept from ladder to ladder; may be null
  // What is being done, and how much of it; may be empty.
  std::function<void(const std::string&, double)> progress;
};

// Measures one, from the bottom up: CPU, labs in their order, peers; the last but one is the read limit, its
// launch the best of several. Every record begins with `asked`. Needs a GPU. Exercises that do not build or
// are not started have that as their finding.
Ladder measured_ladder(const workbook::Workbook& workbook, const problems::Input& input, const Record& asked,
                       const LadderOptions& options);

// These exercises and variants in one contest, without peers. Every record begins with `asked`. Needs a GPU.
std::vector<Record> measured_versions(const workbook::Workbook& workbook,
                                      const std::vector<workbook::ExerciseInfo>& versions,
                                      const problems::Input& input, const Record& asked,
                                      const LadderOptions& options);

}  // namespace measure
