// SPDX-License-Identifier: MIT
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "measure/records.hpp"

namespace measure {

namespace {

using Json = nlohmann::ordered_json;

// The columns that every record may fill, as paths into it.
constexpr std::array columns{"time",           "kind",          "commit",        "command",      "machine/cpu",     "gpu/name",
                             "gpu/driver_cuda", "gpu/runtime_cuda", "lab",        "exercise",     "tree",            "backend",
                             "verdict",        "binning",       "input",         "seed",         "length",          "launch/grid",
                             "launch/block",   "occupancy/resident_blocks", "occupancy/limited_by", "clock_mhz", "dropped",
                             "time_ms/median", "time_ms/min",   "time_ms/q1",    "time_ms/q3",   "time_ms/samples", "throughput_gb_s",
                             "sweep/name",     "sweep/value"};

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

std::string cell(const Json& record, const std::string& path) {
  const Json::json_pointer pointer("/" + path);
  if (!record.contains(pointer) || record.at(pointer).is_null()) return {};
  const Json& value = record.at(pointer);
  return quoted(value.is_string() ? value.get<std::string>() : value.dump());
}

}  // namespace

std::string records_csv(const std::vector<Json>& records) {
  std::set<std::string> counters;
  for (const Json& record : records) {
    if (!record.contains("counters")) continue;
    for (const auto& [name, value] : record.at("counters").items()) counters.insert("counters/" + name);
  }
  std::vector<std::string> paths(columns.begin(), columns.end());
  paths.insert(paths.end(), counters.begin(), counters.end());
  std::string text;
  for (const std::string& path : paths) text += (text.empty() ? "" : ",") + path.substr(path.rfind("counters/", 0) == 0 ? 9 : 0);
  text += "\r\n";
  for (const Json& record : records) {
    std::string line;
    for (std::size_t i = 0; i < paths.size(); ++i) line += (i == 0 ? "" : ",") + cell(record, paths[i]);
    text += line + "\r\n";
  }
  return text;
}

}  // namespace measure
