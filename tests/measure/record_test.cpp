// SPDX-License-Identifier: MIT
#include "measure/record.hpp"

#include <doctest/doctest.h>

#include "measure/ladder.hpp"
#include "support/made_records.hpp"

using measure::select;
using measure::title_of;

TEST_CASE("a record is read with all that the page shows of it") {
  Json json = made_point("block", 256, 4);
  json["figures"] = {{"occupancy", 88.5}};
  json["simulated"] = {{"warps", 7}};
  const auto selected = select({json});
  REQUIRE(selected.records.size() == 1);
  const auto& record = selected.records.front();
  CHECK(record.exercise.lab == "04_shared_memory");
  CHECK(record.length == 1 << 30);
  CHECK(record.launch.grid == 4194304);
  CHECK(record.launch.block == 256);
  CHECK(record.time_ms->median == 4);
  CHECK(record.time_ms->q1 == doctest::Approx(3.8));
  CHECK(record.sweep->name == "block");
  CHECK(record.sweep->value == 256);
  CHECK(record.figures.at("occupancy") == 88.5);
  CHECK(record.simulated.at("warps") == 7);
  CHECK(record.commit == "6690bad62c9e");
  CHECK(selected.machine.gpu.at("name") == "NVIDIA H200");
  CHECK(throughput_gb_s(record, 4) == doctest::Approx(268.435456));
}

TEST_CASE("an estimate is kept under a key of its own, and is no time") {
  Json json = made_count("04_shared_memory", "histogram", {{"warps", 7}});
  const Json estimate{{"gpu", "h200"},     {"name", "NVIDIA H200"},
                      {"length", 1 << 30}, {"launch", {{"grid", 1 << 20}, {"block", 1024}}},
                      {"ms", 2.5},         {"low", 2.0},
                      {"high", 3.0},       {"bound_by", {{{"what", "dram"}, {"share", 0.75}}}},
                      {"calibrated", true}};
  json["estimate"] = estimate;
  const auto record = select({json}).records.at(0);
  CHECK_FALSE(record.is_timed());
  CHECK_FALSE(has_both(record));
  CHECK(record.estimate->launch.block == 1024);
  CHECK(record.estimate->bound_by.at(0).what == "dram");
  CHECK(estimated_gb_s(record) == doctest::Approx(429.4967));
  CHECK(throughput_gb_s(record) == 0);
  const Json kept = kept_json(record);
  CHECK(kept.at("estimate") == estimate);
  CHECK(kept.at("time_ms").is_null());
  // What no GPU takes is none.
  json["estimate"]["ms"] = 0;
  CHECK_FALSE(select({json}).records.at(0).estimate);
}

TEST_CASE(
    "records of another CPU or GPU than the newest's are left out and counted; a new kernel or driver is the "
    "same machine") {
  Json other_gpu = made_record("02_global_atomics", "histogram", 1), no_gpu = other_gpu,
       other_cpus = other_gpu, newest = other_gpu, updated = other_gpu;
  other_gpu["gpu"]["name"] = "NVIDIA L4";
  no_gpu["gpu"] = nullptr;
  other_cpus["machine"]["cpus"] = 8;
  updated["machine"]["kernel"] = "Linux 5.0";
  updated["gpu"]["driver_cuda"] = "12.0";
  const auto selected = select({other_gpu, no_gpu, updated, other_cpus, newest});
  CHECK(selected.records.size() == 2);
  CHECK(selected.elsewhere == 3);
  CHECK(selected.machine.kernel == "Linux 6.18");
  const auto without_gpu = select({newest, no_gpu});
  CHECK(without_gpu.records.size() == 1);
  CHECK(without_gpu.machine.gpu.empty());
}

TEST_CASE("what lacks a record's keys, or has others in their place, is left out and counted") {
  Json no_launch = made_record("02_global_atomics", "histogram", 1), text_for_length = no_launch;
  no_launch.erase("launch");
  text_for_length["length"] = "long";
  const auto selected = select({no_launch,
                                text_for_length,
                                {{"schema", 1}, {"kind", "something new"}},
                                made_record("02_global_atomics", "histogram", 1)});
  CHECK(selected.records.size() == 1);
  CHECK(selected.misshapen == 3);
  CHECK(select({}).records.empty());
}

TEST_CASE("a time that is no time is none: nothing is divided by it") {
  CHECK_FALSE(select({made_record("02_global_atomics", "histogram", 0)}).records.front().time_ms);
}

TEST_CASE("titles are those of the other verbs") {
  const auto records =
      read_all({made_record("04_shared_memory", "histogram", 1),
                made_record("05_coarsening", "interleaved", 1), made_record("peers", "read", 1),
                made_record("peers", "new_peer", 1), made_record("odd", "histogram", 1)});
  CHECK(title_of(records[0]) == "04 shared_memory");
  CHECK(title_of(records[1]) == "05/interleaved");
  CHECK(title_of(records[2]) == "reading alone");
  CHECK(title_of(records[3]) == "new_peer");
  CHECK(title_of(records[4]) == "odd");
}

TEST_CASE("what variants of the solutions were measured is kept, and part of no ladder") {
  Json variant = made_record("05_coarsening", "contiguous-c4", 1),
       beside = made_record("05_coarsening", "contiguous", 1);
  variant["kind"] = "profile";
  beside["kind"] = "variants";
  const auto selected = select({variant, beside, made_record("05_coarsening", "contiguous", 1)});
  CHECK(selected.records.size() == 3);
  const auto ladders = measure::ladders(selected.records);
  REQUIRE(ladders.size() == 1);
  REQUIRE(ladders.front().rungs.size() == 1);
  CHECK(ladders.front().rungs.front().record.kind == "bench");
  CHECK(selected.elsewhere == 0);
  CHECK(measure::title_of(measure::record_of(variant)) == "05/contiguous-c4");
  CHECK(measure::title_of(measure::record_of(made_record("04_shared_memory", "histogram-runtime_bins", 1))) ==
        "04/histogram-runtime_bins");
}
