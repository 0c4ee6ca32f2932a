// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <tuple>

#include "build/runner.hpp"
#include "judge/build.hpp"
#include "judge/forbidden.hpp"
#include "judge/harness_words.hpp"
#include "judge/object_rules.hpp"
#include "judge/source_text.hpp"
#include "os/command.hpp"
#include "os/elf_file.hpp"
#include "os/files.hpp"
#include "problems/problem.hpp"

namespace judge {

namespace {

// Enough to find one that is the student's.
constexpr std::size_t most_places = 64;

// The student's lines that led to places in the object, the first of each.
std::vector<facts::Location> lines_of(const std::string& object, const os::ElfObject& tables,
                                      const std::vector<ObjectPlace>& places, const std::string& source) {
  std::vector<facts::Location> lines;
  for (std::size_t i = 0; i < std::min(places.size(), most_places); ++i) {
    const os::CommandResult told =
        os::run_command({"addr2line", "-e", object, "-j", tables.sections[places[i].section].name, "-i",
                         fmt::format("0x{:x}", places[i].offset)});
    if (told.code != 0) continue;
    std::istringstream printed(told.output);
    for (std::string line; std::getline(printed, line);) {
      const std::size_t colon = line.rfind(':');
      if (colon == std::string::npos) continue;
      const facts::Location place{line.substr(0, colon), std::atoi(line.c_str() + colon + 1)};
      if (place.line > 0 && is_students(place, source)) {
        lines.push_back(place);
        break;
      }
    }
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

// Where the student's file has the name; 0: nowhere.
int line_of_name(const std::string& name, const std::string& source) {
  const std::size_t scope = name.rfind("::");
  const std::string word = scope == std::string::npos ? name : name.substr(scope + 2);
  return word.empty() ? 0 : line_that_names(os::read_file(source).value_or(""), word).value_or(0);
}

struct Told {
  const ObjectViolation& violation;
  facts::Location place;  // by the compiler's line table, else where the name is; line 0: not known
  bool named;             // by the student, not by a header alone
};

// What explains most comes first.
bool explains_more(const Told& a, const Told& b) {
  const auto rank = [](const Told& told) {
    return std::tuple(told.place.line == 0, !told.named, told.place.line);
  };
  return rank(a) < rank(b);
}

std::optional<std::string> host_function(const workbook::Target& target) {
  if (!target.exercise.launched || !facts::traits_of(target.backend).simulated) return std::nullopt;
  for (const problems::Callee& callee : problems::find_problem(target.exercise.problem)->entry(true)) {
    if (callee.declaration.find("__global__") == std::string_view::npos) return std::string(callee.name);
  }
  return std::nullopt;
}

}  // namespace

std::optional<facts::Finding> inspect_object(const workbook::Workbook& workbook,
                                             const workbook::Target& target) {
  const std::string object = build::object_of(workbook, target);
  const os::ElfObject tables = os::elf_object(object);
  const HarnessWords& words = words_of_harness(workbook, target);
  std::set<std::string> of_harness = words.of_lab;
  of_harness.insert(words.of_entry.begin(), words.of_entry.end());
  std::vector<ObjectViolation> violations =
      violations_in(tables, {.problem = target.exercise.problem,
                             .of_harness = of_harness,
                             .host_function = host_function(target),
                             .on_gpu = target.backend == facts::Backend::gpu});
  // nvcc gives the host a stand-in for a function of the device alone, which ends the program.
  if (target.backend == facts::Backend::gpu) {
    std::erase_if(violations, [&](const ObjectViolation& violation) {
      return violation.name == "exit" && line_of_name("exit", target.source) == 0;
    });
  }
  if (violations.empty()) return std::nullopt;
  std::vector<Told> all;
  for (const ObjectViolation& violation : violations) {
    const auto lines = lines_of(object, tables, violation.places, target.source);
    const int line = line_of_name(violation.name, target.source);
    all.push_back(
        {violation, lines.empty() ? facts::Location{target.source, line} : lines.front(), line > 0});
  }
  const Told& first = *std::min_element(all.begin(), all.end(), explains_more);
  return forbidden_at(workbook, first.place.file, first.place.line, first.violation.words,
                      first.violation.rule);
}

}  // namespace judge
