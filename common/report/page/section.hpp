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
  const problems::Problem& problem;  // that the page is about: commands are those of its labs
};

// The section's HTML without its heading; it says what is missing where there is nothing to show. Empty: the
// problem has nothing of the kind, and the page no such section.
using SectionBody = std::string(const Material& material, Plotter& plotter);

// "1 GiB of letters, ", the variant, and ", the solutions".
std::string setting_text(const measure::Record& record);

// "Nothing yet. To measure it: lab bench --sweep block"
std::string nothing_yet(const std::string& command);

// "lab bench", for another problem than the course's "lab bench x1", and the options behind it.
std::string bench_command(const problems::Problem& problem, const std::string& options = {});

// A lab of the problem that launches a kernel, as a user types it: the first, "02"; and an exercise that has
// something to count, one in the middle, "04". LAB if there is none in the workbook.
std::string first_lab(const problems::Problem& problem);
std::string middle_exercise(const problems::Problem& problem);

using measure::Ladder;
using measure::Record;

struct RooflinePoint {
  Record measured;
  double gb_s = 0;
  double atomics_a_byte = 0;
  bool shared = false;  // most of them on shared memory
};

struct Roofline {
  std::string tree, variant_option, variant;
  double read_limit_gb_s = 0;
  double global_rate = 0,
         shared_rate = 0;  // the highest that were reached, in billions of atomics per second; 0: none
  std::vector<RooflinePoint> points;
  std::vector<Record> uncounted;  // measured, but no such launch was counted on the simulator

  bool is_complete() const { return uncounted.empty(); }
};

// One for each tree and variant whose ladder was timed together with the limit of reading.
std::vector<Roofline> rooflines(const std::vector<Ladder>& ladders, const std::vector<Record>& records);

// The command that counts what is missing for a roofline: the same threads per block and bytes per thread,
// over a short input.
std::string counting_command(const Record& measured);

}  // namespace report::page
