// SPDX-License-Identifier: MIT
// The model's errors on kernels that it had not seen. SET is a folder, one of unseen::sets.
//
//   unseen-kernels estimate SET [--cache FOLDER] > docs/records/SET/estimates.jsonl     before anybody has
//                                                                      measured them; again.jsonl afterwards
//   unseen-kernels measure SET > docs/records/SET/h200.jsonl           on an H200
//   unseen-kernels table SET             both, as docs/unseen-kernels.md has them
//
// With names behind SET: these kernels only.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/estimated.hpp"
#include "cli/known_devices.hpp"
#include "cli/measured.hpp"
#include "error_tables.hpp"
#include "kept_input.hpp"
#include "problems/reference.hpp"
#include "support/make_runners.hpp"
#include "unseen.hpp"

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t seed = 1;

Json row_of(const std::string& kernel, const unseen::Case& one) {
  return {{"kernel", kernel},
          {unseen::is_reduction(kernel) ? "operator" : "binning", one.binning},
          {"input", one.input},
          {"length", one.length},
          {"bytes", one.length * one.element_bytes}};
}

measure::Record record_of(const std::string& set, const std::string& kernel, const unseen::Case& one,
                          facts::Backend backend) {
  return {.kind = "run",
          .seed = seed,
          .exercise = unseen::exercise(kernel, set),
          .backend = backend,
          .variant = one.binning,
          .input = one.input,
          .length = one.length};
}

cli::InputMaker maker_of(const std::string& kernel, const unseen::Case& one) {
  return [one, problem = unseen::is_reduction(kernel) ? "reduction" : "histogram"](std::uint64_t length) {
    return problems::reference_of(problem).problem().make_input(one.input, one.binning, length, seed);
  };
}

void print(const Json& row) {
  fmt::print("{}\n", row.dump());
  std::fflush(stdout);  // what there is stays if the rest takes too long
}

bool estimate(const std::string& set, const std::string& kernel, const unseen::Case& one,
              const model::Device& device, const std::string& cache) {
  const std::string path = fmt::format("{}/{}-{}-{}-{}.cbor", cache, set, kernel, one.binning, one.length);
  std::optional<cli::ModelInput> fed;
  if (!cache.empty()) fed = kept_input::kept(path);
  if (!fed) {
    fed.emplace();
    const cli::Estimated estimated =
        cli::estimated_run({.record = record_of(set, kernel, one, facts::simulator),
                            .tree = workbook::Tree::solution,
                            .launch = {},
                            .input = maker_of(kernel, one),
                            .compiled = true},
                           device, &*fed);
    if (!estimated.estimate) {
      fmt::print(stderr, "{}: {}\n", kernel, estimated.message);
      return false;
    }
    if (!cache.empty()) kept_input::keep(path, *fed);
  }
  const model::Estimate estimate = model::estimate(fed->launch, fed->samples, device);
  Json row = row_of(kernel, one);
  row["launch"] = {{"grid", fed->launch.grid}, {"block", fed->launch.block}};
  row["registers"] = nullptr;
  if (fed->launch.registers > 0) row["registers"] = fed->launch.registers;
  row["ms"] = estimate.ms;
  row["low"] = estimate.low;
  row["high"] = estimate.high;
  row["ms_without_nvcc"] = kept_input::without_nvcc(*fed, device).ms;
  for (std::size_t i = 0; i < 2; ++i)
    row["bound_by"].push_back({{"what", estimate.bound_by[i].what}, {"share", estimate.bound_by[i].share}});
  print(row);
  return true;
}

// All at a time, for a compiler takes longer than a measurement.
bool make_all(const std::string& set, const std::vector<std::string>& kernels, facts::Backend backend) {
  if (const auto failure = build::update_libraries(workbook::here(), backend)) {
    fmt::print(stderr, "{}", *failure);
    return false;
  }
  std::vector<workbook::Target> units;
  for (const std::string& kernel : kernels)
    units.push_back(
        workbook::here().target(unseen::exercise(kernel, set), workbook::Tree::solution, backend));
  const std::string printed = make_runners(units);
  fmt::print(stderr, "{}", printed);
  return printed.empty();
}

bool measure_one(const std::string& set, const std::string& kernel, const unseen::Case& one) {
  const measure::Record record =
      cli::measured_run(record_of(set, kernel, one, facts::accelerator), workbook::Tree::solution,
                        *maker_of(kernel, one)(one.length));
  if (!record.passed() || !record.time_ms) {
    fmt::print(stderr, "{}: {}\n", kernel, record.finding.message);
    return false;
  }
  Json row = row_of(kernel, one);
  row["launch"] = {{"grid", record.launch.grid}, {"block", record.launch.block}};
  row["ms"] = record.time_ms->median;
  row["samples"] = record.time_ms->samples;
  if (record.occupancy) row["registers"] = record.occupancy->registers;
  print(row);
  return true;
}

}  // namespace

int main(int argument_count, char** arguments) {
  std::vector<std::string> words(arguments + 1, arguments + argument_count);
  const std::string what = words.size() < 2 ? "" : words[0], set = words.size() < 2 ? "" : words[1];
  if (std::ranges::count(std::array{"estimate", "measure", "table"}, what) == 0 ||
      std::ranges::count(unseen::sets, set) == 0) {
    fmt::print(stderr, "usage: unseen-kernels estimate|measure|table {} [NAME...]\n",
               fmt::join(unseen::sets, "|"));
    return 2;
  }
  if (what == "table") {
    const std::string folder = workbook::here().source_root + "/docs/records/" + set + "/";
    fmt::print("{}", error_tables::unseen(error_tables::lines_of(folder + "estimates.jsonl"),
                                          error_tables::measured_of(folder)));
    return 0;
  }
  std::vector<std::string> chosen(words.begin() + 2, words.end());
  std::string cache;  // as for estimate-errors
  if (const auto option = std::ranges::find(chosen, "--cache");
      option != chosen.end() && option + 1 != chosen.end()) {
    cache = *(option + 1);
    chosen.erase(option, option + 2);
  }
  if (chosen.empty()) chosen = unseen::kernels(set);
  const model::Device device = cli::find_device("h200");
  bool all = make_all(set, chosen, what == "estimate" ? facts::simulator : facts::accelerator);
  for (std::size_t i = 0; i < unseen::cases.size(); ++i) {
    for (const std::string& kernel : chosen) {
      const unseen::Case& one = unseen::case_of(kernel, i);
      all &= what == "estimate" ? estimate(set, kernel, one, device, cache) : measure_one(set, kernel, one);
    }
  }
  return all ? 0 : 1;
}
