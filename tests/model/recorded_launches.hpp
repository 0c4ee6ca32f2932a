// SPDX-License-Identifier: MIT
// The launches of docs/records/h200.jsonl, asked of the model.
#pragma once

#include <cstdint>
#include <optional>

#include "cli/estimated.hpp"
#include "measure/records.hpp"
#include "problems/reference.hpp"

namespace recorded_launches {

// The exercise or variant of the workbook that a record is of.
inline std::optional<workbook::ExerciseInfo> find(const measure::Record& record) {
  for (const workbook::ExerciseInfo& one :
       workbook::here().find_with_variants(measure::short_name(record.exercise))) {
    if (one.lab == record.exercise.lab && one.name == record.exercise.name) return one;
  }
  for (const workbook::ExerciseInfo& one :
       workbook::here().find_with_variants(record.exercise.lab.substr(0, 2) + "/" + record.exercise.name)) {
    if (one.name == record.exercise.name) return one;
  }
  return std::nullopt;
}

// The estimate that a record asks for; nullopt where the workbook no longer has its exercise or input.
inline std::optional<cli::EstimateQuestion> question_of(const measure::Record& record) {
  const auto exercise = find(record);
  if (!exercise) return std::nullopt;
  cli::EstimateQuestion question{.record = {.kind = "run",
                                            .seed = record.seed.value_or(1),
                                            .exercise = *exercise,
                                            .backend = facts::simulator,
                                            .variant = record.variant,
                                            .input = record.input,
                                            .length = record.length},
                                 .tree = workbook::Tree::solution,
                                 .launch = {.block = record.launch.block, .grid = record.launch.grid},
                                 .input = {},
                                 .compiled = true};
  const std::uint64_t seed = *question.record.seed;
  const problems::Reference& reference = problems::reference_of(exercise->problem);
  if (record.sweep && record.sweep->name == "contention") {
    question.input = [&reference, variant = record.variant, level = record.sweep->value,
                      seed](std::uint64_t length) {
      return reference.contended_input(variant, level, length, seed);
    };
  } else {
    const problems::Problem& problem = reference.problem();
    if (!problem.has_input(record.input)) return std::nullopt;
    question.input = [&problem, variant = record.variant, name = record.input, seed](std::uint64_t length) {
      return problem.make_input(name, variant, length, seed);
    };
  }
  return question;
}

}  // namespace recorded_launches
