// SPDX-License-Identifier: MIT
#include "judge/build.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "facts/errors.hpp"
#include "judge/forbidden.hpp"
#include "judge/kernel_mistakes.hpp"
#include "judge/shared_size.hpp"
#include "judge/undefined_operations.hpp"
#include "os/files.hpp"

namespace judge {

namespace {

// nullopt, or how the tools failed to make the runner.
std::optional<build::Failure> made(const workbook::Workbook& workbook, const workbook::Target& target,
                                   const BuildOptions& options) {
  if (!options.manner.libraries_are_built) {
    if (auto output = build::update_libraries(workbook, target.backend, options.progress))
      return build::Failure{1, std::move(*output), {}};
  }
  build::Manner manner = options.manner;
  if (options.whole) {
    options.whole->begin();
    manner.limits.time = std::min(manner.limits.time, options.whole->left());
  }
  return build::make_runner(workbook, target, manner);
}

// Without one, which is no fault of the student's, undefined operations are not looked for.
void make_checked_runner(const workbook::Workbook& workbook, const workbook::Target& target,
                         const BuildOptions& options) {
  const workbook::Target checked = with_checked_operations(target);
  BuildOptions with_checks = options;
  with_checks.manner.libraries_are_built = true;
  with_checks.manner.unit_arguments = checks_for(os::read_file(target.source).value_or(""));
  // Most of the time is for the check itself.
  constexpr int part = 4;
  if (options.whole) with_checks.manner.limits.time = options.whole->left() / part;
  const bool is_wanted =
      facts::traits_of(target.backend).simulated && !with_checks.manner.unit_arguments.empty();
  if (is_wanted && !made(workbook, checked, with_checks)) return;
  std::error_code ignored;
  std::filesystem::remove(checked.runner, ignored);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

// A full disk, of which the tools tell in the system's words: the compiler as "FILE:LINE: fatal error: WHAT:
// No space left on device", the linker and the assembler in forms of their own. A student's file may hold
// these words, which a compiler prints then; so the disk itself is asked.
void require_space(const std::string& target, const std::vector<std::string>& lines,
                   const std::string& folder, const BuildOptions& options) {
  for (const std::string& line : lines) {
    for (const int error : {ENOSPC, EDQUOT, EROFS}) {
      const std::size_t at = line.find(std::strerror(error));
      // Lines of source are shown behind blanks.
      if (at == std::string::npos || std::isspace(static_cast<unsigned char>(line.front()))) continue;
      if (!options.is_disk_full(folder)) return;
      constexpr std::string_view kind = "fatal error: ";
      const std::size_t fatal = line.find(kind), begin = fatal < at ? fatal + kind.size() : 0;
      std::string what = line.substr(begin, at - begin);
      what.erase(what.find_last_not_of(" :'") + 1);
      throw std::system_error(error, std::generic_category(),
                              fmt::format("cannot build {}: {}", target, what));
    }
  }
}

// The last words of a compiler that lacks a part of its own, or whose part was ended from outside; empty if
// they are others. What it prints of a student's file never comes last: below it the file's line is shown.
std::string trouble_of_machine(std::vector<std::string> lines) {
  while (!lines.empty() &&
         (lines.back() == "compilation terminated." ||
          lines.back().find("error: linker command failed due to signal") != std::string::npos))
    lines.pop_back();
  if (lines.empty()) return {};
  const std::string& last = lines.back();
  const std::size_t end = last.find(':');
  // The name of a tool, "g++: ...", not a place.
  if (end == std::string::npos ||
      std::isdigit(static_cast<unsigned char>(last[std::min(end + 1, last.size() - 1)])))
    return {};
  for (const std::string_view words :
       {"fatal error: Killed signal terminated program", "fatal error: Terminated signal terminated program",
        "terminated with signal 9 [Killed]", "terminated with signal 15 [Terminated]",
        "error: unable to execute command:", "died due to signal 9", "died due to signal 15",
        "fatal error: cannot execute", "fatal error: cannot find", ": not found"}) {
    if (last.find(words) != std::string::npos) return last;
  }
  return {};
}

// Whatever goes wrong without the student's doing.
void require_working_machine(const std::string& target, const build::Failure& failure,
                             const std::string& folder, const BuildOptions& options) {
  for (const int signal : {SIGKILL, SIGTERM, SIGHUP, SIGINT, SIGQUIT}) {
    if (failure.code == 128 + signal)
      throw facts::MachineError(
          fmt::format("cannot build {}: the compiler was ended by a signal: {}", target, strsignal(signal)));
  }
  const std::vector<std::string> lines = lines_of(failure.output);
  require_space(target, lines, folder, options);
  if (const std::string trouble = trouble_of_machine(lines); !trouble.empty())
    throw facts::MachineError(fmt::format("cannot build {}: {}", target, trouble));
}

// Whether 64 MiB find room in the folder.
bool has_room(const std::string& folder) {
  std::string name = folder + "/space-XXXXXX";
  const int file = mkstemp(name.data());
  if (file < 0) return errno != ENOSPC && errno != EDQUOT && errno != EROFS;
  unlink(name.c_str());
  const int error = posix_fallocate(file, 0, 64 << 20);
  close(file);
  return error != ENOSPC && error != EDQUOT && error != EROFS;
}

}  // namespace

bool is_disk_full(const std::string& folder) {
  std::error_code ignored;
  const std::string temporary = std::filesystem::temp_directory_path(ignored).string();
  return !has_room(folder) || (!temporary.empty() && !has_room(temporary));
}

namespace {

// Whether an error is told of no statement of the student's, but of a directive or of another file: then it
// comes of what the directives make of others' code.
bool is_beyond_statements(const facts::Finding& error, const facts::Finding& forbidden,
                          const workbook::Workbook& workbook, const std::string& source) {
  if (error.where.empty() || forbidden.where.empty()) return false;
  const auto& [file, line] = std::pair(error.where.front().file, error.where.front().line);
  if (file != source && file != workbook.shortened(source)) return true;
  const std::vector<std::string> lines = lines_of(os::read_file(source).value_or(""));
  if (line < 1 || static_cast<std::size_t>(line) > lines.size()) return false;
  const std::string& text = lines[static_cast<std::size_t>(line) - 1];
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos || text[begin] != '#') return false;
  // Of a header that is not there the compiler says more than the rule that it breaks.
  return error.where.front().line != forbidden.where.front().line || text.find("include", begin) == text.npos;
}

}  // namespace

std::optional<facts::Finding> build_runner(const workbook::Workbook& workbook, const workbook::Target& target,
                                           const BuildOptions& options) {
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
  const auto failure = made(workbook, target, options);
  if (!failure) {
    if (inspection.forbidden) return inspection.forbidden;
    // what nvcc has taken is none for it
    const bool is_looked_for = target.exercise.launched && facts::traits_of(target.backend).simulated;
    auto mistake = is_looked_for ? kernel_mistake(workbook, target) : std::nullopt;
    // Of one line, the mistake says more: std::cout in a kernel.
    auto forbidden = inspect_object(workbook, target);
    if (forbidden && !(mistake && mistake->where == forbidden->where)) return forbidden;
    if (mistake) return mistake;
    if (auto too_large = shared_too_large(workbook, target)) return too_large;
    make_checked_runner(workbook, target, options);
    return std::nullopt;
  }
  if (!failure->exceeded.empty()) {
    return facts::Finding{facts::Verdict::build_error,
                          fmt::format("{}: compiling it took {}, and was given up",
                                      workbook.shortened(source), failure->exceeded)};
  }
  // What is sealed after compiling may be refused there in no student's words.
  if (inspection.forbidden && !first_compiler_error(failure->output, source)) return inspection.forbidden;
  const std::string folder = workbook.build_root + "/";
  require_working_machine(
      target.runner.starts_with(folder) ? target.runner.substr(folder.size()) : target.runner, *failure,
      std::filesystem::path(target.runner).parent_path(), options);
  facts::Finding finding = build_error(workbook, target, failure->output);
  if (inspection.forbidden && is_beyond_statements(finding, *inspection.forbidden, workbook, source))
    return inspection.forbidden;
  // Of a line that has both, our own words: "'cout' is not a member of 'std'" says less.
  if (const auto mistake = target.exercise.launched ? kernel_mistake(workbook, target) : std::nullopt;
      mistake && !finding.where.empty() && mistake->where == finding.where)
    return mistake;
  if (target.backend == facts::Backend::gpu && workbook.has_simulator &&
      !made(workbook, workbook.target(target.exercise, target.tree, facts::Backend::sim), options)) {
    finding.message += "\n  nvcc refuses this; for the simulator the same file compiles";
  }
  return finding;
}

}  // namespace judge
