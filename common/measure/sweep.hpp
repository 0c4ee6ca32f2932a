// SPDX-License-Identifier: MIT
// One exercise measured over a range of one thing: threads per block, blocks, bytes per thread, length, or
// contention, by how many different values the problem says. A sweep is measured here or found among records.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "measure/record.hpp"
#include "problems/reference.hpp"
#include "workbook/workbook.hpp"

namespace measure {

struct SweepOptions {
  workbook::Tree tree = workbook::Tree::solution;
  unsigned multiprocessors = 1;
  // An input of the chosen kind.
  std::function<std::unique_ptr<problems::Input>(std::uint64_t length)> make_input;
  std::function<void(double)> progress;  // may be empty
};

// What can be swept: a row of a table in sweep.cpp.
struct SweepKind {
  using Launch = std::pair<std::optional<unsigned>, std::optional<unsigned>>;  // threads per block, blocks

  std::string_view name, unit;  // "block", "threads per block"; empty: the problem's, see unit_of
  bool sets_grid;               // the exercise must leave the number of blocks open
  std::uint64_t shortest;       // of the inputs that it can begin with
  // In ascending order. `asked`: the record that every point begins with; its length is the longest.
  std::vector<std::uint64_t> (*values)(const Record& asked, const SweepOptions& options);
  // In place of the exercise's own.
  Launch (*launch)(std::uint64_t value, const Record& asked);
  // The point's input; null: all points have the same.
  std::unique_ptr<problems::Input> (*input)(std::uint64_t value, const Record& asked,
                                            const SweepOptions& options);
  // The input's name where it is another than the asked one's; null: it is not.
  std::string (*input_name)(std::uint64_t value, const Record& asked);
  // What a point on the simulator shows, and what that is called; empty: what the problem says.
  problems::TourFigure counted = {};

  bool varies_input() const { return input_name != nullptr; }
  bool varies_length() const { return input != nullptr && !varies_input(); }
};

std::span<const SweepKind> sweep_kinds();
// Null if there is none of that name.
const SweepKind* find_sweep(std::string_view name);
// The kind of which the record is a point; one of its name that varies nothing where it is not known here.
SweepKind kind_of(const Record& point);

// What a point on the simulator shows, by its kind or else its problem; nullopt where it shows nothing.
std::optional<double> counted(const Record& point);
// What that is called: "global atomics per byte".
std::string_view counted_unit(const Record& point);

// Of the kind, or what the exercise's problem calls its elements, or its contention.
std::string_view unit_of(const SweepKind& kind, const workbook::ExerciseInfo& exercise);

// Whether the exercise's manifest lists it.
bool applies(const SweepKind& kind, const workbook::ExerciseInfo& exercise);

// The points in ascending order. Those over one input are measured in turns. Every record begins with
// `asked`. Precondition: applies(kind, asked.exercise), and the exercise's runner is built.
std::vector<Record> measured_sweep(const workbook::Workbook& workbook, const SweepKind& kind, Record asked,
                                   const SweepOptions& options);

struct Curve {
  std::vector<Record> points;  // of one exercise that passed, in ascending order of what is swept
};

struct Sweep {
  std::vector<Curve> curves;  // at least one, in the order in which the exercises were first swept
  bool timed = false;         // on a GPU; else counted on the simulator

  const Record& first() const { return curves.front().points.front(); }
  const std::string& name() const { return first().sweep->name; }
};

// The sweeps among records. What is swept with the same tree, input, variant and length belongs together; of
// each exercise the newest run. One on the simulator that counted nothing but 0, and was not estimated, is
// left out.
std::vector<Sweep> sweeps(const std::vector<Record>& records);

}  // namespace measure
