// SPDX-License-Identifier: MIT
// The page's sections, as HTML; each says what is missing where it has nothing to show.
#pragma once

#include <string>
#include <vector>

#include "report/page/gnuplot.hpp"
#include "report/page/ladders.hpp"
#include "report/page/page.hpp"
#include "report/page/roofline.hpp"
#include "report/page/sweeps.hpp"

namespace report::page {

std::string ladder_section(const std::vector<Ladder>& ladders, Plotter& plotter);

// All sweeps but those of contention, which have a section of their own.
std::string sweep_section(const std::vector<Sweep>& sweeps, Plotter& plotter);
std::string contention_section(const std::vector<Sweep>& sweeps, Plotter& plotter);

std::string roofline_section(const std::vector<Roofline>& rooflines, Plotter& plotter);
std::string counter_section(const std::vector<Record>& records);
std::string prediction_section(const std::vector<PredictionRow>& predictions);
std::string machine_section(const Selected& selected);
std::string repeat_section(const Selected& selected);

// A plot with its caption; the caption alone where nothing can be drawn.
std::string figure(Plotter& plotter, const Plot& plot, const std::string& caption);

// "1 GiB of letters, binning letters4, the solutions"
std::string setting_text(const Record& record);

// "Nothing yet. To measure it: lab bench --sweep block"
std::string nothing_yet(const std::string& command);

}  // namespace report::page
