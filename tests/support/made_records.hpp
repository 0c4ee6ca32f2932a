// SPDX-License-Identifier: MIT
// Records as `lab bench` and its like keep them, made up.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "measure/records.hpp"

using Json = nlohmann::ordered_json;

// A rung of `lab bench` on an H200: a GiB of letters.
inline Json made_record(const std::string& lab, const std::string& exercise, double median_ms) {
  const bool peer = lab == "peers", cpu = lab == "01_sequential" || exercise == "all_threads";
  Json json{{"schema", 1},
            {"commit", "6690bad62c9e"},
            {"machine",
             {{"system", "Ubuntu 24.04"},
              {"kernel", "Linux 6.18"},
              {"cpu", "Xeon"},
              {"cpus", 16},
              {"memory_mib", 128000}}},
            {"gpu", {{"name", "NVIDIA H200"}, {"multiprocessors", "132"}}},
            {"time", "2026-11-20T17:43:47Z"},
            {"command", "lab bench"},
            {"kind", "bench"},
            {"tree", peer ? "peer" : "solution"},
            {"seed", 1},
            {"lab", lab},
            {"exercise", exercise},
            {"backend", cpu ? "cpu" : "gpu"},
            {"verdict", "pass"},
            {"message", ""},
            {"binning", "letters4"},
            {"input", "letters"},
            {"length", 1 << 30},
            {"launch", {{"grid", 4194304}, {"block", 256}}},
            {"throughput_gb_s", 0},
            {"counters", Json::object()}};
  json["time_ms"] = {{"median", median_ms},
                     {"min", 0.9 * median_ms},
                     {"q1", 0.95 * median_ms},
                     {"q3", 1.05 * median_ms},
                     {"samples", 21}};
  return json;
}

// The same exercise counted on the simulator: a MiB, a byte a thread.
inline Json made_count(const std::string& lab, const std::string& exercise, Json counters) {
  Json json = made_record(lab, exercise, 1);
  json["backend"] = "sim";
  json["time_ms"] = nullptr;
  json["length"] = 1 << 20;
  json["launch"] = {{"grid", 4096}, {"block", 256}};
  json["counters"] = std::move(counters);
  return json;
}

inline Json made_point(const std::string& sweep, std::uint64_t value, double median_ms,
                       const std::string& lab = "04_shared_memory") {
  Json json = made_record(lab, "histogram", median_ms);
  json["kind"] = "sweep";
  json["command"] = "lab bench --sweep " + sweep;
  json["sweep"] = {{"name", sweep}, {"value", value}};
  return json;
}

// A short ladder with its limit.
inline std::vector<Json> made_ladder() {
  return {made_record("01_sequential", "histogram", 1000), made_record("02_global_atomics", "histogram", 200),
          made_record("04_shared_memory", "histogram", 4), made_record("peers", "cub", 0.3),
          made_record("peers", "read", 0.25)};
}

inline std::vector<measure::Record> read_all(const std::vector<Json>& records) {
  return measure::select(records).records;
}
