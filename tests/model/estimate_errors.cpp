// SPDX-License-Identifier: MIT
// The model's errors: estimates of all that docs/records/h200.jsonl has timed of the solutions and their
// variants, beside what was measured. Prints the tables of docs/estimates.md, or with --all a line for each
// record.
//
//   estimate-errors [--all] [--only WORD] [--cache FOLDER] [RECORDS]     from the source tree
//   estimate-errors --records [--part K N] > docs/records/estimates/h200.jsonl
//   estimate-errors --bounds | --write-up [--cache FOLDER]
//
// --records: a line of JSON for each, of which the document's tables are made (error_tables.hpp); with
// --part only every N-th row, beginning with row K, so that N of these can run at a time.
// --bounds: what holds a launch back, as estimated and as ncu's figures in docs/records/stalls show.
// --write-up: an RTX 4090 beside the times of docs/measured-results.md, which nothing was fitted to.
// --only: rows in whose description the word occurs, as "03/" or "sweep: grid".
// --cache keeps what the model is fed with, so that another try with other parameters takes seconds.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/estimated.hpp"
#include "cli/known_devices.hpp"
#include "error_tables.hpp"
#include "kept_input.hpp"
#include "measure/records.hpp"
#include "recorded_launches.hpp"

namespace {

struct Row {
  measure::Record record;
  double estimated = 0, estimated_without_nvcc = 0;
  std::string group, bounds;
  bool fitted = false, counted_in_code = false;
  double error() const { return estimated / record.time_ms->median - 1; }
};

// What the parameters and the table of instructions were fitted to: the ladder's rows of two binnings. All
// else was left for the test.
bool is_fitted(const measure::Record& record) {
  return record.kind == "bench" && record.length == std::uint64_t{1} << 30 && record.variant != "letters" &&
         record.exercise.problem == "histogram";
}

std::string group_of(const measure::Record& record) {
  if (is_fitted(record)) return "ladder, letters4 and bytes";
  if (record.exercise.problem != "histogram") return "sums of x1";
  if (record.kind == "bench" && record.length == std::uint64_t{1} << 30) return "ladder, letters";
  if (record.kind == "sweep") return "sweep: " + record.sweep->name;
  return record.exercise.is_variant() ? "variants" : "other lengths";
}

std::optional<model::Estimate> estimated(const measure::Record& record, const model::Device& device,
                                         const std::string& cache, cli::ModelInput* used = nullptr) {
  const auto question = recorded_launches::question_of(record);
  if (!question) return std::nullopt;
  std::string name =
      fmt::format("{}-{}-{}-{}-{}-{}-{}-{}-{}.cbor", record.exercise.lab, record.exercise.name,
                  record.variant, record.input, record.length, record.launch.grid, record.launch.block,
                  record.sweep ? record.sweep->name : "", record.sweep ? record.sweep->value : 0);
  std::ranges::replace(name, ' ', '_');
  const std::string path = cache + "/" + name;
  if (!cache.empty()) {
    if (const auto fed = kept_input::kept(path)) {
      if (used) *used = *fed;
      return model::estimate(fed->launch, fed->samples, device);
    }
  }
  cli::ModelInput fed;
  const cli::Estimated result = cli::estimated_run(*question, device, &fed);
  if (!result.estimate) {
    fmt::print(stderr, "{}: {}\n", name, result.message);
    return std::nullopt;
  }
  if (!cache.empty()) kept_input::keep(path, fed);
  if (used) *used = fed;
  return result.estimate;
}

// --- tables
// -----------------------------------------------------------------------------------------------------------

// As docs/records/estimates keeps it.
error_tables::Json json_of(const Row& row) {
  const measure::Record& record = row.record;
  error_tables::Json json{{"group", row.group},
                          {"fitted", row.fitted},
                          {"lab", record.exercise.lab},
                          {"exercise", record.exercise.name},
                          {"variant", record.variant},
                          {"input", record.input},
                          {"length", record.length},
                          {"launch", {{"grid", record.launch.grid}, {"block", record.launch.block}}}};
  if (record.sweep) json["sweep"] = {{"name", record.sweep->name}, {"value", record.sweep->value}};
  json["measured_ms"] = record.time_ms->median;
  json["ms"] = row.estimated;
  json["ms_without_nvcc"] = row.estimated_without_nvcc;
  json["counted_in_code"] = row.counted_in_code;
  return json;
}

void print_rows(std::vector<Row> rows) {
  std::ranges::stable_sort(rows, {}, &Row::group);
  for (const Row& row : rows) {
    const measure::Record& record = row.record;
    fmt::print("{:<28} {:<36} {:<8} {:<22} {:>11} {:>8} x {:<4} {:>10.4f} ms {:>10.4f} {:>+6.1f} %  {}\n",
               row.group, record.exercise.lab.substr(0, 2) + "/" + record.exercise.name, record.variant,
               record.input, record.length, record.launch.grid, record.launch.block, record.time_ms->median,
               row.estimated, 100 * row.error(), row.bounds);
  }
}

// --- what holds a launch back
// ------------------------------------------------------------------------------------------------------------

// What ncu's figures show: a unit that is busy for four fifths of the time, or else what warps wait for most.
std::set<std::string> bounds_shown(const nlohmann::json& figures) {
  constexpr double busy = 80;
  const std::map<std::string, std::set<std::string>> bounds_of_unit{
      {"issue", {"issue"}}, {"l1", {"l1", "shared_memory"}}, {"l2_slice", {"atomics"}}, {"dram", {"dram"}}};
  const std::map<std::string, std::set<std::string>> bounds_of_stall{
      {"long_scoreboard", {"waiting"}},
      {"short_scoreboard", {"waiting", "shared_memory"}},
      {"barrier", {"barrier"}},
      {"mio_throttle", {"l1", "shared_memory"}},
      {"lg_throttle", {"l1", "shared_memory"}},
      {"drain", {"atomics"}},
      {"not_selected", {"issue"}}};
  const auto largest = [](const nlohmann::json& of, const auto& named) {
    std::pair<std::string, double> most{"", 0};
    for (const auto& [name, value] : of.items()) {
      if (named.contains(name) && value.template get<double>() > most.second) most = {name, value};
    }
    return most;
  };
  const auto unit = largest(figures.at("busy"), bounds_of_unit);
  if (unit.second >= busy) return bounds_of_unit.at(unit.first);
  return bounds_of_stall.at(largest(figures.at("stalls"), bounds_of_stall).first);
}

void print_bounds(const model::Device& device, const std::string& cache) {
  fmt::print(
      "| kernel | binning | input | ncu shows | estimated, the two largest | |\n|---|---|---|---|---|---|\n");
  std::ifstream file(workbook::here().source_root + "/docs/records/stalls/h200.jsonl");
  unsigned rows = 0, right = 0;
  for (std::string line; std::getline(file, line);) {
    const nlohmann::json json = nlohmann::json::parse(line);
    measure::Record record;
    record.exercise.problem = "histogram";
    record.exercise.lab = json["lab"];
    record.exercise.name = json["exercise"];
    record.variant = json["binning"];
    record.input = json["input"];
    record.length = json["length"];
    record.launch = {json["launch"]["grid"], json["launch"]["block"]};
    const auto estimate = estimated(record, device, cache);
    if (!estimate) continue;
    const std::set<std::string> shown = bounds_shown(json);
    const std::string first{estimate->bound_by[0].what}, second{estimate->bound_by[1].what};
    const bool agrees = shown.contains(first) || shown.contains(second);
    ++rows;
    right += agrees;
    fmt::print("| {}/{} | `{}` | {} | {} | {} {:.0f} %, {} {:.0f} % | {} |\n",
               record.exercise.lab.substr(0, 2), record.exercise.name, record.variant, record.input,
               fmt::join(shown, " or "), first, 100 * estimate->bound_by[0].share, second,
               100 * estimate->bound_by[1].share, agrees ? "" : "no");
  }
  fmt::print("\n{} of {}\n", right, rows);
}

// --- times that others have measured
// ------------------------------------------------------------------------------------------------------------

void print_write_up(const std::string& cache) {
  struct Row {
    const char *lab, *exercise;
    unsigned grid, block;  // 0: the exercise's own
    double ms;
  };
  constexpr std::uint64_t length = std::uint64_t{1} << 30;
  constexpr std::array<Row, 4> rows{{{"04_shared_memory", "histogram", length / 256, 256, 2.746},
                                     {"05_coarsening", "contiguous-c4_once", length / 1024, 256, 1.135},
                                     {"05_coarsening", "interleaved-once", length / 1024, 256, 1.935},
                                     {"06_aggregation", "histogram", length / 1024, 256, 2.152}}};
  const model::Device device = cli::find_device("rtx4090");
  fmt::print("| kernel | blocks of 256 threads | there, ms | estimate, ms | |\n|---|---:|---:|---:|---:|\n");
  for (const Row& row : rows) {
    measure::Record record;
    record.exercise.problem = "histogram";
    record.exercise.lab = row.lab;
    record.exercise.name = row.exercise;
    record.variant = "letters4";
    record.input = "letters";
    record.length = length;
    record.launch = {row.grid, row.block};
    const auto estimate = estimated(record, device, cache);
    if (!estimate) continue;
    fmt::print("| {}/{} | {} | {} | {:.2f} | {:+.0f} % |\n", record.exercise.lab.substr(0, 2), row.exercise,
               row.grid, row.ms, estimate->ms, 100 * (estimate->ms / row.ms - 1));
  }
}

void print_tables(const std::vector<error_tables::Json>& lines) {
  fmt::print("{}\nwithout nvcc:\n\n{}", error_tables::errors(error_tables::rows_of(lines, "ms")),
             error_tables::errors(error_tables::rows_of(lines, "ms_without_nvcc")));
}

}  // namespace

