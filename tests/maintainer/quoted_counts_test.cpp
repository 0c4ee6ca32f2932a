// SPDX-License-Identifier: MIT
// What a chapter's section on counters quotes is what the simulator counts: its lines
// <!-- counted: LAB INPUT VARIANT LENGTH [THREADS PER BLOCK] --> name runs of solutions, and every number of
// four digits or more is one of their figures. What is worked out from these is listed in
// counts_elsewhere.txt.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "judge/check.hpp"
#include "measure/record.hpp"
#include "measure/run.hpp"
#include "os/files.hpp"
#include "quoted.hpp"

namespace {

using measure::Record;

// The chapter's text from the heading on to the next one.
std::string section_on_counters(const std::string& chapter) {
  const std::size_t begin = chapter.find("\n## Look at the counters\n");
  return begin == chapter.npos ? "" : chapter.substr(begin, chapter.find("\n## ", begin + 1) - begin);
}

// All that a run of these words tells: its counters, its blocks and its length.
std::set<double> figures_of(const Words& words) {
  REQUIRE(words.size() >= 4);
  const std::vector<workbook::ExerciseInfo> found = workbook::here().find(words.at(0));
  REQUIRE(found.size() == 1);
  const std::uint64_t length = std::stoull(words.at(3));
  const workbook::Target target =
      workbook::here().target(found.front(), workbook::Tree::solution, facts::simulator);
  const auto input =
      problems::find_problem(found.front().problem)->make_input(words.at(1), words.at(2), length, 1);
  runner::RunOptions options;
  if (words.size() > 4) options.block = static_cast<unsigned>(std::stoul(words.at(4)));
  const Record record = measure::run(judge::runner_settings(target), *input,
                                     {.exercise = found.front(),
                                      .backend = facts::simulator,
                                      .variant = words.at(2),
                                      .input = words.at(1),
                                      .length = length},
                                     options);
  REQUIRE_MESSAGE(record.passed(), target.runner << ": " << record.finding.message);
  std::set<double> figures{static_cast<double>(length), static_cast<double>(record.launch.grid)};
  for (const auto& [name, value] : record.counters) figures.insert(static_cast<double>(value));
  return figures;
}

// Whether "1,048,576" is one of the figures, or "903,000" one of them rounded to as many digits.
bool is_one_of(const std::set<double>& figures, std::string digits, bool rounded) {
  std::erase(digits, ',');
  const double value = std::stod(digits);
  const std::size_t zeros = digits.size() - 1 - digits.find_last_not_of('0');
  const double half = rounded ? std::pow(10, static_cast<double>(zeros)) / 2 : 0;
  const auto at = figures.lower_bound(value - half);
  return at != figures.end() && *at <= value + half;
}

}  // namespace

TEST_CASE("every count in a chapter's section on counters is what the simulator counts") {
  if (!workbook::here().has_simulator) return;
  static const std::regex marker(R"(<!-- counted: (.*) -->)"), number(R"((about )?\b(\d{1,3}(?:,\d{3})+)\b)");
  const std::set<std::string> elsewhere = listed_in("counts_elsewhere.txt", 2);
  std::set<std::string> labs, used;
  std::size_t checked = 0;
  for (const workbook::ExerciseInfo& exercise : workbook::here().exercises) {
    if (!labs.insert(exercise.lab).second) continue;
    const std::string name = "labs/" + exercise.lab + "/README.md";
    const std::string text =
        section_on_counters(os::read_file(workbook::here().source_root + "/" + name).value());
    std::set<double> figures;
    for (std::sregex_iterator at(text.begin(), text.end(), marker), end; at != end; ++at)
      figures.merge(figures_of(words_of((*at)[1])));
    for (std::sregex_iterator at(text.begin(), text.end(), number), end; at != end; ++at) {
      ++checked;
      if (is_one_of(figures, (*at)[2], (*at)[1].matched)) continue;
      const std::string key = name + " " + (*at)[2].str();
      used.insert(key);
      if (elsewhere.count(key) == 0) FAIL_CHECK(key << " is counted by no run that the section names");
    }
  }
  CHECK(checked > 50);
  for (const std::string& key : elsewhere) {
    if (used.count(key) == 0)
      FAIL_CHECK("counts_elsewhere.txt: " << key << " is quoted no longer, or is counted");
  }
}

TEST_CASE("a count is compared to the digit, a rounded one to the digits that are shown") {
  const std::set<double> figures{902'860, 1'048'576};
  CHECK(is_one_of(figures, "1,048,576", false));
  CHECK_FALSE(is_one_of(figures, "1,048,575", false));
  CHECK(is_one_of(figures, "903,000", true));
  CHECK_FALSE(is_one_of(figures, "903,000", false));
  CHECK_FALSE(is_one_of(figures, "902,000", true));
}
