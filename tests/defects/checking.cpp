// SPDX-License-Identifier: MIT
#include "checking.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <set>

#include "judge/source_text.hpp"
#include "sources.hpp"

using simulator::Hazard;

namespace {

std::string description(facts::Verdict kind, const std::string& what, const Race& race,
                        const std::set<int>& lines) {
  return fmt::format("{}: {}{}{}{}; lines {}", facts::name_of(kind), what,
                     race.across_blocks ? ", across blocks" : "", race.within_warp ? ", within a warp" : "",
                     race.read_modify_write ? ", a read-modify-write" : "", fmt::join(lines, " "));
}

std::set<int> lines_of(const Hazard& hazard) {
  static const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::set<int> lines;
  for (const facts::Location& location :
       judge::source_lines(program, {hazard.sites.begin(), hazard.sites.end()})) {
    lines.insert(location.line);
  }
  return lines;
}

// The compiler may have made two barriers of one, in which threads then seem to wait apart; the judge leaves
// that out too.
bool is_one_line(const Hazard& hazard) {
  return hazard.kind == facts::Verdict::divergent_barrier && hazard.sites.size() > 1 &&
         lines_of(hazard).size() == 1;
}

std::vector<Hazard> hazards_of(const simulator::LaunchResult& result) {
  std::vector<Hazard> hazards = result.hazards;
  std::erase_if(hazards, is_one_line);
  return hazards;
}

std::string everything(const std::vector<Hazard>& hazards) {
  std::string text;
  for (const Hazard& hazard : hazards) {
    text +=
        description(hazard.kind, hazard.what,
                    {hazard.across_blocks, hazard.within_warp, hazard.read_modify_write}, lines_of(hazard)) +
        "\n";
  }
  return text;
}

}  // namespace

void check_reported(const std::string& kernel, const Expected& expected,
                    const simulator::LaunchResult& result) {
  const std::vector<Hazard> hazards = hazards_of(result);
  CAPTURE(kernel);
  INFO(everything(hazards));
  REQUIRE(!hazards.empty());
  // One defect may show at several pairs of places: together they are what is wrong.
  Race race{.within_warp = hazards.front().within_warp};
  std::set<int> lines;
  for (const Hazard& hazard : hazards) {
    CHECK(hazard.kind == expected.kind);
    race.across_blocks |= hazard.across_blocks;
    race.within_warp &= hazard.within_warp;
    race.read_modify_write |= hazard.read_modify_write;
    lines.merge(lines_of(hazard));
  }
  CHECK(description(hazards.front().kind, hazards.front().what, race, lines) ==
        description(expected.kind, expected.what, expected.race, kernel_sources().at(kernel).marked_lines));
}

void check_silent(const std::string& kernel, const simulator::LaunchResult& result) {
  CAPTURE(kernel);
  CHECK(everything(hazards_of(result)) == "");
}
