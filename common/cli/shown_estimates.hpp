// SPDX-License-Identifier: MIT
// Estimates as tour, bench and check print them: below what was counted or measured, in tables of their own,
// in another colour, and with the GPU's name. No estimate stands in a column of times.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/estimated.hpp"
#include "measure/record.hpp"
#include "report/terminal/terminal.hpp"

namespace cli {

// A line of the table: an exercise, or a point of a sweep.
struct EstimateRow {
  std::string title;
  measure::Record record;  // with its estimate, and with a time where one was measured over the same input
  std::string message;     // why there is no estimate, or what it leaves out
};

struct EstimateTable {
  model::Device device;
  std::string title;  // of the first column; may be empty
  std::string of;     // what the estimates are of: "268,435,456 bytes of text, ..."
  std::vector<EstimateRow> rows;
};

// "Estimated for an NVIDIA H200, not measured", in the colour of estimates.
std::string estimate_words(const std::string& gpu, const report::Terminal& terminal);
std::string in_estimate_colour(const std::string& text, const report::Terminal& terminal);

// "Estimated for an NVIDIA H200, not measured: ...", the table, and how far to trust it; empty where there
// are no rows.
std::string estimates_text(const EstimateTable& table, const report::Terminal& terminal);

// Estimates what ran as the record says, over `length` elements, and writes that into the record. Returns the
// row for the table; its title is the exercise's. nullopt where the exercise launches no kernel, or its run
// did not pass.
std::optional<EstimateRow> estimate_into(measure::Record& record, const model::Device& device,
                                         const EstimateQuestion& question);

// "estimated for an NVIDIA H200, not measured: 3.32 ms (probably 2.77 to 3.98) for ...".
std::string estimate_sentence(const measure::Estimate& estimate, const std::string& of,
                              const report::Terminal& terminal);

}  // namespace cli
