// SPDX-License-Identifier: MIT
// Every counter of every launch that was measured on a GPU: the simulator's value is the hardware's, or the
// deviation is listed with its reason.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "experts.hpp"
#include "judge/check.hpp"
#include "kernels.hpp"
#include "measure/run.hpp"
#include "problems/problem.hpp"
#include "simulator/memory_map.hpp"
#include "support/make_runners.hpp"
#include "workbook/workbook.hpp"

namespace {

using Counts = std::map<std::string, std::uint64_t>;

std::vector<std::string> lines_of(const std::string& name) {
  std::ifstream file(std::string(GOLDEN_FOLDER) + "/" + name);
  REQUIRE_MESSAGE(file, name);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.front() != '#') lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> split(const std::string& line, const std::string& separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end; (end = line.find(separator, begin)) != std::string::npos;
       begin = end + separator.size()) {
    parts.push_back(line.substr(begin, end - begin));
  }
  parts.push_back(line.substr(begin));
  return parts;
}

// A launch as a GPU counted it.
struct Record {
  std::string launch;
  unsigned grid = 0;
  Counts counters;
  std::optional<std::uint64_t> checksum;  // of what a kernel wrote
};

std::vector<Record> records() {
  std::vector<Record> result;
  for (const std::string& line : lines_of("h200.jsonl")) {
    const auto json = nlohmann::json::parse(line);
    if (!json.contains("launch")) continue;  // the first says where the rest was measured
    Record record{json.at("launch"), json.at("grid"), json.at("counters"), std::nullopt};
    if (json.contains("checksum")) record.checksum = json.at("checksum").get<std::uint64_t>();
    result.push_back(std::move(record));
  }
  return result;
}

// What the GPU counted when launches that deviate were measured again, by launch. (Of other launches only 6
// figures of 2562 differed from one measurement to the next.)
std::map<std::string, std::vector<Counts>> further_measurements() {
  std::map<std::string, std::vector<Counts>> result;
  for (const std::string& line : lines_of("h200_again.jsonl")) {
    const auto json = nlohmann::json::parse(line);
    if (json.contains("launch")) result[json.at("launch")].push_back(json.at("counters"));
  }
  return result;
}

// --- The same launches on the simulator

// Those that a GPU counts too.
Counts named(const facts::Counters& counters) {
  Counts counts;
  for (const auto& [counter, quantity] : facts::counter_table) {
    if (!quantity.sum.empty()) counts[std::string(quantity.name)] = counters.value(counter);
  }
  return counts;
}

Counts run_kernel(const Record& record, const std::vector<std::string>& words) {
  REQUIRE(words.size() == 4);
  const golden::Kernel* const kernel = golden::find_kernel(words[1]);
  REQUIRE(kernel);
  constexpr std::size_t bytes = golden::elements * sizeof(unsigned);
  simulator::DeviceBuffer in(bytes, {"in", sizeof(unsigned)}), out(bytes, {"out", sizeof(unsigned)});
  auto* const in_words = reinterpret_cast<unsigned*>(in.bytes().data());
  auto* const out_words = reinterpret_cast<unsigned*>(out.bytes().data());
  std::ranges::copy(golden::input(), in_words);
  std::fill_n(out_words, golden::elements, 0u);
  runner::LaunchOutcome outcome;
  kernel->launch(static_cast<unsigned>(std::stoul(words[2])), static_cast<unsigned>(std::stoul(words[3])),
                 in_words, out_words, kernel->parameter, outcome);
  REQUIRE(!outcome.result.refused);
  for (const simulator::Hazard& hazard : outcome.result.hazards) FAIL_CHECK(hazard.what);
  if (record.checksum) CHECK(golden::checksum(out_words) == *record.checksum);
  return named(outcome.result.counters);
}

constexpr std::uint64_t seed = 1;  // as a runner by hand takes it

Counts run_program(const workbook::Target& target, const std::string& input, const std::string& length,
                   const std::string& variant, const runner::RunOptions& options) {
  const problems::Problem* const problem = problems::find_problem(target.exercise.problem);
  REQUIRE(problem);
  const auto made = problem->make_input(input, variant, std::stoull(length), seed);
  const measure::Record report =
      measure::run(judge::runner_settings(target.runner, facts::Backend::sim), *made,
                   {.exercise = target.exercise, .variant = variant}, options);
  CHECK_MESSAGE(report.finding.verdict == facts::Verdict::pass, report.finding.message);
  return named(report.counters);
}

