// SPDX-License-Identifier: MIT
// How many instructions the model counts, beside those that ncu counted on an H200: of the solutions and
// their variants (docs/records/h200.jsonl) and of the kernels of experts (tests/golden/h200.jsonl). In the
// machine code, and by the table where there is none.
//
//   instruction-errors [--features] [--unseen] [--cache FOLDER] [WORD]
//
// --features: what the table is fitted to, instead: a line for each launch, all per warp.
// --unseen: of the sets of unseen.hpp, whose instructions nobody has counted: the table beside the code.
// WORD: launches in whose name it occurs.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <vector>

#include "cli/known_devices.hpp"
#include "error_tables.hpp"
#include "kept_input.hpp"
#include "recorded_launches.hpp"
#include "support/make_runners.hpp"
#include "unseen.hpp"

namespace {

struct Launch {
  std::string name;
  cli::EstimateQuestion question;
  double instructions = 0;  // of all warps, by ncu; 0: not counted
};

std::vector<Launch> of_solutions() {
  constexpr std::uint64_t long_enough = std::uint64_t{1} << 28;
  std::vector<Launch> all;
  const std::string file = workbook::here().source_root + "/docs/records/h200.jsonl";
  for (const nlohmann::ordered_json& json : measure::read_records(file).records) {
    const measure::Record record = measure::record_of(json);
    if (record.kind != "profile" || record.length < long_enough) continue;
    const auto question = recorded_launches::question_of(record);
    if (!question) continue;
    all.push_back({fmt::format("{}-{}-{}-{}", measure::short_name(record.exercise), record.variant,
                               record.input, record.length),
                   *question, record.figures.at("instructions")});
  }
  return all;
}

std::vector<Launch> of_experts() {
  std::vector<Launch> all;
  for (const error_tables::Json& line :
       error_tables::lines_of(workbook::here().source_root + "/tests/golden/h200.jsonl")) {
    if (!line.contains("launch")) continue;
    std::istringstream words(line["launch"].get<std::string>());
    std::string kind, kernel, input, binning;
    std::uint64_t length = 0;
    words >> kind >> kernel >> input >> length >> binning;
    if (kind != "expert") continue;
    const auto set = std::ranges::find_if(unseen::sets, [&](const std::string& one) {
      return std::ranges::count(unseen::kernels(one), kernel) > 0;
    });
    if (set == unseen::sets.end()) continue;
    const char* const problem = unseen::is_reduction(kernel) ? "reduction" : "histogram";
    const measure::Record record{.kind = "run",
                                 .seed = 1,
                                 .exercise = unseen::exercise(kernel, *set),
                                 .backend = facts::simulator,
                                 .variant = binning,
                                 .input = input,
                                 .length = length};
    all.push_back({fmt::format("{}-{}-{}", kernel, input, length),
                   {.record = record,
                    .tree = workbook::Tree::solution,
                    .launch = {},
                    .input =
                        [record, problem](std::uint64_t elements) {
                          return problems::reference_of(problem).problem().make_input(
                              record.input, record.variant, elements, *record.seed);
                        },
                    .compiled = true},
                   line["also"]["instructions"]});
  }
  return all;
}

// Over 1 GiB.
std::vector<Launch> of_unseen() {
  std::vector<Launch> all;
  for (const std::string& set : unseen::sets) {
    for (const std::string& kernel : unseen::kernels(set)) {
      for (const std::size_t number : {std::size_t{0}, std::size_t{1}}) {
        const unseen::Case& one = unseen::case_of(kernel, number);
        const measure::Record record{.kind = "run",
                                     .seed = 1,
                                     .exercise = unseen::exercise(kernel, set),
                                     .backend = facts::simulator,
                                     .variant = one.binning,
                                     .input = one.input,
                                     .length = one.length};
        const char* const problem = unseen::is_reduction(kernel) ? "reduction" : "histogram";
        all.push_back({fmt::format("{}-{}-{}-{}", set, kernel, one.binning, one.length),
                       {.record = record,
                        .tree = workbook::Tree::solution,
                        .launch = {},
                        .input =
                            [record, problem](std::uint64_t elements) {
                              return problems::reference_of(problem).problem().make_input(
                                  record.input, record.variant, elements, *record.seed);
                            },
                        .compiled = true}});
      }
    }
  }
  return all;
}

// Of a warp.
struct Features {
  double accesses = 0, computed = 0, entered = 0, between = 0, guarded = 0, arithmetic = 0, branches = 0,
         divisions = 0, barriers = 0, in_code = 0, by_table = 0;
  static constexpr std::array all{&Features::accesses, &Features::computed,  &Features::entered,
                                  &Features::between,  &Features::guarded,   &Features::arithmetic,
                                  &Features::branches, &Features::divisions, &Features::barriers,
                                  &Features::in_code,  &Features::by_table};
};

Features features_of(const model::Stream& stream, const std::optional<model::MachineCode>& code) {
  Features sum;
  double warps = 0;
  const model::InstructionTable table;
  for (const model::BlockSteps& block : stream.blocks) {
    for (const model::WarpSteps& warp : block.warps) {
      ++warps;
      for (const model::Step& step : warp) {
        const int between = std::max(0, step.blocks() - 1);
        const bool is_barrier = step.kind == model::StepKind::block_barrier,
                   is_access = step.kind != model::StepKind::warp_ends && !is_barrier;
        sum.entered += step.entered;
        sum.between += between;
        sum.arithmetic += step.arithmetic;
        sum.branches += step.branches;
        sum.divisions += step.divisions;
        sum.barriers += is_barrier;
        sum.accesses += is_access;
        sum.computed += step.computed;
        sum.guarded += is_access && step.entered > 1 && step.kind != model::StepKind::global_load &&
                       step.kind != model::StepKind::shared_load && step.kind < model::StepKind::shuffle;
        sum.by_table += model::instructions(step, table);
      }
    }
  }
  for (double Features::*one : Features::all) sum.*one /= warps;
  sum.by_table += table.warp;
  const auto executed = code ? code->executed(model::accesses_of(stream)) : std::nullopt;
  sum.in_code = executed ? executed->instructions : 0;
  return sum;
}

// With as much work for each thread as in the launch: what more work adds in the samples it adds further.
Features features_of(const cli::ModelInput& fed) {
  const model::Sample &less = fed.samples.front(), &more = fed.samples.back();
  Features result = features_of(more.stream, fed.launch.code);
  if (more.work <= less.work) return result;
  const Features of_less = features_of(less.stream, fed.launch.code);
  const double times = (fed.launch.work - more.work) / (more.work - less.work);
  for (double Features::*one : Features::all) result.*one += times * (result.*one - of_less.*one);
  return result;
}

double warps_of(const model::Launch& launch) {
  constexpr unsigned lanes = 32;
  return static_cast<double>(launch.grid * ((launch.block + lanes - 1) / lanes));
}

std::optional<cli::ModelInput> fed_by(const Launch& one, const model::Device& device,
                                      const std::string& cache) {
  std::string name = one.name + ".cbor";
  std::ranges::replace(name, '/', '_');
  const std::string path = cache + "/" + name;
  if (auto fed = cache.empty() ? std::nullopt : kept_input::kept(path)) return fed;
  cli::ModelInput fed;
  const cli::Estimated estimated = cli::estimated_run(one.question, device, &fed);
  if (fed.samples.empty()) {
    fmt::print(stderr, "{}: {}\n", one.name, estimated.message);
    return std::nullopt;
  }
  if (!cache.empty()) kept_input::keep(path, fed);
  return fed;
}

}  // namespace

