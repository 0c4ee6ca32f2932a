// SPDX-License-Identifier: MIT
#include "judge/build.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "judge/command.hpp"

namespace judge {

namespace {

// The build tool takes no lock of its own. Released with the descriptor.
class BuildLock {
 public:
  explicit BuildLock(const std::string& build_root)
      : descriptor_(open((build_root + "/.lab.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "cannot write to " + build_root);
    while (flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~BuildLock() { close(descriptor_); }
  BuildLock(const BuildLock&) = delete;
  BuildLock& operator=(const BuildLock&) = delete;

 private:
  int descriptor_;
};

// "FILE:LINE:COLUMN: error: ..." (g++, clang), "FILE(LINE): error: ..." (nvcc), or the linker's
// "FILE:LINE: undefined reference to ...", which may have the linker's own name before it.
std::optional<Location> place_of(std::string_view line) {
  std::size_t error = std::string_view::npos;
  for (const std::string_view kind : {": error:", ": error #", ": fatal error:", ": undefined reference to"}) {
    error = std::min(error, line.find(kind));
  }
  if (error == std::string_view::npos || error == 0) return std::nullopt;
  std::string_view place = line.substr(0, error);
  if (const std::size_t linker = place.find("ld: "); linker != std::string_view::npos) place.remove_prefix(linker + 4);
  if (place.empty()) return std::nullopt;
  const std::size_t mark = place.back() == ')' ? place.rfind('(') : place.find(':');
  if (mark == std::string_view::npos) return Location{std::string(place), 0};
  return Location{std::string(place.substr(0, mark)), std::atoi(std::string(place.substr(mark + 1)).c_str())};
}

// "FILE:LINE..." as a place.
Location place_at_start(std::string_view text) {
  const std::size_t mark = std::min(text.find(':'), text.size());
  return {std::string(text.substr(0, mark)), std::atoi(std::string(text.substr(std::min(mark + 1, text.size()))).c_str())};
}

bool is_of_simulator(const Location& place) { return place.file.find("/common/simulator/") != std::string::npos; }

// What the compilers say of how they came to an error in a header: its innermost includer, or who made it instantiate a
// template there. (g++ says so before the error, clang the latter behind it.)
class WayToError {
 public:
  void note(const std::string& line) {
    constexpr std::string_view included = "In file included from ";
    if (line.find(": warning:") != std::string::npos) *this = {};
    if (line.rfind(included, 0) == 0) keep(includer_, place_at_start(std::string_view(line).substr(included.size())));
    const bool asks = line.find(":   required from") != std::string::npos || line.find(": note: in instantiation of") != std::string::npos;
    if (asks && !user_) keep(user_, place_at_start(line));
  }
  const std::optional<Location>& user() const { return user_; }
  const std::optional<Location>& start() const { return user_ ? user_ : includer_; }

 private:
  static void keep(std::optional<Location>& to, Location place) {
    if (!is_of_simulator(place) && place.line > 0) to = std::move(place);
  }
  std::optional<Location> includer_, user_;
};

// An error in a header of the simulator's, as one of the line that led there: what it says, without the header's text.
CompilerError as_of(const CompilerError& error, const Location& place) {
  constexpr std::string_view mark = "error: ";
  std::string what = error.message.substr(0, error.message.find('\n'));
  what.erase(0, what.find(mark) + mark.size());
  if (what.rfind("#error ", 0) == 0) what.erase(0, 7);
  std::erase(what, '"');
  return {fmt::format("{}:{}: error: {}", place.file, place.line, what), place};
}

}  // namespace

std::optional<CompilerError> first_compiler_error(const std::string& output) {
  std::istringstream lines(output);
  std::optional<CompilerError> found;
  WayToError way;
  for (std::string line; std::getline(lines, line);) {
    if (!found) {
      if (const auto place = place_of(line)) {
        found = CompilerError{line, *place};
      } else {
        way.note(line);
      }
      continue;
    }
    if (is_of_simulator(found->where) && !way.user()) {
      way.note(line);
      if (!place_of(line)) continue;
    }
    // The lines that follow show the source; they begin with blanks.
    if (line.empty() || !std::isspace(static_cast<unsigned char>(line.front()))) break;
    found->message += "\n" + line;
  }
  if (found && is_of_simulator(found->where) && way.start()) return as_of(*found, *way.start());
  return found;
}

// A full disk is no error of the source's. The tools tell of it in the system's words: the compiler as "FILE:LINE: fatal
// error: WHAT: No space left on device", the linker and the assembler in forms of their own.
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
      throw std::system_error(error, std::generic_category(), fmt::format("cannot build {}: {}", target, what));
    }
  }
}

CommandResult build(const Workbook& workbook, const std::vector<std::string>& files) {
  std::vector<std::string> words{workbook.ninja, "-C", workbook.build_root};
  for (const std::string& file : files) words.push_back(file.substr(workbook.build_root.size() + 1));
  const BuildLock lock(workbook.build_root);
  CommandResult result = run_command(std::move(words));
  if (result.code == 127) throw std::system_error(ENOENT, std::generic_category(), workbook.ninja);
  return result;
}

std::optional<Finding> build_runner(const Workbook& workbook, const ExerciseInfo& exercise, Tree tree, Backend backend) {
  const std::string source = workbook.source_file(exercise, tree);
  if (access(source.c_str(), R_OK) != 0) {
    return Finding{Verdict::build_error, fmt::format("{}: {}", workbook.shortened(source), std::strerror(errno))};
  }
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(source, ignored)) {
    return Finding{Verdict::build_error, fmt::format("{}: not a regular file", workbook.shortened(source))};
  }
  const std::string runner = workbook.runner(exercise, tree, backend), target = runner.substr(workbook.build_root.size() + 1);
  const CommandResult result = build(workbook, {runner});
  if (result.code == 0) return std::nullopt;
  require_working_machine(target, result.output);
  if (auto error = first_compiler_error(result.output)) {
    // What a compiler for the host makes of it names everything but that.
    if (backend == Backend::sim && error->message.find("<<<") != std::string::npos) {
      error->message = fmt::format("{}:{}: error: launches (<<<>>>) are not simulated: they need a GPU", error->where.file, error->where.line);
    }
    const std::size_t at = error->message.find(error->where.file);
    if (at != std::string::npos) {
      error->where.file = workbook.shortened(error->where.file);
      error->message.replace(at, error->message.find_first_of(":(", at) - at, error->where.file);
    }
    Finding finding{Verdict::build_error, error->message};
    if (error->where.line > 0) finding.where.push_back(error->where);
    return finding;
  }
  return Finding{Verdict::build_error, result.output};
}

}  // namespace judge
