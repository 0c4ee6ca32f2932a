// SPDX-License-Identifier: MIT
#include "report/page/record.hpp"

#include <nlohmann/json.hpp>

#include "measure/ladder.hpp"

namespace report::page {

namespace {

using Json = nlohmann::ordered_json;

std::optional<measure::Summary> time_of(const Json& json) {
  if (json.is_null()) return std::nullopt;
  const measure::Summary time{json.at("median"), json.at("min"), json.at("q1"), json.at("q3"),
                              json.at("samples")};
  // A kernel takes time; what does not has no throughput.
  return time.q1 > 0 && time.median > 0 && time.q3 > 0 ? std::optional(time) : std::nullopt;
}

Machine machine_of(const Json& json) {
  const Json& is = json.at("machine");
  Machine machine{is.at("system"), is.at("kernel"), is.at("cpu"), is.at("cpus"), is.at("memory_mib"), {}};
  if (!json.at("gpu").is_null()) machine.gpu = json.at("gpu").get<std::map<std::string, std::string>>();
  return machine;
}

Record record_of(const Json& json) {
  Record record{json.at("kind"),     json.at("tree"),    json.at("lab"),
                json.at("exercise"), json.at("backend"), json.at("verdict"),
                json.at("binning"),  json.at("input"),   json.at("length")};
  record.grid = json.at("launch").at("grid");
  record.block = json.at("launch").at("block");
  record.time_ms = time_of(json.at("time_ms"));
  record.counters = json.at("counters").get<facts::Counters>();
  if (json.contains("figures")) record.figures = json.at("figures").get<std::map<std::string, double>>();
  if (json.contains("simulated") && json.at("simulated").is_object())
    record.simulated = json.at("simulated").get<facts::Counters>();
  if (json.contains("sweep")) {
    record.sweep = json.at("sweep").at("name");
    record.value = json.at("sweep").at("value");
  }
  record.time = json.at("time");
  record.command = json.at("command");
  if (json.at("commit").is_string()) record.commit = json.at("commit");
  return record;
}

bool is_same(const Machine& one, const Machine& other) {
  const auto name = [](const Machine& machine) {
    return machine.gpu.contains("name") ? machine.gpu.at("name") : "";
  };
  return one.cpu == other.cpu && one.cpus == other.cpus && name(one) == name(other);
}

}  // namespace

Selected select(const std::vector<Json>& records) {
  Selected selected;
  std::vector<std::pair<Machine, Record>> read;
  for (const Json& json : records) {
    try {
      read.emplace_back(machine_of(json), record_of(json));
    } catch (const Json::exception&) {
      ++selected.misshapen;
    }
  }
  if (read.empty()) return selected;
  selected.machine = read.back().first;
  for (auto& [machine, record] : read) {
    if (is_same(machine, selected.machine)) {
      selected.records.push_back(std::move(record));
    } else {
      ++selected.elsewhere;
    }
  }
  return selected;
}

std::string title_of(const Record& record) {
  if (record.is_peer()) return std::string(measure::description_of_peer(record.exercise));
  const std::size_t underscore = record.lab.find('_');
  if (underscore == std::string::npos) return record.lab;
  const std::string number = record.lab.substr(0, underscore);
  // A lab's only exercise is called like what is counted, and the lab's name says more.
  return record.exercise == "histogram" ? number + " " + record.lab.substr(underscore + 1)
                                        : number + "/" + record.exercise;
}

double throughput_gb_s(const Record& record, double time_ms) {
  return static_cast<double>(record.length) / (time_ms * 1e6);
}

}  // namespace report::page
