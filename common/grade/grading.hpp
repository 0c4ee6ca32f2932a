// SPDX-License-Identifier: MIT
// Grades a class: a worker process for each submission, several at a time, then the gradebook and all else.
// What is finished is never lost: a result is written whole as soon as it is there, and whoever starts again
// judges only what has no result yet, or other files than the result is about.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grade/settings.hpp"
#include "grade/similar.hpp"

namespace grade {

// A submission that has been dealt with.
struct Step {
  std::string name;
  bool unchanged = false;  // there was a result
  std::string fault;       // of the machine, after every attempt; empty: none
  std::string summary;     // "5 of 7 exercises passed"; empty after a fault
  std::size_t done = 0, all = 0;
  std::optional<double> seconds_left;  // nullopt until it can be estimated
};

struct Report {
  std::size_t judged = 0, unchanged = 0, rows = 0;
  std::vector<std::string> others;                          // what lies in DIR and is no submission
  std::vector<std::pair<std::string, std::string>> faults;  // submissions without a row, and why
  std::optional<Similarity> similarity;                     // if it was asked for
  std::map<std::string, std::size_t> extra;  // of extra labs that are not graded here, by what a user types:
                                             // the submissions in which one is begun
};

// What OUT remembers of how it was made.
struct Kept {
  std::string folder;
  std::uint64_t seed;
  std::string backend;
  Shard shard;
  std::size_t submissions;  // how many it is to have rows for, once they were counted
};
std::optional<Kept> kept_in(const std::string& output);

// Makes OUT ready for these settings and fills in the seed that it was begun with, if it was. Throws
// facts::UsageError if OUT belongs to another folder, seed or backend, or holds something else; `seed_given`:
// the seed was asked for, and is not to be replaced.
void prepare_output(Settings& settings, bool seed_given);

// Judges, and writes everything. `step` is called after each submission. Throws facts::UsageError,
// facts::MachineError and std::system_error.
Report grade_class(Settings& settings, const std::function<void(const std::string&)>& building,
                   const std::function<void(const Step&)>& step);

// Puts the results of all shards together in OUT, and writes everything from them. `shards`: the OUTs of
// 1/N to N/N. Throws facts::UsageError if one is missing or they were not graded alike.
Report merge(Settings& settings, const std::vector<std::string>& shards);

}  // namespace grade