Counts run_solution(const std::vector<std::string>& words) {
  REQUIRE(words.size() == 7);
  const std::vector<workbook::ExerciseInfo> found = workbook::here().find(words[1]);
  REQUIRE(found.size() == 1);
  runner::RunOptions options;
  options.block = static_cast<unsigned>(std::stoul(words[5]));
  if (words[6] != "-") options.grid = static_cast<unsigned>(std::stoul(words[6]));
  return run_program(workbook::here().target(found.front(), workbook::Tree::solution, facts::Backend::sim),
                     words[2], words[3], words[4], options);
}

// In the grid that it had on the GPU, where registers may leave room for fewer blocks.
Counts run_expert(const Record& record, const std::vector<std::string>& words) {
  REQUIRE(words.size() == 5);
  return run_program(golden::expert(words[1], facts::Backend::sim), words[2], words[3], words[4],
                     {.grid = record.grid});
}

Counts simulated(const Record& record) {
  const std::vector<std::string> words = split(record.launch, " ");
  if (words.front() == "expert") return run_expert(record, words);
  return words.front() == "kernel" ? run_kernel(record, words) : run_solution(words);
}

// clang takes the members of a vector apart, and copies one of 16 bytes by a memcpy that it does not
// instrument. It unrolls loops that g++ leaves, so that experts' kernels deviate in other places.
bool is_compiled_otherwise([[maybe_unused]] const std::string& launch) {
#if defined(__clang__)
  const auto has = [&](const char* part) { return launch.find(part) != std::string::npos; };
  return has("quads") || has("sum_of_pairs") || has("expert ");
#else
  return false;
#endif
}

// --- Deviations that are known

using Figure = std::pair<std::string, std::string>;  // launch, counter

struct Deviation {
  std::uint64_t hardware, simulator;
  bool is_repeated;  // the GPU has counted the same each time
  bool met = false;
};

std::map<Figure, Deviation> known_deviations() {
  std::map<Figure, Deviation> result;
  const std::map<std::string, std::vector<Counts>> further = further_measurements();
  for (const std::string& line : lines_of("deviations.txt")) {
    const std::vector<std::string> parts = split(line, " | ");
    REQUIRE_MESSAGE(parts.size() == 5, line);
    REQUIRE_MESSAGE(!parts[4].empty(), line);
    const auto again = further.find(parts[0]);
    REQUIRE_MESSAGE(again != further.end(), "measure again: ", line);
    const std::uint64_t hardware = std::stoull(parts[2]);
    const bool is_repeated = std::ranges::all_of(
        again->second, [&](const Counts& counts) { return counts.at(parts[1]) == hardware; });
    CHECK_MESSAGE(is_repeated != parts[4].ends_with("; differs from run to run"),
                  (is_repeated ? "the GPU counts the same each time: " : "differs from run to run: "), line);
    const Deviation deviation{hardware, std::stoull(parts[3]), is_repeated};
    CHECK_MESSAGE(result.emplace(Figure{parts[0], parts[1]}, deviation).second, "listed twice: ", line);
  }
  return result;
}

struct Agreement {
  unsigned figures = 0, equal = 0, within_2_percent = 0;  // of hardware values above 0

  void add(std::uint64_t hardware, std::uint64_t simulator) {
    if (hardware == 0) return;
    const std::uint64_t difference = std::max(hardware, simulator) - std::min(hardware, simulator);
    ++figures;
    equal += difference == 0;
    within_2_percent += 50 * difference <= hardware;
  }
};

