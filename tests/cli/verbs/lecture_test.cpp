// SPDX-License-Identifier: MIT
// The plans in docs/lecturers.md: each command that they name can be typed, and shows what the plan says.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "lab.hpp"
#include "support/contains.hpp"

namespace {

struct Planned {
  std::string command;  // without build/lab
  std::string cell;     // of the table that names it
};

// The commands of the tables that have a column of minutes.
std::vector<Planned> planned() {
  std::ifstream guide(workbook::here().source_root + "/docs/lecturers.md");
  std::vector<Planned> all;
  bool in_plan = false;
  for (std::string line; std::getline(guide, line);) {
    if (line.starts_with("| minute |")) in_plan = true;
    if (!line.starts_with("|")) in_plan = false;
    const std::regex cell("\\|([^|]*)"), command("`build/lab ([^`]*)`");
    for (std::sregex_iterator at(line.begin(), line.end(), cell), end; in_plan && at != end; ++at) {
      const std::string text = (*at)[1];
      for (std::sregex_iterator named(text.begin(), text.end(), command); named != end; ++named)
        all.push_back({(*named)[1], text});
    }
  }
  return all;
}

std::vector<std::string> words_of(const std::string& command) {
  std::istringstream text(command);
  return {std::istream_iterator<std::string>(text), {}};
}

bool has_word(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

// Kernels of students are written in the lecture: here the solution stands for them.
std::vector<std::string> with_solution(std::vector<std::string> words) {
  if ((words.front() == "run" || words.front() == "check") && !has_word(words, "--solution"))
    words.push_back("--solution");
  return words;
}

}  // namespace

TEST_CASE("every command of the lecturer's plans shows what its plan says" * doctest::test_suite("long")) {
  if (!can_simulate_solutions()) return;
  const std::vector<Planned> plans = planned();
  std::map<std::string, LabResult> results;
  std::set<std::string> verbs;
  for (const Planned& plan : plans) {
    const std::string &command = plan.command, &cell = plan.cell;
    CAPTURE(command);
    const std::vector<std::string> words = words_of(command);
    REQUIRE_FALSE(words.empty());
    verbs.insert(words.front());
    if (words.front() == "reset") continue;  // it would take a student's file away
    if (!results.contains(command)) results[command] = lab(with_solution(words));
    const LabResult& result = results[command];
    CHECK(result.code == 0);
    if (words.front() == "check") CHECK(contains(result.out, "pass: "));
    if (has_word(words, "--lockstep")) CHECK(contains(result.out, " updates lost\n"));
    if (words.front() != "demo") continue;
    // The scenes that the plan names are there.
    const std::regex scene("scenes? ([0-9])(?: (?:and|to) ([0-9]))?"), all_scenes("scene 1 of ([0-9]+): ");
    std::smatch named, shown;
    REQUIRE(std::regex_search(result.out, shown, all_scenes));
    if (std::regex_search(cell, named, scene)) {
      const int last = std::stoi(named[2].matched ? named[2] : named[1]);
      CHECK(last <= std::stoi(shown[1]));
    }
    if (contains(cell, "with atomics")) CHECK(contains(result.out, ": With atomics, in turns   step 0 "));
  }
  CHECK(plans.size() > 20);
  CHECK(verbs == std::set<std::string>{"check", "demo", "reset", "run"});
  CHECK(results.size() > 10);
}
