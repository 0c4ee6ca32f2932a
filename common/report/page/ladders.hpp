// SPDX-License-Identifier: MIT
// Ladders among the records: all labs on one input, measured in one run, so that their times may be divided
// by each other.
#pragma once

#include <optional>
#include <vector>

#include "report/page/record.hpp"

namespace report::page {

struct Ladder {
  std::vector<Record> rungs;  // in the order of the run; also those that did not pass
  bool timed = false;         // on a GPU; else counted on the simulator

  // Of the labs among the rungs.
  const Record& lab() const;
  // Reading the input alone: the time that no histogram undercuts. Null if it was not measured.
  const Record* read_limit() const;
  // Lab 01, the CPU with one thread; null if it was not measured.
  const Record* cpu_baseline() const;
};

// The newest ladder of `lab bench` for each tree, input, binning, length, and for times and counters each;
// where there is none for times or for counters, those of `lab tour`.
std::vector<Ladder> ladders(const std::vector<Record>& records);

}  // namespace report::page