int main(int argument_count, char** arguments) {
  std::vector<std::string> words(arguments + 1, arguments + argument_count);
  bool all = false, bounds = false, as_records = false;
  std::size_t part = 0, parts = 1, row_number = 0;
  std::string cache, only, file = workbook::here().source_root + "/docs/records/h200.jsonl";
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--all") {
      all = true;
    } else if (words[i] == "--bounds") {
      bounds = true;
    } else if (words[i] == "--write-up") {
      print_write_up(cache);
      return 0;
    } else if (words[i] == "--records") {
      as_records = true;
    } else if (words[i] == "--part" && i + 2 < words.size()) {
      part = std::stoul(words[++i]);
      parts = std::stoul(words[++i]);
    } else if (words[i] == "--only" && i + 1 < words.size()) {
      only = words[++i];
    } else if (words[i] == "--cache" && i + 1 < words.size()) {
      cache = words[++i];
    } else {
      file = words[i];
    }
  }
  const model::Device device = cli::find_device("h200");
  if (bounds) {
    print_bounds(device, cache);
    return 0;
  }
  std::vector<Row> rows;
  for (const nlohmann::ordered_json& json : measure::read_records(file).records) {
    Row row{.record = measure::record_of(json), .group = {}, .bounds = {}};
    const measure::Record& record = row.record;
    if (!traits_of(record.backend).accelerator || !record.is_timed() || record.is_peer() ||
        record.warm_cache || record.kind == "profile" || record.tree != "solution")
      continue;
    row.group = group_of(record);
    if (fmt::format("{} {}/{}", row.group, record.exercise.lab.substr(0, 2), record.exercise.name)
            .find(only) == std::string::npos)
      continue;
    if (row_number++ % parts != part) continue;
    cli::ModelInput fed;
    const auto estimate = estimated(record, device, cache, &fed);
    if (!estimate) continue;
    row.estimated = estimate->ms;
    row.estimated_without_nvcc = kept_input::without_nvcc(fed, device).ms;
    row.counted_in_code = estimate->counted_in_code;
    row.fitted = is_fitted(record);
    for (std::size_t i = 0; i < 4; ++i)
      row.bounds += fmt::format("{} {:.0f} ", estimate->bound_by[i].what, 100 * estimate->bound_by[i].share);
    row.bounds += fmt::format("instructions {:.4g}M", estimate->instructions / 1e6);
    if (as_records) {
      fmt::print("{}\n", json_of(row).dump());
      std::fflush(stdout);
    }
    rows.push_back(std::move(row));
  }
  if (as_records) return 0;
  if (all) print_rows(rows);
  std::vector<error_tables::Json> lines;
  for (const Row& row : rows) lines.push_back(json_of(row));
  print_tables(lines);
}
