// SPDX-License-Identifier: MIT
// The tables of times in the chapters quote docs/records/h200.jsonl: every cell is the median that was
// recorded, rounded to the digits that are shown.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "os/files.hpp"
#include "workbook/workbook.hpp"

namespace {

using Texts = std::vector<std::string>;

Texts split_at(const std::string& text, char separator) {
  std::istringstream stream(text);
  Texts parts;
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

Texts lines_in(const std::string& file) {
  return split_at(os::read_file(workbook::here().source_root + "/" + file).value(), '\n');
}

// Without the spaces and stars around it.
std::string bare(const std::string& cell) {
  const std::size_t from = cell.find_first_not_of(" *"), to = cell.find_last_not_of(" *");
  return from == std::string::npos ? "" : cell.substr(from, to - from + 1);
}

// Medians in ms, by "KIND LAB/EXERCISE INPUT BINNING" of 1 GiB; the newest counts.
std::map<std::string, double> recorded_times() {
  constexpr std::uint64_t gib = std::uint64_t{1} << 30;
  std::map<std::string, double> times;
  for (const std::string& line : lines_in("docs/records/h200.jsonl")) {
    const auto record = nlohmann::json::parse(line);
    if (record.at("length") != gib || !record.at("time_ms").is_object() || !record.contains("binning"))
      continue;
    times[fmt::format("{} {}/{} {} {}", record.at("kind").get<std::string>(),
                      record.at("lab").get<std::string>().substr(0, 2),
                      record.at("exercise").get<std::string>(), record.at("input").get<std::string>(),
                      record.at("binning").get<std::string>())] = record.at("time_ms").at("median");
  }
  return times;
}

constexpr const char* columns =
    "| | `letters4`, letters | `letters`, letters | `bytes`, bytes | `bytes`, all the same |";
constexpr std::array<const char*, 4> inputs{"letters letters4", "letters letters", "bytes bytes",
                                            "same bytes"};

// What the rows of such tables are, by the words that they begin with.
const std::map<std::string, std::string> rows{
    {"lab 01, one thread of the CPU", "bench 01/histogram"},
    {"the same loop on all 16 threads of the CPU", "bench pe/all_threads"},
    {"lab 02", "bench 02/histogram"},
    {"lab 03", "bench 03/histogram"},
    {"lab 04", "bench 04/histogram"},
    {"lab 04, 1024 threads per block", "bench 04/histogram"},
    {"contiguous, C = 16, loaded first", "bench 05/contiguous"},
    {"interleaved, 8 under way", "bench 05/interleaved"},
    {"reading alone, the limit", "bench pe/read"},
    {"contiguous, C = 4, loaded first", "variants 05/contiguous-c4"},
    {"contiguous, C = 8", "variants 05/contiguous-c8"},
    {"contiguous, C = 16", "variants 05/contiguous"},
    {"contiguous, C = 32", "variants 05/contiguous-c32"},
    {"interleaved, 1 under way", "variants 05/interleaved-bytewise"},
    {"interleaved, 4", "variants 05/interleaved-4"},
    {"interleaved, 8", "variants 05/interleaved"},
    {"interleaved, 16", "variants 05/interleaved-16"},
};

// As it is shown, with as many digits behind the point as `like` has.
std::string shown(double time, const std::string& like) {
  const std::size_t point = like.find('.');
  return fmt::format("{:.{}f}", time, point == std::string::npos ? 0 : like.size() - point - 1);
}

}  // namespace

TEST_CASE("every time in the chapters' tables of 1 GiB is the one that was recorded") {
  const std::map<std::string, double> times = recorded_times();
  std::size_t quoted = 0;
  for (const std::string lab :
       {"02_global_atomics", "03_privatization", "04_shared_memory", "05_coarsening"}) {
    CAPTURE(lab);
    bool in_table = false;
    for (const std::string& line : lines_in(fmt::format("labs/{}/README.md", lab))) {
      if (!in_table || !line.starts_with("|")) {
        in_table = line == columns;
        continue;
      }
      if (line.starts_with("|---")) continue;
      const Texts cells = split_at(line, '|');
      CAPTURE(line);
      REQUIRE(cells.size() == 2 + inputs.size());
      const auto row = rows.find(bare(cells.at(1)));
      REQUIRE(row != rows.end());
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::string cell = bare(cells.at(2 + i));
        const auto time = times.find(fmt::format("{} {}", row->second, inputs.at(i)));
        REQUIRE(time != times.end());
        CHECK(cell == shown(time->second, cell));
        ++quoted;
      }
    }
  }
  CHECK(quoted == 4 * (4 + 2 + 3 + 4 + 8));
}
