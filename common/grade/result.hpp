// SPDX-License-Identifier: MIT
// The document that is kept of a submission (docs/grading.md describes its keys): which files were judged and
// how, then the documents of `lab check --json` for each exercise, each with the text that `lab check`
// prints. All else that is written about the submission is made from it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "grade/settings.hpp"
#include "grade/submission.hpp"

namespace grade {

// What the document begins with, and empty lists of exercises: the names in "asked", the documents in
// "exercises".
nlohmann::ordered_json heading_json(const Settings& settings, const std::string& name,
                                    const Snapshot& snapshot, const std::string& judge_version);

// Whether a document is about the same files, judged in the same way, whichever exercises it holds.
bool is_about_the_same(const nlohmann::ordered_json& result, const nlohmann::ordered_json& heading);

// nullopt if there is none, or none that can be read.
std::optional<nlohmann::ordered_json> read_result(const std::string& file);

// The document of an exercise in a result; nullptr if it holds none.
const nlohmann::ordered_json* exercise_in(const nlohmann::ordered_json& result,
                                          const workbook::ExerciseInfo& exercise);

// As it is written: valid UTF-8 whatever a program printed, with a line end.
std::string dumped(const nlohmann::ordered_json& json);

}  // namespace grade
