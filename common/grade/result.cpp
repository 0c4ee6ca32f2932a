// SPDX-License-Identifier: MIT
#include "grade/result.hpp"

#include "grade/names.hpp"
#include "os/files.hpp"
#include "workbook_config.hpp"

namespace grade {

namespace {

using Json = nlohmann::ordered_json;

Json files_json(const Snapshot& snapshot) {
  Json files = Json::array();
  for (const SubmittedFile& file : snapshot.files)
    files.push_back({{"path", as_text(file.path)}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  return files;
}

Json left_out_json(const Snapshot& snapshot) {
  Json files = Json::array();
  for (const LeftOut& file : snapshot.left_out)
    files.push_back({{"path", as_text(file.path)}, {"why", file.why}});
  return files;
}

}  // namespace

Json heading_json(const Settings& settings, const std::string& name, const Snapshot& snapshot,
                  const std::string& judge_version) {
  return {
      {"submission", as_text(name)},
      {"labs", as_text(snapshot.labs)},
      {"note", snapshot.note.empty() ? Json(nullptr) : Json(snapshot.note)},
      {"seed", settings.seed},
      {"backend", facts::name_of(settings.backend)},
      {"sandbox", settings.sandboxed},
      {"versions", {{"workbook", WORKBOOK_VERSION}, {"compiler", WORKBOOK_CXX}, {"judge", judge_version}}},
      {"asked", Json::array()},
      {"files", files_json(snapshot)},
      {"left_out", left_out_json(snapshot)},
      {"exercises", Json::array()}};
}

bool is_about_the_same(const Json& result, const Json& heading) {
  for (const auto& [key, value] : heading.items()) {
    if (key != "exercises" && key != "asked" && (!result.contains(key) || result.at(key) != value))
      return false;
  }
  return true;
}

std::optional<Json> read_result(const std::string& file) {
  const auto text = os::read_file(file);
  Json json = text ? Json::parse(*text, nullptr, false) : Json();
  if (!json.is_object() || !json.contains("exercises") || !json.at("exercises").is_array())
    return std::nullopt;
  return json;
}

const Json* exercise_in(const Json& result, const workbook::ExerciseInfo& exercise) {
  for (const Json& one : result.at("exercises")) {
    if (one.at("lab") == exercise.lab && one.at("exercise") == exercise.name) return &one;
  }
  return nullptr;
}

std::string dumped(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace grade
