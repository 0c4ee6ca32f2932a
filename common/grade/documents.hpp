// SPDX-License-Identifier: MIT
// What is made from a submission's result: its row of the gradebook, its part of the JUnit file, Gradescope's
// results.json and its page of feedback.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "grade/points.hpp"
#include "workbook/workbook.hpp"

namespace grade {

// The exercises that are graded, and what they are worth.
struct Scheme {
  const workbook::Workbook& workbook;
  const std::vector<workbook::ExerciseInfo>& exercises;
  const Points& points;
};

// Of all exercises together.
double points_of(const nlohmann::ordered_json& result, const Scheme& scheme);

// Lines of gradebook.csv in the form of RFC 4180, with their ends.
std::string csv_header(const Scheme& scheme);
std::string csv_row(const nlohmann::ordered_json& result, const Scheme& scheme);

// A <testsuite>: a test for each exercise; what is no pass is a failure with the verdict.
std::string junit_suite(const nlohmann::ordered_json& result, const Scheme& scheme);
inline constexpr const char* junit_begin = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
inline constexpr const char* junit_end = "</testsuites>\n";

// https://gradescope-autograders.readthedocs.io/en/latest/specs/ describes its keys.
std::string gradescope_document(const nlohmann::ordered_json& result, const Scheme& scheme);

// A page for the student: points, what `lab check` says of each exercise, and which files it is about.
std::string feedback_page(const nlohmann::ordered_json& result, const Scheme& scheme);

}  // namespace grade
