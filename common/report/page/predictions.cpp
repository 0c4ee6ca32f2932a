// SPDX-License-Identifier: MIT
// What the student had predicted, and what came out.
#include <fmt/core.h>

#include <algorithm>

#include "report/page/section.hpp"

namespace report::page {

namespace {
using Align = HtmlTable::Align;
}

std::string prediction_section(const Material& material, Plotter&) {
  const std::vector<PredictionRow>& predictions = material.predictions;
  HtmlTable table({{"lab", Align::left},
                   {"", Align::left},
                   {"question", Align::prose},
                   {"answer, and what came out", Align::prose}});
  for (const PredictionRow& row : predictions) {
    const std::string mark = !row.right ? "?" : *row.right ? "✓" : "✗";
    table.add({row.lab, mark, row.question, row.outcome}, !row.right   ? "open"
                                                          : *row.right ? "right"
                                                                       : "wrong");
  }
  if (table.empty()) return {};
  const auto known =
      std::ranges::count_if(predictions, [](const PredictionRow& row) { return row.right.has_value(); });
  const auto right =
      std::ranges::count_if(predictions, [](const PredictionRow& row) { return row.right.value_or(false); });
  return paragraph(fmt::format("What was expected before the run, against what came out: {} of {} right.",
                               right, known)) +
         table.html("Predictions");
}

std::string prediction_command(const Material& material) {
  return "lab predict " + first_lab(material.problem);
}

}  // namespace report::page
