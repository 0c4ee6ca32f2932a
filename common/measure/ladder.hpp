// SPDX-License-Identifier: MIT
// All labs against each other and against their peers, on one input: the CPU with one thread and with all,
// the labs' kernels, CUB, and what reading (and copying) the input alone takes.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "measure/contest.hpp"
#include "problems/reference.hpp"
#include "workbook/workbook.hpp"

namespace measure {

// What a table calls the peer of this name; the name itself for one that is not known.
std::string_view description_of_peer(std::string_view name);

struct Rung {
  workbook::ExerciseInfo exercise;     // of a peer: lab "peers", and its name
  std::optional<problems::Peer> peer;  // nothing: a lab
  facts::Backend backend;
  RunReport report;
};

struct LadderOptions {
  const problems::Reference* reference = nullptr;  // of the problem whose labs are measured
  workbook::Tree tree = workbook::Tree::solution;
  std::string binning;
  StopRule rule = contest_rule;
  std::function<void(const std::string&, double)>
      progress;  // what is being done, and how much of it; may be empty
};

// The rungs from the bottom up: CPU, labs in their order, peers; the last but one is the read limit, its
// launch the best of several. Needs a GPU. Exercises that do not build or are not started have that as their
// finding.
std::vector<Rung> ladder(const workbook::Workbook& workbook, const problems::Input& input,
                         const LadderOptions& options);

}  // namespace measure
