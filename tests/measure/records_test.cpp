// SPDX-License-Identifier: MIT
#include "measure/records.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "temporary_folder.hpp"

using Json = nlohmann::ordered_json;
using measure::append_record;
using measure::read_records;

namespace {

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

}  // namespace

TEST_CASE("what is added is read back, in its order; a file that is not there has no records") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/records.jsonl";
  CHECK(read_records(file).records.empty());
  CHECK(append_record(file, {{"schema", 1}, {"lab", "a \"lab\"\n"}}) == "");
  CHECK(append_record(file, {{"schema", 1}, {"lab", "b"}}) == "");
  const measure::Records read = read_records(file);
  REQUIRE(read.records.size() == 2);
  CHECK(read.records[0].at("lab") == "a \"lab\"\n");
  CHECK(read.records[1].at("lab") == "b");
  CHECK(read.warnings.empty());
}

TEST_CASE("lines that are damaged or of a newer workbook are left out with a warning, the others are not") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/records.jsonl";
  write(file,
        "{\"schema\":1,\"lab\":\"a\"}\n{\"schema\":1,\"la\n\n17\n{\"lab\":\"b\"}\n{\"schema\":2}\n{"
        "\"schema\":1,\"lab\":\"c\"}\n");
  const measure::Records read = read_records(file);
  REQUIRE(read.records.size() == 2);
  CHECK(read.records[1].at("lab") == "c");
  CHECK(read.warnings ==
        std::vector<std::string>{
            file + ":2 is damaged and is left out", file + ":4 is damaged and is left out",
            file + ":5 has no schema's number and is left out",
            file + ":6 was written by a newer workbook (schema 2, this one knows 1) and is left out"});
}

TEST_CASE("behind a line without an end a new one begins, so that only the damaged record is lost") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/records.jsonl";
  write(file, "{\"schema\":1,\"lab\":\"a\"}\n{\"schema\":1,\"la");
  CHECK(append_record(file, {{"schema", 1}, {"lab", "b"}}) == "");
  const measure::Records read = read_records(file);
  CHECK(read.records.size() == 2);
  CHECK(read.records.back().at("lab") == "b");
  CHECK(read.warnings.size() == 1);
}

TEST_CASE("writers at the same time do not mix their lines" * doctest::test_suite("long")) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/records.jsonl";
  constexpr int writers = 8, each = 50;
  for (int writer = 0; writer < writers; ++writer) {
    if (fork() != 0) continue;
    for (int i = 0; i < each; ++i)
      append_record(file, {{"schema", 1}, {"writer", writer}, {"filling", std::string(20'000, 'x')}});
    _exit(0);
  }
  while (wait(nullptr) > 0) {
  }
  const measure::Records read = read_records(file);
  CHECK(read.warnings.empty());
  CHECK(read.records.size() == writers * each);
}

TEST_CASE("a file that cannot be written says why, and is left as it was") {
  CHECK(append_record("/proc/no/records.jsonl", {{"schema", 1}}) ==
        "cannot write /proc/no/records.jsonl: No such file or directory");
  CHECK(append_record("/dev/full", {{"schema", 1}})
            .rfind("cannot write /dev/full: No space left on device", 0) == 0);
}

TEST_CASE("the table has a column for each counter, and quotes what commas would tear apart") {
  const std::string csv = measure::records_csv(
      {{{"schema", 1}, {"lab", "04"}, {"command", "lab run \"a,b\""}, {"time_ms", {{"median", 1.5}}}},
       {{"schema", 1}, {"lab", "05"}, {"time_ms", nullptr}, {"counters", {{"barriers", 3}}}}});
  const std::size_t header_end = csv.find("\r\n");
  const std::string header = csv.substr(0, header_end);
  CHECK(header.rfind("time,kind,commit,command,", 0) == 0);
  CHECK(header.substr(header.size() - 9) == ",barriers");
  const auto commas = std::count(header.begin(), header.end(), ',');
  const std::string rows = csv.substr(header_end + 2);
  CHECK(rows.find(",\"lab run \"\"a,b\"\"\",") != std::string::npos);
  CHECK(std::count(rows.begin(), rows.end(), ',') == 2 * commas + 1);  // one of them quoted
  CHECK(rows.find("1.5") != std::string::npos);
  CHECK(rows.substr(rows.size() - 4) == ",3\r\n");
}

TEST_CASE("the table has a column for each figure of a profile, under names of their own") {
  const std::string csv =
      measure::records_csv({{{"schema", 1},
                             {"occupancy", {{"resident_blocks", 8}}},
                             {"figures", {{"occupancy", 89.73}, {"dram_bytes", 4197376.0}}}},
                            {{"schema", 1}, {"counters", {{"barriers", 3}}}}});
  const std::size_t header_end = csv.find("\r\n");
  CHECK(csv.substr(0, header_end).ends_with(",sweep/value,barriers,figures/dram_bytes,figures/occupancy"));
  const std::string rows = csv.substr(header_end + 2);
  CHECK(rows.substr(0, rows.find("\r\n")).ends_with(",,4197376.0,89.73"));
  CHECK(rows.ends_with(",3,,\r\n"));
}

TEST_CASE("a name that a path could not hold is a name all the same, and what is no object has none") {
  const std::string csv = measure::records_csv({{{"schema", 1}, {"counters", {{"~a/b,c", 7}}}},
                                                {{"schema", 1}, {"counters", 5}, {"figures", nullptr}}});
  CHECK(csv.substr(0, csv.find("\r\n")).ends_with(",sweep/value,\"~a/b,c\""));
  CHECK(csv.find(",7\r\n") != std::string::npos);
}

TEST_CASE("a record says where and when it was made") {
  measure::Record record{.exercise = {.problem = "histogram"}};
  add_context(record, workbook::here(), "lab run 04");
  const Json context = kept_json(record);
  std::string keys;
  for (const auto& [key, value] : context.items()) keys += key + " ";
  CHECK(keys ==
        "schema commit machine gpu time command kind tree seed lab exercise backend verdict message binning "
        "input length launch time_ms throughput_gb_s counters derived ");
  CHECK(context.at("schema") == 1);
  CHECK(context.at("command") == "lab run 04");
  CHECK(context.at("time").get<std::string>().size() == std::string("2026-01-31T12:34:56Z").size());
  CHECK(context.at("machine").at("cpus").get<unsigned>() > 0);
  CHECK(context.at("machine").at("memory_mib").get<unsigned>() > 100);
}

TEST_CASE("a time is told in UTC, to the second") {
  const std::string now = measure::time_now();
  REQUIRE(now.size() == 20);
  CHECK(now[10] == 'T');
  CHECK(now.back() == 'Z');
}