// Each counter of each launch is the GPU's, but for listed deviations.
void compare(const std::vector<Record>& launches) {
  std::map<Figure, Deviation> known = known_deviations();
  std::set<std::string> compared;
  Agreement agreement, of_repeated;
  for (const Record& record : launches) {
    compared.insert(record.launch);
    CAPTURE(record.launch);
    if (is_compiled_otherwise(record.launch)) continue;
    CHECK(record.counters.size() > 5);
    const Counts counted = simulated(record);
    for (const auto& measured : record.counters) {
      const auto counted_here = counted.find(measured.first);
      REQUIRE_MESSAGE(counted_here != counted.end(), measured.first);
      const std::uint64_t hardware = measured.second, simulator = counted_here->second;
      agreement.add(hardware, simulator);
      const std::string figure =
          fmt::format("{} | {} | {} | {} |", record.launch, measured.first, hardware, simulator);
      const auto entry = known.find({record.launch, measured.first});
      if (entry == known.end() || entry->second.is_repeated) of_repeated.add(hardware, simulator);
      if (entry == known.end()) {
        CHECK_MESSAGE(hardware == simulator, "not in deviations.txt: ", figure);
        continue;
      }
      entry->second.met = true;
      CHECK_MESSAGE(hardware != simulator, "no deviation any more: ", figure);
      CHECK_MESSAGE((entry->second.hardware == hardware && entry->second.simulator == simulator),
                    "listed with other values: ", figure);
    }
  }
  for (const auto& entry : known) {
    const bool met = entry.second.met || is_compiled_otherwise(entry.first.first);
    CHECK_MESSAGE((met || !compared.contains(entry.first.first)),
                  "deviations.txt names what was not measured: ", entry.first.first, " | ",
                  entry.first.second);
  }
  fmt::print(
      "{} figures compared, {} equal, {} within 2 %; of the {} that the GPU repeats {} equal, {} within 2 "
      "%\n",
      agreement.figures, agreement.equal, agreement.within_2_percent, of_repeated.figures, of_repeated.equal,
      of_repeated.within_2_percent);
}

bool is_of_expert(const Record& record) { return record.launch.starts_with("expert "); }

// The launches of one expert in `one_of`, for all of whom the runners are made first.
std::vector<Record> of_experts(std::size_t one_of) {
  const std::vector<std::string> names = golden::experts();
  std::set<std::string> chosen;
  std::vector<workbook::Target> units;
  for (std::size_t i = 0; i < names.size(); i += one_of) {
    chosen.insert(names[i]);
    units.push_back(golden::expert(names[i], facts::Backend::sim));
  }
  REQUIRE(make_runners(units) == "");
  std::vector<Record> launches = records();
  std::erase_if(launches, [&](const Record& record) {
    return !is_of_expert(record) || !chosen.contains(split(record.launch, " ").at(1));
  });
  CHECK(launches.size() == 3 * chosen.size());
  return launches;
}

}  // namespace

TEST_CASE("the golden data holds the launches of launches.txt, and these all experts") {
  std::vector<std::string> measured;
  std::set<std::string> seen;
  for (const Record& record : records()) {
    measured.push_back(record.launch);
    if (is_of_expert(record)) seen.insert(split(record.launch, " ").at(1));
  }
  CHECK_MESSAGE(measured == lines_of("launches.txt"), "measure again: tests/golden/measure.sh");
  CHECK(std::vector<std::string>(seen.begin(), seen.end()) == golden::experts());
  for (const auto& known : known_deviations()) {
    const std::string& launch = known.first.first;
    CHECK_MESSAGE(std::ranges::count(measured, launch) == 1,
                  "deviations.txt names what was not measured: ", launch);
  }
}

TEST_CASE(
    "the simulator counts what the GPU counts, in the solutions and in kernels that use memory in one way "
    "each" *
    doctest::test_suite("long")) {
  std::vector<Record> launches = records();
  std::erase_if(launches, is_of_expert);
  compare(launches);
}

TEST_CASE("a table that is looked up in two ways is loaded twice, though both find the same word by chance") {
  const golden::Kernel* const kernel = golden::find_kernel("looked_up_by_bytes");
  REQUIRE(kernel);
  const std::vector<unsigned> in = golden::input();
  simulator::DeviceBuffer out(golden::elements * sizeof(unsigned), {"out", sizeof(unsigned)});
  std::ranges::fill(out.bytes(), 0);
  simulator::DeviceBuffer words(golden::elements * sizeof(unsigned), {"in", sizeof(unsigned)});
  std::ranges::copy(in, reinterpret_cast<unsigned*>(words.bytes().data()));
  const auto loads = [&](unsigned mask) {
    runner::LaunchOutcome outcome;
    kernel->launch(1, 64, reinterpret_cast<const unsigned*>(words.bytes().data()),
                   reinterpret_cast<unsigned*>(out.bytes().data()), mask, outcome);
    return outcome.result.counters.value(facts::Counter::shared_load_requests);
  };
  // nvcc 13.0 makes two loads for each of two warps and eight turns, whatever the words are.
  CHECK(loads(~0u) == 2 * 2 * 8);
  CHECK(loads(0) == 2 * 2 * 8);
}

TEST_CASE("the simulator counts what the GPU counts in a sample of the experts' kernels") {
  compare(of_experts(20));
}

TEST_CASE("the simulator counts what the GPU counts in the experts' kernels" * doctest::test_suite("long")) {
  compare(of_experts(1));
}
