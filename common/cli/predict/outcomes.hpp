// SPDX-License-Identifier: MIT
// Predictions set against what came out.
#pragma once

#include <functional>
#include <string>
#include <variant>

#include "cli/predict/figures.hpp"

namespace cli {

using FigureOf = std::function<FigureOrReason(const CountedRun&, const std::string& figure)>;

// How an answer did, without the time of day; or why that is not known.
std::variant<Outcome, std::string> outcome_of(const Question& question, const std::string& answer,
                                              const FigureOf& figure_of);

// "global atomics, against lab 03: you said 0.5; counted 7,168 against 1,077,241, so 0.00665: off by a factor
// of 75"
std::string outcome_text(const Question& question, const std::string& answer,
                         const std::variant<Outcome, std::string>& outcome);

// Sets what was predicted for these exercises against what comes out, keeps the outcomes, and gives a line a
// question; empty where nothing was predicted. Throws MachineError for a lab's file of questions that is
// damaged.
std::string set_against(const workbook::Workbook& workbook,
                        const std::vector<workbook::ExerciseInfo>& exercises, const FigureOf& figure_of);

// The questions whose figures are those of the exercises, which are of one lab.
std::vector<Question> questions_about(const workbook::Workbook& workbook,
                                      const std::vector<workbook::ExerciseInfo>& exercises);

}  // namespace cli
