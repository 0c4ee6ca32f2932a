// SPDX-License-Identifier: MIT
// One exercise measured over a range of one thing: threads a block, blocks, bytes a thread, length, or how
// many bins the bytes fall into.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measure/contest.hpp"
#include "problems/input.hpp"
#include "workbook/workbook.hpp"

namespace measure {

enum class SweepKind { block, grid, length, contention, coarsening };

// Where a sweep over the length begins.
constexpr std::uint64_t shortest_swept = 1024;

std::string_view name_of(SweepKind kind);
std::optional<SweepKind> find_sweep(std::string_view name);
// What its values count: "threads a block", ...
std::string_view unit_of(SweepKind kind);

// Whether the exercise's manifest lists it.
bool applies(SweepKind kind, const workbook::ExerciseInfo& exercise);

struct SweepPoint {
  std::uint64_t value;
  std::string input;  // its name
  std::uint64_t length;
  RunReport report;
};

struct SweepOptions {
  workbook::Tree tree = workbook::Tree::solution;
  facts::Backend backend = facts::Backend::gpu;
  std::string binning, input_name;
  std::uint64_t length = 0;  // of the input; for `length`, none is longer
  std::uint64_t seed = 1;
  unsigned multiprocessors = 1;
  // An input of the chosen kind.
  std::function<std::unique_ptr<problems::Input>(std::uint64_t length)> make_input;
  std::function<void(double)> progress;  // may be empty
};

// The points in ascending order. Those over one input are measured in turns. Precondition: applies(kind,
// exercise), and the exercise's runner is built.
std::vector<SweepPoint> sweep(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise,
                              SweepKind kind, const SweepOptions& options);

}  // namespace measure
