// SPDX-License-Identifier: MIT
#include "judge/build.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "build/runner.hpp"
#include "judge/build_error.hpp"

namespace judge {

namespace {

// What was printed if the runner cannot be made.
std::optional<std::string> made(const workbook::Workbook& workbook, const build::Unit& unit) {
  if (auto output = build::update_libraries(workbook, unit.backend)) return output;
  return build::make_runner(workbook, unit);
}

// A full disk is no error of the source's. The tools tell of it in the system's words: the compiler as
// "FILE:LINE: fatal error: WHAT: No space left on device", the linker and the assembler in forms of their
// own.
void require_working_machine(const std::string& target, const std::string& output) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    for (const int error : {ENOSPC, EDQUOT, EROFS, ENOMEM}) {
      const std::size_t at = line.find(std::strerror(error));
      // Lines of source are shown behind blanks.
      if (at == std::string::npos || std::isspace(static_cast<unsigned char>(line.front()))) continue;
      constexpr std::string_view kind = "fatal error: ";
      const std::size_t fatal = line.find(kind), begin = fatal < at ? fatal + kind.size() : 0;
      std::string what = line.substr(begin, at - begin);
      what.erase(what.find_last_not_of(" :'") + 1);
      throw std::system_error(error, std::generic_category(),
                              fmt::format("cannot build {}: {}", target, what));
    }
  }
}

}  // namespace

std::optional<facts::Finding> build_runner(const workbook::Workbook& workbook,
                                           const workbook::ExerciseInfo& exercise, workbook::Tree tree,
                                           facts::Backend backend) {
  const std::string source = workbook.source_file(exercise, tree);
  if (access(source.c_str(), R_OK) != 0) {
    return facts::Finding{facts::Verdict::build_error,
                          fmt::format("{}: {}", workbook.shortened(source), std::strerror(errno))};
  }
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(source, ignored)) {
    return facts::Finding{facts::Verdict::build_error,
                          fmt::format("{}: not a regular file", workbook.shortened(source))};
  }
  const build::Unit unit = build::unit_of(workbook, exercise, tree, backend);
  const auto output = made(workbook, unit);
  if (!output) return std::nullopt;
  require_working_machine(unit.runner.substr(workbook.build_root.size() + 1), *output);
  facts::Finding finding = build_error(workbook, exercise, source, backend, *output);
  if (backend == facts::Backend::gpu && workbook.has_simulator &&
      !made(workbook, build::unit_of(workbook, exercise, tree, facts::Backend::sim))) {
    finding.message += "\n  nvcc refuses this; for the simulator the same file compiles";
  }
  return finding;
}

}  // namespace judge
