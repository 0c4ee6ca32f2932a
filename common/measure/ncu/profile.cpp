// SPDX-License-Identifier: MIT
#include "measure/ncu/profile.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <tuple>

#include "judge/source_text.hpp"
#include "measure/records.hpp"

namespace measure {

namespace {

auto launch_of(const Record& record) {
  return std::tie(record.exercise.lab, record.exercise.name, record.tree, record.input, record.variant,
                  record.length, record.launch.grid, record.launch.block);
}

bool is_profile(const Record& record) {
  return traits_of(record.backend).accelerator && record.passed() &&
         !(record.counters.empty() && record.figures.empty());
}

facts::Counters simulated_of(const Record& measured, const std::vector<Record>& records) {
  if (!measured.simulated.empty()) return measured.simulated;
  const auto found = std::find_if(records.rbegin(), records.rend(), [&](const Record& other) {
    return traits_of(other.backend).simulated && other.passed() && launch_of(other) == launch_of(measured);
  });
  return found == records.rend() ? facts::Counters{} : found->counters;
}

bool is_profile_of(const Record& record, const workbook::ExerciseInfo& exercise) {
  return record.kind == "profile" && record.exercise.lab == exercise.lab &&
         record.exercise.name == exercise.name && record.tree == "solution" && record.passed() &&
         record.machine.gpu.contains("name");
}

}  // namespace

LaunchCounts counts_of(const ProfiledLaunch& launch) {
  LaunchCounts counts;
  for (const auto& [counter, quantity] : measured_counters()) {
    if (const auto value = launch.value(quantity))
      counts.counters[counter] = static_cast<std::uint64_t>(*value);
  }
  for (const facts::Quantity& figure : measured_figures()) {
    if (const auto value = launch.value(figure)) counts.figures[std::string(figure.name)] = *value;
  }
  return counts;
}

std::string ncu_report(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise,
                       workbook::Tree tree) {
  return workbook.state_file(fmt::format("profiles/{}-{}{}.ncu-rep", exercise.lab, exercise.name,
                                         tree == workbook::Tree::solution ? "-solution" : ""));
}

std::variant<LaunchCounts, NcuRefusal> counted_by_ncu(const workbook::Workbook& workbook,
                                                      const std::string& ncu, const Record& asked,
                                                      workbook::Tree tree, std::optional<unsigned> block,
                                                      std::optional<unsigned> grid) {
  const auto counted = profile_with_ncu({.ncu = ncu,
                                         .runner = workbook.runner(asked.exercise, tree, asked.backend),
                                         .report = ncu_report(workbook, asked.exercise, tree),
                                         .input = asked.input,
                                         .variant_option = std::string(problem_of(asked).variant_option()),
                                         .variant = asked.variant,
                                         .length = asked.length,
                                         .seed = asked.seed.value_or(1),
                                         .block = block,
                                         .grid = grid});
  if (const auto* const refusal = std::get_if<NcuRefusal>(&counted)) return *refusal;
  return counts_of(std::get<ProfiledLaunch>(counted));
}

SourceProfile source_profile(const std::string& program, const std::string& file,
                             const std::map<std::uint64_t, facts::Counters>& places) {
  std::vector<std::uint64_t> wanted;
  for (const auto& [place, counters] : places) wanted.push_back(place);
  const std::vector<std::optional<facts::Location>> found = judge::line_of_each(program, wanted);
  SourceProfile profile;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    // The compiler may have written the path in another way.
    std::error_code ignored;
    const bool in_file =
        found[i] && (found[i]->file == file || std::filesystem::equivalent(found[i]->file, file, ignored));
    facts::Counters& sum = in_file ? profile.lines[found[i]->line] : profile.elsewhere;
    sum += places.at(wanted[i]);
  }
  return profile;
}

std::vector<CountedOnBoth> counted_on_both(const std::vector<Record>& records) {
  std::vector<CountedOnBoth> all;
  for (const Record& record : records) {
    if (!is_profile(record)) continue;
    std::erase_if(all,
                  [&](const CountedOnBoth& other) { return launch_of(other.measured) == launch_of(record); });
    all.push_back({record, simulated_of(record, records)});
  }
  return all;
}

bool is_of_same_input(const Record& one, const Record& other) {
  return one.variant == other.variant && one.input == other.input && one.length == other.length &&
         one.seed == other.seed;
}

std::optional<RecordedProfile> find_recorded_profile(const std::string& folder,
                                                     const workbook::ExerciseInfo& exercise,
                                                     const Record& asked) {
  std::optional<RecordedProfile> best;
  const auto fitness = [&](const Record& record) {
    return std::tuple(record.variant == asked.variant && record.input == asked.input,
                      record.length == asked.length, record.seed == asked.seed, record.time);
  };
  for (const std::string& file : record_files(folder)) {
    for (const nlohmann::ordered_json& json : read_records(file).records) {
      try {
        Record record = record_of(json);
        if (is_profile_of(record, exercise) && (!best || fitness(record) > fitness(best->record)))
          best = RecordedProfile{std::move(record), file};
      } catch (const nlohmann::json::exception&) {
        // A record without what all have is not of this tool's making.
      }
    }
  }
  return best;
}

}  // namespace measure
