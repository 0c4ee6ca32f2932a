// SPDX-License-Identifier: MIT
// Records (docs/records.md) as the page reads them: those of one machine, with what is missing or misshapen
// left out.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "facts/counters.hpp"
#include "measure/statistics.hpp"

namespace report::page {

struct Record {
  std::string kind, tree, lab, exercise, backend, verdict, binning, input;
  std::uint64_t length = 0, grid = 0, block = 0;
  std::optional<measure::Summary> time_ms;
  facts::Counters counters;
  std::map<std::string, double> figures;  // what only a profiler counts
  facts::Counters simulated;              // of the same launch, where the record holds both
  std::string sweep;                      // empty: of no sweep
  std::uint64_t value = 0;                // what was swept, at this point
  std::string time, command, commit;      // commit: empty where it is not known

  bool passed() const { return verdict == "pass"; }
  bool is_peer() const { return tree == "peer"; }
};

struct Machine {
  std::string system, kernel, cpu;
  std::uint64_t cpus = 0, memory_mib = 0;
  std::map<std::string, std::string> gpu;  // what it says of itself; empty: none
};

struct Selected {
  Machine machine;              // of the newest record
  std::vector<Record> records;  // made there, in their order
  std::size_t elsewhere = 0;    // how many were made on another machine or GPU, and are left out
  std::size_t misshapen = 0;    // how many lack what a record has, and are left out
};

// The records of the machine on which the newest was made. A machine is another one if its CPU, their number
// or its GPU's name differs: a new kernel or driver leaves it what it is.
Selected select(const std::vector<nlohmann::ordered_json>& records);

// "04 shared_memory", "05/contiguous", "CUB": what tables and plots call it.
std::string title_of(const Record& record);

// Of the median or another time: bytes of input over it, in GB/s.
double throughput_gb_s(const Record& record, double time_ms);

}  // namespace report::page
