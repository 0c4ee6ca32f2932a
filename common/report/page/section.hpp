// SPDX-License-Identifier: MIT
// A section of the page: a function in a file of its own, and a line in page.cpp's list.
#pragma once

#include <string>
#include <vector>

#include "measure/ladder.hpp"
#include "measure/records.hpp"
#include "measure/sweep.hpp"
#include "report/page/gnuplot.hpp"
#include "report/page/html.hpp"
#include "report/page/page.hpp"

namespace report::page {

// All that a section may show.
struct Material {
  const measure::Selected& selected;
  const std::vector<measure::Ladder>& ladders;
  const std::vector<measure::Sweep>& sweeps;
  const std::vector<PredictionRow>& predictions;
};

// The section's HTML without its heading; it says what is missing where there is nothing to show.
using SectionBody = std::string(const Material& material, Plotter& plotter);

// "1 GiB of letters, ", the variant, and ", the solutions".
std::string setting_text(const measure::Record& record);

// "Nothing yet. To measure it: lab bench --sweep block"
std::string nothing_yet(const std::string& command);

}  // namespace report::page
