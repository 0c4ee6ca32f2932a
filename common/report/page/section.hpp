// SPDX-License-Identifier: MIT
// A section of the page: a function in a file of its own, and a line in page.cpp's list.
#pragma once

#include <string>
#include <vector>

#include "measure/ladder.hpp"
#include "measure/ncu/profile.hpp"
#include "measure/records.hpp"
#include "measure/sweep.hpp"
#include "report/page/gnuplot.hpp"
#include "report/page/html.hpp"
#include "report/page/page.hpp"

namespace report::page {

using measure::Ladder;
using measure::Record;

// All that a section may show: of one problem.
struct Material {
  const problems::Problem& problem;
  std::vector<Record> records;  // of the page's machine
  // What the simulator counted, on whatever machine, and the page's records behind them: counts do not depend
  // on the machine.
  std::vector<Record> counts;
  std::vector<Ladder> ladders;
  std::vector<measure::Sweep> sweeps;
  const std::vector<PredictionRow>& predictions;
};

// The section's HTML without its heading; empty where there is nothing to show, and the page has no such
// section.
using SectionBody = std::string(const Material& material, Plotter& plotter);

// The command that fills the section; empty: there is none, because the problem has nothing of the kind, or
// because what is missing is only counts (uncounted_list).
using FillingCommand = std::string(const Material& material);

// "1 GiB of letters, ", the variant, and ", the solutions".
std::string setting_text(const Record& record);

// A lab of the ladder that has an estimate; null if none has.
const Record* estimated_lab(const Ladder& ladder);
// The bytes that its estimate is over, and the setting with that length: "1 GiB of letters, ...".
std::uint64_t estimated_bytes(const Record& record);
std::string estimated_setting_text(const Record& record);
// The labs' estimates in a box, and where a time was measured over the same input that and the difference;
// empty where there are none.
std::string estimate_table(const Ladder& ladder);
// What holds a kernel back most, by its estimate: "waiting for loads, 87 %".
std::string bound_text(const measure::Estimate& estimate);

// "lab bench", for another problem than the course's "lab bench x1", and the options behind it.
std::string bench_command(const problems::Problem& problem, const std::string& options = {});

// A lab of the problem that launches a kernel, as a user types it: the first, "02"; and an exercise that has
// something to count, one in the middle, "04". LAB if there is none in the workbook.
std::string first_lab(const problems::Problem& problem);
std::string middle_exercise(const problems::Problem& problem);

// The record of the simulator that counted the same exercise over the same variant and input, launched with
// the same threads per block and elements per thread: what it counted per byte holds for this launch too. The
// newest; null if there is none.
const Record* counted_like(const Record& measured, const std::vector<Record>& counts);

// The command that makes such a record, over a short input; and the one that counts the very same launch.
std::string counting_command(const Record& measured);
std::string recounting_command(const Record& measured);

// The launches of ladders and profiles that nobody has counted yet, as a folded list of commands that do;
// empty if there are none.
std::string uncounted_list(const Material& material);

// Profiles, each beside what the simulator counted of the same launch on whatever machine.
std::vector<measure::CountedOnBoth> profiles_of(const Material& material);

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
};

// One for each tree and variant whose ladder was timed together with the limit of reading.
std::vector<Roofline> rooflines(const std::vector<Ladder>& ladders, const std::vector<Record>& counts);

// The simulator's counters of each lab, under the problem's columns.
std::string counted_table(const Ladder& ladder);

// What became of a quantity from one lab to the next.
struct Change {
  std::string quantity;  // "global atomics per byte"
  double before = 0, after = 0;
};

// One lab beside the one before it, on the same input.
struct Step {
  Record before, after;
  measure::Gain gain;
  // What fell and what rose most, by ratio: of the counters of both, and of what a profiler measured of both.
  // What changed by less than a tenth is left out.
  std::vector<Change> fell, rose;
};

// Between neighbouring labs of a timed ladder.
std::vector<Step> steps(const Ladder& ladder, const Material& material);

}  // namespace report::page
