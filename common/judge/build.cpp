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

#include "judge/build_error.hpp"
#include "os/command.hpp"
#include "os/files.hpp"

namespace judge {

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

os::CommandResult build(const workbook::Workbook& workbook, const std::vector<std::string>& files) {
  std::vector<std::string> words{workbook.ninja, "-C", workbook.build_root};
  for (const std::string& file : files) words.push_back(file.substr(workbook.build_root.size() + 1));
  // The build tool takes no lock of its own.
  const os::FileLock lock(workbook.build_root + "/.lab.lock", O_RDWR | O_CREAT);
  if (lock.descriptor() < 0)
    throw std::system_error(errno, std::generic_category(), "cannot write to " + workbook.build_root);
  os::CommandResult result = os::run_command(std::move(words));
  if (result.code == 127) throw std::system_error(ENOENT, std::generic_category(), workbook.ninja);
  return result;
}

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
  const std::string runner = workbook.runner(exercise, tree, backend),
                    target = runner.substr(workbook.build_root.size() + 1);
  const os::CommandResult result = build(workbook, {runner});
  if (result.code == 0) return std::nullopt;
  require_working_machine(target, result.output);
  facts::Finding finding = build_error(workbook, source, exercise.launched, backend, result.output);
  if (facts::traits_of(backend).accelerator && workbook.has_simulator) {
    if (build(workbook, {workbook.runner(exercise, tree, facts::Backend::sim)}).code == 0) {
      finding.message += "\n  nvcc refuses this; for the simulator the same file compiles";
    }
  }
  return finding;
}

}  // namespace judge
