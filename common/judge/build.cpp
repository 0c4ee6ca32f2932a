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

#include "judge/forbidden.hpp"

namespace judge {

namespace {

// nullopt, or the output of the tool that failed to make the runner.
std::optional<std::string> made(const workbook::Workbook& workbook, const workbook::Target& target,
                                const build::Progress& progress, const build::Manner& manner) {
  if (!manner.libraries_are_built) {
    if (auto output = build::update_libraries(workbook, target.backend, progress)) return output;
  }
  return build::make_runner(workbook, target, manner.wrapper);
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

std::optional<facts::Finding> build_runner(const workbook::Workbook& workbook, const workbook::Target& target,
                                           const std::function<void(const std::string&)>& progress,
                                           const build::Manner& manner) {
  const std::string& source = target.source;
  if (access(source.c_str(), R_OK) != 0) {
    return facts::Finding{facts::Verdict::build_error,
                          fmt::format("{}: {}", workbook.shortened(source), std::strerror(errno))};
  }
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(source, ignored)) {
    return facts::Finding{facts::Verdict::build_error,
                          fmt::format("{}: not a regular file", workbook.shortened(source))};
  }
  const Inspection inspection = inspect(workbook, target);
  if (inspection.unreadable) return inspection.unreadable;
  const auto output = made(workbook, target, progress, manner);
  if (!output) return inspection.forbidden ? inspection.forbidden : inspect_object(workbook, target);
  // What is sealed after compiling may be refused there in no student's words.
  if (inspection.forbidden && !first_compiler_error(*output, source)) return inspection.forbidden;
  const std::string folder = workbook.build_root + "/";
  require_working_machine(
      target.runner.starts_with(folder) ? target.runner.substr(folder.size()) : target.runner, *output);
  facts::Finding finding = build_error(workbook, target, *output);
  if (target.backend == facts::Backend::gpu && workbook.has_simulator &&
      !made(workbook, workbook.target(target.exercise, target.tree, facts::Backend::sim), progress, manner)) {
    finding.message += "\n  nvcc refuses this; for the simulator the same file compiles";
  }
  return finding;
}

}  // namespace judge