int main(int argument_count, char** arguments) {
  bool features = false, is_unseen = false;
  std::string cache, word;
  for (int i = 1; i < argument_count; ++i) {
    const std::string option = arguments[i];
    if (option == "--features") {
      features = true;
    } else if (option == "--unseen") {
      is_unseen = true;
    } else if (option == "--cache" && i + 1 < argument_count) {
      cache = arguments[++i];
    } else {
      word = option;
    }
  }
  std::vector<Launch> launches = is_unseen ? of_unseen() : of_solutions();
  if (!is_unseen) {
    for (Launch& one : of_experts()) launches.push_back(std::move(one));
  }
  std::erase_if(launches, [&](const Launch& one) { return one.name.find(word) == one.name.npos; });
  std::vector<workbook::Target> units;
  for (const Launch& one : launches)
    units.push_back(
        workbook::here().target(one.question.record.exercise, workbook::Tree::solution, facts::simulator));
  if (const auto failure = build::update_libraries(workbook::here(), facts::simulator)) {
    fmt::print(stderr, "{}", *failure);
    return 1;
  }
  fmt::print(stderr, "{}", make_runners(units));
  const model::Device device = cli::find_device("h200");
  if (!features) fmt::print("{:60} {:>12} {:>8} {:>8}\n", "launch", "ncu", "code", "table");
  for (const Launch& one : launches) {
    const auto fed = fed_by(one, device, cache);
    if (!fed) continue;
    const Features found = features_of(*fed);
    const double warps = warps_of(fed->launch),
                 instructions = is_unseen ? found.in_code * warps : one.instructions;
    if (features) {
      fmt::print("{} {}", one.name, instructions / warps);
      for (double Features::*feature : Features::all) fmt::print(" {}", found.*feature);
      fmt::print("\n");
      continue;
    }
    const auto error = [&](double counted) { return 100 * (counted * warps / instructions - 1); };
    fmt::print("{:60} {:12.0f} {:+8.1f} {:+8.1f}\n", one.name, instructions, error(found.in_code),
               error(found.by_table));
  }
  return 0;
}
