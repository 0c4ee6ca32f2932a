// SPDX-License-Identifier: MIT
// What documents quote of measurements is what docs/records holds. A table below a line <!-- table: NAME
// WORDS --> is made from the records (quoted_tables.hpp); a time in the text is the median or a quartile of a
// record, rounded as it is written. Times of others are listed in times_elsewhere.txt. To write all tables
// anew:
//
//   WORKBOOK_RECORD=1 meson test -C build --suite maintainer 'quoted figures'
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "measure/ladder.hpp"
#include "os/files.hpp"
#include "quoted.hpp"
#include "quoted_tables.hpp"

namespace {

using measure::Record;

std::string root() { return workbook::here().source_root; }

// The document with its tables as the records have them.
std::string made_anew(const std::string& text) {
  static const std::regex marker(R"(<!-- table: (\S+) ?(.*) -->)");
  std::istringstream lines(text);
  std::string result;
  bool in_table = false;
  for (std::string one; std::getline(lines, one);) {
    if (in_table && one.starts_with('|')) continue;
    in_table = false;
    result += one + "\n";
    std::smatch match;
    if (!std::regex_match(one, match, marker)) continue;
    const auto table = tables().find(match[1]);
    if (table == tables().end()) FAIL("there is no table \"" << match[1].str() << "\"");
    if (match[1] == "simulated" && !workbook::here().has_simulator) continue;
    result += table->second(words_of(match[2]));
    in_table = true;
  }
  return result;
}

// Those that quote measurements.
Words documents() {
  Words paths{root() + "/docs/measured-results.md"};
  for (const workbook::ExerciseInfo& exercise : workbook::here().exercises) {
    for (const std::string& path : {root() + "/labs/" + exercise.lab + "/README.md",
                                    root() + "/solutions/" + exercise.lab + "/answers.md"}) {
      if (std::filesystem::exists(path) && std::ranges::count(paths, path) == 0) paths.push_back(path);
    }
  }
  return paths;
}

// Every time that a record knows, in ms.
const std::set<double>& recorded_times() {
  static const std::set<double> all = [] {
    std::set<double> times;
    for (const Record& record : records()) {
      if (record.time_ms) times.insert({record.time_ms->median, record.time_ms->q1, record.time_ms->q3});
      const auto kernel_time = record.figures.find("kernel_time");
      if (kernel_time != record.figures.end()) times.insert(kernel_time->second / 1e6);
    }
    return times;
  }();
  return all;
}

// Whether one of these numbers is written so when it is rounded to so many decimals.
bool is_one_of(const std::set<double>& numbers, const std::string& digits, double scale) {
  const std::size_t point = digits.find('.');
  const double decimals = point == digits.npos ? 0 : static_cast<double>(digits.size() - point - 1);
  const double value = std::stod(digits) * scale, half = 0.500001 * std::pow(10, -decimals) * scale;
  const auto at = numbers.lower_bound(value - half);
  return at != numbers.end() && *at <= value + half;
}

// "0.767", "µs": whether a record has that time.
bool is_recorded(const std::string& digits, const std::string& unit) {
  return is_one_of(recorded_times(), digits, unit == "µs" ? 1e-3 : 1);
}

// What records count: counters, the profiler's figures, and what a launch is made of.
const std::set<double>& recorded_counts() {
  static const std::set<double> all = [] {
    std::set<double> counts;
    for (const Record& record : records()) {
      for (const auto& [name, value] : record.counters) counts.insert(static_cast<double>(value));
      for (const auto& [name, value] : record.figures) counts.insert(value);
      counts.insert({static_cast<double>(record.length), static_cast<double>(record.launch.grid)});
    }
    return counts;
  }();
  return all;
}

}  // namespace

TEST_CASE("the tables of measurements are those of the records") {
  Words paths = documents();
  for (const char* name : {"estimates.md", "unseen-kernels.md"}) paths.push_back(root() + "/docs/" + name);
  for (const std::string& path : paths) {
    const std::string text = os::read_file(path).value(), anew = made_anew(text);
    if (std::getenv("WORKBOOK_RECORD")) {
      if (anew != text) os::write_file(path, anew);
    } else {
      INFO(workbook::here().shortened(path));
      CHECK(text == anew);
    }
  }
}

TEST_CASE("every time that a document quotes was recorded, or is listed as somebody else's") {
  const std::set<std::string> elsewhere = listed_in("times_elsewhere.txt", 3);
  std::set<std::string> used;
  // Thousands have commas.
  static const std::regex time(
      R"(\b(\d[\d,]*(?:\.\d+)?)(?: (?:to|and|or|against|instead of)\s(\d[\d,]*(?:\.\d+)?))?\s(ms|µs)\b)");
  for (const std::string& path : documents()) {
    const std::string name = workbook::here().shortened(path), text = os::read_file(path).value();
    for (std::sregex_iterator at(text.begin(), text.end(), time), end; at != end; ++at) {
      for (const std::string& number : {(*at)[1].str(), (*at)[2].str()}) {
        std::string digits = number;
        std::erase(digits, ',');
        if (digits.empty() || is_recorded(digits, (*at)[3])) continue;
        const std::string key = fmt::format("{} {} {}", name, digits, (*at)[3].str());
        used.insert(key);
        if (elsewhere.count(key) == 0) FAIL_CHECK(key << " is in no record");
      }
    }
  }
  for (const std::string& key : elsewhere) {
    if (used.count(key) == 0)
      FAIL_CHECK("times_elsewhere.txt: " << key << " is quoted no longer, or was recorded");
  }
}

// Those of the section on counters are counted anew (quoted_counts_test.cpp).
TEST_CASE("every count in a table of a chapter was recorded") {
  static const std::regex number(R"(\b\d{1,3}(?:,\d{3})+\b)");
  std::size_t checked = 0;
  for (const std::string& path : documents()) {
    if (!path.ends_with("/README.md")) continue;
    std::istringstream lines(os::read_file(path).value());
    std::string section;
    for (std::string one; std::getline(lines, one);) {
      if (one.starts_with("## ")) section = one;
      if (!one.starts_with('|') || section == "## Look at the counters") continue;
      for (std::sregex_iterator at(one.begin(), one.end(), number), end; at != end; ++at) {
        std::string digits = (*at)[0].str();
        std::erase(digits, ',');
        ++checked;
        CHECK_MESSAGE(is_one_of(recorded_counts(), digits, 1.0),
                      workbook::here().shortened(path) << ": " << (*at)[0].str() << " is in no record");
      }
    }
  }
  CHECK(checked > 30);
}

TEST_CASE("a time that is in no record is found") {
  const double median = records().front().time_ms.value().median;
  CHECK(is_recorded(fmt::format("{:.4f}", median), "ms"));
  CHECK(is_recorded(fmt::format("{:.1f}", 1000 * median), "µs"));
  CHECK_FALSE(is_recorded("0.00001", "ms"));
  CHECK_FALSE(is_recorded("98765.4", "ms"));
}

TEST_CASE("nothing of docs/records rests on fewer than five samples") {
  for (const Record& record : records()) {
    if (record.time_ms)
      CHECK_MESSAGE(record.time_ms->samples + record.dropped >= 5,
                    record.command << ", " << measure::title_of(record));
  }
}
