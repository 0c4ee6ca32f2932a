// SPDX-License-Identifier: MIT
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "measure/records.hpp"

namespace measure {

namespace {

using Json = nlohmann::ordered_json;

// The columns that every record may fill: their headings, which are paths into it.
constexpr std::array columns{"time",
                             "kind",
                             "commit",
                             "command",
                             "machine/cpu",
                             "gpu/name",
                             "gpu/driver_cuda",
                             "gpu/runtime_cuda",
                             "lab",
                             "exercise",
                             "tree",
                             "backend",
                             "verdict",
                             "binning",
                             "input",
                             "seed",
                             "length",
                             "launch/grid",
                             "launch/block",
                             "occupancy/resident_blocks",
                             "occupancy/limited_by",
                             "clock_mhz",
                             "dropped",
                             "time_ms/median",
                             "time_ms/min",
                             "time_ms/q1",
                             "time_ms/q3",
                             "time_ms/samples",
                             "throughput_gb_s",
                             "sweep/name",
                             "sweep/value"};

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

struct Column {
  std::string heading;
  Json::json_pointer value;
};

// A column for each name that any record has in the object `key`.
void add_named(std::vector<Column>& all, const std::vector<Json>& records, const std::string& key,
               const std::string& before_heading) {
  std::set<std::string> names;
  for (const Json& record : records) {
    const auto object = record.find(key);
    if (object == record.end() || !object->is_object()) continue;
    for (const auto& [name, value] : object->items()) names.insert(name);
  }
  for (const std::string& name : names)
    all.push_back({before_heading + name, Json::json_pointer("/" + key) / name});
}

std::vector<Column> columns_of(const std::vector<Json>& records) {
  std::vector<Column> all;
  for (const char* const path : columns) all.push_back({path, Json::json_pointer(std::string("/") + path)});
  add_named(all, records, "counters", "");
  // With where they stand: a profile's `occupancy` is measured, that of the columns above is what fits.
  add_named(all, records, "figures", "figures/");
  return all;
}

std::string cell(const Json& record, const Json::json_pointer& pointer) {
  if (!record.contains(pointer) || record.at(pointer).is_null()) return {};
  const Json& value = record.at(pointer);
  return quoted(value.is_string() ? value.get<std::string>() : value.dump());
}

}  // namespace

std::string records_csv(const std::vector<Json>& records) {
  const std::vector<Column> all = columns_of(records);
  std::string text;
  for (const Column& column : all) text += (text.empty() ? "" : ",") + quoted(column.heading);
  text += "\r\n";
  for (const Json& record : records) {
    std::string line;
    for (std::size_t i = 0; i < all.size(); ++i) line += (i == 0 ? "" : ",") + cell(record, all[i].value);
    text += line + "\r\n";
  }
  return text;
}

}  // namespace measure
