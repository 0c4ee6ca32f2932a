// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "cli/documents.hpp"
#include "cli/verbs/profile.hpp"

namespace cli {

namespace {

using Json = nlohmann::ordered_json;

Json recorded_document(const workbook::Workbook& workbook, const measure::RecordedProfile& recorded) {
  return {{"gpu", recorded.gpu},
          {"time", recorded.time},
          {"file", workbook.shortened(recorded.file)},
          {"binning", recorded.binning},
          {"input", recorded.input},
          {"length", recorded.length},
          {"seed", recorded.seed},
          {"launch", {{"grid", recorded.grid}, {"block", recorded.block}}},
          {"counters", recorded.counters},
          {"figures", recorded.figures}};
}

// What a profile on the simulator and one on a GPU begin with.
Json head_of(const workbook::Workbook& workbook, const RunDescription& description, workbook::Tree tree,
             const measure::RunReport& report, const measure::SourceProfile& source) {
  Json json = heading_of(description, report.finding);
  json["launch"] = {{"grid", report.grid}, {"block", report.block}};
  json["counters"] = report.counters;
  json["file"] = workbook.shortened(workbook.source_file(description.exercise, tree));
  json["lines"] = Json::array();
  for (const auto& [line, counters] : source.lines)
    json["lines"].push_back({{"line", line}, {"counters", counters}});
  json["elsewhere"] = source.elsewhere;
  json["before"] = nullptr;
  return json;
}

// The lab before, with its counters.
Json before_of(const workbook::ExerciseInfo& exercise, const facts::Counters& counters) {
  return {{"lab", exercise.lab}, {"exercise", exercise.name}, {"counters", counters}};
}

}  // namespace

std::string profile_json(const workbook::Workbook& workbook, const Profiled& profiled,
                         const std::optional<Profiled>& before) {
  Json json = head_of(workbook, profiled.description, profiled.tree, profiled.report, profiled.source);
  if (before) json["before"] = before_of(before->description.exercise, before->report.counters);
  return dumped(json);
}

std::string gpu_profile_json(const workbook::Workbook& workbook, const GpuProfile& profile) {
  Json json = head_of(workbook, profile.description, profile.tree, profile.report, profile.source);
  if (profile.before) {
    json["before"] = before_of(*profile.exercise_before, profile.before->counters);
    json["before"]["figures"] = profile.before->figures;
  }
  json["figures"] = profile.figures;
  json["simulated"] = nullptr;
  json["report"] = nullptr;
  json["recorded"] = nullptr;
  if (profile.simulated) json["simulated"] = *profile.simulated;
  if (!profile.file.empty()) json["report"] = profile.file;
  if (profile.recorded) json["recorded"] = recorded_document(workbook, *profile.recorded);
  return dumped(json);
}

}  // namespace cli
