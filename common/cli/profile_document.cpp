// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "cli/profile.hpp"

namespace cli {

namespace {

using Json = nlohmann::ordered_json;

Json recorded_document(const judge::Workbook& workbook, const measure::RecordedProfile& recorded) {
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

}  // namespace

std::string gpu_profile_json(const judge::Workbook& workbook, const GpuProfile& profile) {
  const auto& [exercise, backend, binning, input, length] = profile.description;
  Json json{{"lab", exercise.lab},
            {"exercise", exercise.name},
            {"backend", name_of(backend)},
            {"verdict", name_of(profile.report.finding.verdict)},
            {"message", profile.report.finding.message},
            {"binning", binning},
            {"input", input},
            {"length", length},
            {"launch", {{"grid", profile.report.grid}, {"block", profile.report.block}}},
            {"counters", profile.report.counters},
            {"file", workbook.shortened(workbook.source_file(exercise, profile.tree))},
            {"lines", Json::array()},
            {"elsewhere", profile.source.elsewhere},
            {"before", nullptr},
            {"figures", profile.figures},
            {"simulated", nullptr},
            {"report", nullptr},
            {"recorded", nullptr}};
  for (const auto& [line, counters] : profile.source.lines) json["lines"].push_back({{"line", line}, {"counters", counters}});
  if (profile.before) {
    json["before"] = {{"lab", profile.exercise_before->lab},
                      {"exercise", profile.exercise_before->name},
                      {"counters", profile.before->counters},
                      {"figures", profile.before->figures}};
  }
  if (profile.simulated) json["simulated"] = *profile.simulated;
  if (!profile.file.empty()) json["report"] = profile.file;
  if (profile.recorded) json["recorded"] = recorded_document(workbook, *profile.recorded);
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace cli
