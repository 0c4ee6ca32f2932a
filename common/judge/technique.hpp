// SPDX-License-Identifier: MIT
// Whether right counts came about by what the lab teaches: a rule for each lab, over exact counters of the
// simulator. A rule asks for the lab's idea alone, so that a correct solution written differently passes, and
// refuses the solutions of the labs before.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "judge/case.hpp"
#include "workbook/workbook.hpp"

namespace judge {

// From this length on, aligned, the technique is judged.
constexpr std::uint64_t technique_length = (1 << 20) + 3;

// What is known of one launch, on aligned data of which every byte is counted.
struct Conduct {
  std::uint64_t length, bins, grid, block;
  std::map<std::string, std::uint64_t> counts;  // the answer's counters and its conduct

  std::uint64_t threads() const { return grid * block; }
  std::uint64_t of(const std::string& counter) const;  // 0 if nobody has counted it
};

// What is wrong with the technique, in the lab's terms with the numbers that show it; nothing where it is the
// lab's. `on_same`: the launch over an input of equal bytes; asked for in lab 06 alone.
std::optional<std::string> technique_fault(const workbook::ExerciseInfo& exercise, const Conduct& conduct);
std::optional<std::string> technique_fault_on_same(const workbook::ExerciseInfo& exercise,
                                                   const Conduct& on_same);

// How many bytes a thread has to take at least before the exercise's rules say anything: 1 in labs 02 to 04.
std::uint64_t bytes_per_thread(const workbook::ExerciseInfo& exercise);

// Runs the exercise where its rule can be applied, with `run`, and gives what was found: at most one
// `technique`, or what went wrong in these runs. Nothing where the exercise has no rule.
using RunCase = std::function<CaseResult(const Case&)>;
std::vector<CaseResult> judge_technique(const workbook::ExerciseInfo& exercise, const RunCase& run);

}  // namespace judge
