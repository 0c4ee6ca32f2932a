// SPDX-License-Identifier: MIT
#include "measure/recorded_profile.hpp"

#include <nlohmann/json.hpp>
#include <tuple>

#include "measure/records.hpp"

namespace measure {

namespace {

using Json = nlohmann::ordered_json;

bool is_profile_of(const Json& record, const workbook::ExerciseInfo& exercise) {
  return record.value("kind", "") == "profile" && record.value("lab", "") == exercise.lab &&
         record.value("exercise", "") == exercise.name && record.value("tree", "") == "solution" &&
         record.value("verdict", "") == "pass";
}

RecordedProfile profile_of(const Json& record, const std::string& file) {
  RecordedProfile profile{.gpu = record.at("gpu").at("name"),
                          .time = record.at("time"),
                          .file = file,
                          .binning = record.at("binning"),
                          .input = record.at("input"),
                          .length = record.at("length"),
                          .seed = record.at("seed"),
                          .grid = record.at("launch").at("grid"),
                          .block = record.at("launch").at("block")};
  record.at("counters").get_to(profile.counters);
  for (const auto& [name, value] : record.at("figures").items()) profile.figures[name] = value.get<double>();
  return profile;
}

}  // namespace

bool is_of(const RecordedProfile& profile, const ProfiledInput& what) {
  return profile.binning == what.binning && profile.input == what.input && profile.length == what.length &&
         profile.seed == what.seed;
}

std::optional<RecordedProfile> find_recorded_profile(const std::string& folder,
                                                     const workbook::ExerciseInfo& exercise,
                                                     const ProfiledInput& what) {
  std::optional<RecordedProfile> best;
  const auto fitness = [&](const RecordedProfile& profile) {
    return std::tuple(profile.binning == what.binning && profile.input == what.input,
                      profile.length == what.length, profile.seed == what.seed, profile.time);
  };
  for (const std::string& file : record_files(folder)) {
    for (const Json& record : read_records(file).records) {
      if (!is_profile_of(record, exercise)) continue;
      try {
        RecordedProfile profile = profile_of(record, file);
        if (!best || fitness(profile) > fitness(*best)) best = std::move(profile);
      } catch (const Json::exception&) {
        // A record without what a profile has is not of this tool's making.
      }
    }
  }
  return best;
}

}  // namespace measure
