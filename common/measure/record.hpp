// SPDX-License-Identifier: MIT
// Everything that is known of one run of one exercise on one input: what was asked, what came of it, and
// where and when. Measuring fills it, tables and plots show it, and records.jsonl keeps it: its JSON is
// written and read here alone (docs/records.md, docs/command-line.md).
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "facts/backend.hpp"
#include "facts/launch_shape.hpp"
#include "facts/verdict.hpp"
#include "judge/check.hpp"
#include "problems/reference.hpp"
#include "runner/protocol.hpp"
#include "workbook/workbook.hpp"

namespace measure {

// Of the keys that every record has. It is raised when a reader of old records would misunderstand new ones.
constexpr int record_schema = 1;

// What only hardware tells, by the names of measured_figures(), in their units.
using Figures = std::map<std::string, double>;

// Quartiles interpolate linearly between the neighbouring samples (Hyndman and Fan, 1996, definition 7).
struct Summary {
  double median, min, q1, q3;
  std::size_t samples;
};

// Precondition: at least one sample.
Summary summarize(std::vector<double> samples);

// A win is claimed only where the quartiles do not overlap: three in four samples of the one are below three
// in four of the other.
bool is_faster(const Summary& one, const Summary& other);

// A point of a sweep.
struct Swept {
  std::string name;  // the sweep's
  std::uint64_t value = 0;
};

// What a GPU would take, by the timing model: never among times. It is of the same kernel and kind of input,
// but of a launch for that GPU, which is longer than what the simulator counts.
struct Share {
  std::string what;  // "dram", "atomics", ...
  double share = 0;  // of the time for which it kept the launch busy, or waiting
};
struct Estimate {
  std::string gpu, name;     // "h200", "NVIDIA H200"
  std::uint64_t length = 0;  // in elements
  LaunchShape launch = {0, 0};
  double ms = 0, low = 0, high = 0;
  std::vector<Share> bound_by;  // the largest first
  bool calibrated = false;      // whether that GPU was measured for the model
};

struct Machine {
  std::string system, kernel, cpu;
  std::uint64_t cpus = 0, memory_mib = 0;
  std::map<std::string, std::string> gpu = {};  // what it says of itself; empty: none
};

// The tree of a record that belongs to no lab.
constexpr const char* peer_tree = "peer";

struct Record {
  // What it takes to repeat the run.
  std::string commit;  // with a "+" behind it if files differed; empty where it is not known
  Machine machine;
  std::string time, command;  // UTC, as in "2026-11-20T17:00:00Z"; what the user typed

  // What was asked.
  std::string kind;  // "run", "tour", "bench", "variants", "sweep", "profile"
  std::string tree;  // "solution", "student", or "peer" for what belongs to no lab
  std::optional<std::uint64_t> seed;
  std::optional<Swept> sweep;
  workbook::ExerciseInfo exercise = {};  // as read back, without its file
  facts::Backend backend = facts::Backend::sim;
  std::string variant, input;  // the variant of the problem, and the input's name
  std::uint64_t length = 0;    // of the input, in elements of the variant
  bool warm_cache = false;     // timed on a GPU with what the run before had left in the L2 cache

  // What came of it.
  facts::Finding finding = {};        // pass, or what went wrong
  problems::Result result, expected;  // of the kernel, over all pieces, and of the CPU over the same
  std::optional<runner::Unfinished> unfinished = {};  // then there is no result
  problems::Output parts = {};            // what the blocks of its first launch left, if that was asked for
  LaunchShape launch = {0, 0};            // over the first piece
  std::size_t launches = 0;               // one for each piece of the input
  std::optional<Summary> time_ms;         // the kernel alone, over all pieces; none without a pass
  std::optional<Estimate> estimate = {};  // beside the time or instead of one
  std::optional<double> clock_mhz;        // of the GPU's multiprocessors: the median over the samples
  unsigned dropped = 0;                   // samples that do not count, because the GPU had lowered its clock
  std::optional<runner::Occupancy> occupancy;  // of a kernel timed on a GPU
  facts::Counters counters;
  Figures figures;                                  // of a profile
  facts::Counters simulated;                        // of the same launch, where the record holds both
  std::map<std::uint64_t, facts::Counters> places;  // by place in the program, if that was asked for
  std::optional<facts::Trace> trace;                // if it was asked for; up to where the kernel was ended
  std::optional<runner::StreamAnswer> stream = {};  // of the first piece, if it was asked for
  std::vector<facts::Finding> notes;                // worth knowing and not wrong
  std::string output;  // the end of what the kernel printed, as lines for a message; empty: nothing

  std::uint64_t bytes() const;  // of the input
  bool passed() const { return finding.verdict == facts::Verdict::pass; }
  bool is_peer() const { return tree == peer_tree; }
  bool is_timed() const { return passed() && time_ms.has_value(); }
};

// Of the median or another time: bytes of input over it, in GB/s (10^9 bytes per second).
double throughput_gb_s(const Record& record, double time_ms);
// Of the median; 0 if the run was not timed.
double throughput_gb_s(const Record& record);

// Of its estimate. Precondition: it has one.
double estimated_gb_s(const Record& record, double ms);
double estimated_gb_s(const Record& record);
// Whether a time of the same input stands beside the estimate, so that they can be compared.
bool has_both(const Record& record);

// The problem of its exercise.
const problems::Problem& problem_of(const Record& record);
// The variant under the name of its option, as messages say it.
std::string variant_text(const Record& record);

// "04", "05/contiguous": what a user types. A lab that the workbook does not know is taken to have several
// exercises.
std::string short_name(const workbook::ExerciseInfo& exercise);

// "04 shared_memory", "05/contiguous", "CUB": what tables and plots call it.
std::string title_of(const Record& record);
std::string title_of(const workbook::ExerciseInfo& exercise);

// The lines that records.jsonl holds. Reading throws facts::FieldError where the document lacks what every
// record has, or holds something else there.
nlohmann::ordered_json kept_json(const Record& record);
Record record_of(const nlohmann::ordered_json& json);

// The document of `lab run --json`, and the part that it begins with: what was run on what, and what is the
// matter with it.
nlohmann::ordered_json run_json(const workbook::Workbook& workbook, const Record& record);
nlohmann::ordered_json heading_json(const Record& record);

// Messages with their places, as all documents write them.
nlohmann::ordered_json places_json(const workbook::Workbook& workbook,
                                   const std::vector<facts::Location>& places);
nlohmann::ordered_json notes_json(const workbook::Workbook& workbook,
                                  const std::vector<facts::Finding>& notes);

}  // namespace measure
