// SPDX-License-Identifier: MIT
// What a verdict is worth. The rules lie in a file of the instructor's, `points.txt`, that is made with the
// usual values and may be edited at any time: points are worked out anew whenever the gradebook is written.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "workbook/workbook.hpp"

namespace grade {

// The parts of an exercise for which there is credit. A kernel that is not right on ordinary inputs has none
// of the others.
enum class Part { correct, edges, race_free, technique, speed };
inline constexpr std::size_t parts = 5;

struct Points {
  double total = 100;                             // of all exercises together
  std::vector<double> shares{50, 20, 15, 15, 0};  // of the parts, in percent
  std::map<std::string, double> weights;          // by "LAB/EXERCISE"; 1 where there is none

  double share_of(Part part) const { return shares[static_cast<std::size_t>(part)]; }

  double weight_of(const workbook::ExerciseInfo& exercise) const;
};

// The file's text with these values, explained.
std::string points_text(const Points& points, const std::vector<workbook::ExerciseInfo>& exercises);

// Throws facts::UsageError, which names file and line, what is wrong and what would be right.
Points points_from(const std::string& text, const std::string& file,
                   const std::vector<workbook::ExerciseInfo>& exercises);

// How much of each part an exercise earns, from 0 to 1, by a document as `lab check --json` prints it; its
// verdict may be `missing`, and it may hold a speed (grade/speed.hpp).
std::vector<double> earned(const nlohmann::ordered_json& exercise);
// Whether it has the first part.
bool is_correct(const nlohmann::ordered_json& exercise);

// The parts' names, as they are called in the file and on the pages.
const char* name_of(Part part);
const char* words_of(Part part);

// The most points for an exercise, where these exercises share the total; and those that it earns. One that
// launches no kernel has no speed: the other parts have its share.
double most_points(const Points& points, const workbook::ExerciseInfo& exercise,
                   const std::vector<workbook::ExerciseInfo>& exercises);
double earned_points(const Points& points, const workbook::ExerciseInfo& exercise,
                     const nlohmann::ordered_json& judged, double most);

// With at most two decimals: "14.29", "50".
std::string points_number(double points);

}  // namespace grade
