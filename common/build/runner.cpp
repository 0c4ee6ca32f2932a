// SPDX-License-Identifier: MIT
#include "build/runner.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <sstream>
#include <system_error>
#include <tuple>
#include <utility>

#include "build/prepared_header.hpp"
#include "build/step.hpp"
#include "facts/errors.hpp"
#include "os/files.hpp"

namespace build {

namespace {

namespace files = std::filesystem;

// The target to bring up to date before runners of this backend are made, below the build folder.
std::string template_target(facts::Backend backend) {
  return "common/build/runner-template." + std::string(name_of(backend));
}

// The commands that make the template from its source, in their order. Their own files are those with
// "runner-template" in their names.
std::vector<Command> read_template_commands(const workbook::Workbook& workbook, facts::Backend backend) {
  const std::string target = template_target(backend);
  const os::CommandResult listed =
      os::run_command({workbook.ninja, "-C", workbook.build_root, "-t", "commands", target});
  if (listed.code == 127) throw std::system_error(ENOENT, std::generic_category(), workbook.ninja);
  std::vector<Command> commands;
  std::istringstream lines(listed.output);
  for (std::string line; std::getline(lines, line);) {
    // the other commands make the libraries
    if (line.find("runner-template") != std::string::npos) commands.push_back(shell_words(line));
  }
  if (listed.code != 0 || commands.empty())
    throw facts::MachineError("the build tool does not know " + target + ":\n" + listed.output);
  return commands;
}

// The same; the build tool, which reads its whole file each time, is asked once for each state of that file.
std::vector<Command> template_commands(const workbook::Workbook& workbook, facts::Backend backend) {
  struct stat status {};
  if (stat((workbook.build_root + "/build.ninja").c_str(), &status) != 0)
    return read_template_commands(workbook, backend);
  using State = std::tuple<std::string, std::string, facts::Backend, time_t, long, ino_t, off_t>;
  static std::mutex mutex;
  static std::map<State, std::vector<Command>> known;
  const State state{workbook.ninja,         workbook.build_root, backend,       status.st_ctim.tv_sec,
                    status.st_ctim.tv_nsec, status.st_ino,       status.st_size};
  const std::lock_guard lock(mutex);
  const auto found = known.find(state);
  if (found != known.end()) return found->second;
  return known[state] = read_template_commands(workbook, backend);
}

// A file name between quotes may hold no quote, one between angle brackets may.
std::string include_of(const std::string& path) {
  return path.find('"') == std::string::npos ? "\"" + path + "\"" : "<" + path + ">";
}

// The folder of the unit, its object file and the records of its steps.
std::string folder_of(const workbook::Target& target) { return target.runner + ".p"; }

bool is_unit_source(const std::string& word) { return word.ends_with("runner-template.cpp"); }

// A word of the template's commands, for another target.
std::string adapted(const std::string& word, const workbook::Target& target) {
  if (word == "-fdiagnostics-color=always") return "-fdiagnostics-color=never";
  if (word == "-fcolor-diagnostics") return "-fno-color-diagnostics";        // clang's name for it
  if (word == "runner,problem") return "runner," + target.exercise.problem;  // namespaces, for lab-guard
  if (word.find("runner-template") == std::string::npos || word.rfind("-I", 0) == 0) return word;
  if (word == template_target(target.backend)) return target.runner;
  if (is_unit_source(word)) return folder_of(target) + "/unit.cpp";
  return folder_of(target) + "/" + files::path(word).filename().string();
}

// The arguments that the compiler of a unit gets besides the template's.
Command arguments_of(const workbook::Workbook& workbook, const workbook::Target& target) {
  Command words{"-I" + workbook.source_root + "/common/problems/" + target.exercise.problem + "/unit"};
  if (!target.exercise.launched) words.push_back("-DWORKBOOK_SEQUENTIAL");
  // A function on the CPU may throw; a kernel may not.
  if (!target.exercise.launched) words.push_back("-fexceptions");
  return words;
}

bool compiles_unit(const Command& command, const workbook::Target& target) {
  return std::ranges::find(command, folder_of(target) + "/unit.cpp") != command.end();
}

std::vector<Step> steps_of(const workbook::Workbook& workbook, const workbook::Target& target,
                           const Command& unit_arguments = {}) {
  std::vector<Step> steps;
  for (Command& command : commands_of(workbook, target)) {
    if (compiles_unit(command, target)) {
      // A header that was compiled without these arguments is of no use.
      const Command arguments =
          unit_arguments.empty() ? prepared_header_arguments(workbook, target, command) : unit_arguments;
      command.insert(command.end(), arguments.begin(), arguments.end());
      // What clang calls bounds are also checks that end the program without a word.
      const bool is_clang = std::ranges::find(command, "-mllvm") != command.end();
      if (is_clang) std::ranges::replace(command, "-fsanitize=bounds", "-fsanitize=array-bounds");
    }
    const auto depfile = std::find(command.begin(), command.end(), "-MF");
    Step step{.folder = workbook.build_root,
              .record = fmt::format("{}/step-{}", folder_of(target), steps.size() + 1)};
    if (depfile != command.end() && depfile + 1 != command.end()) step.depfile = *(depfile + 1);
    step.command = std::move(command);
    steps.push_back(std::move(step));
  }
  return steps;
}

bool takes_prepared_header(const Step& step) { return step.command.back() == "-fpch-deps"; }

// The step without what only makes it quicker; nullopt if it has nothing of the kind. Each linker has its own
// words for what is wrong, and the judge reads those of the usual one. An error in a header that was compiled
// before is told without the place that includes it.
std::optional<Step> usual(Step step) {
  const std::size_t words = step.command.size();
  std::erase_if(step.command, [](const std::string& word) { return word.rfind("-fuse-ld=", 0) == 0; });
  if (takes_prepared_header(step)) step.command.resize(words - 3);
  return step.command.size() < words ? std::optional(std::move(step)) : std::nullopt;
}

// "[3/25] Compiling ..." as the build tool prints it: 3 and 25.
std::optional<std::pair<std::string, std::string>> steps_in(std::string_view line) {
  const std::size_t slash = line.find('/'), end = line.find("] ");
  if (!line.starts_with('[') || slash == line.npos || end == line.npos || slash > end) return std::nullopt;
  return std::pair(std::string(line.substr(1, slash - 1)),
                   std::string(line.substr(slash + 1, end - slash - 1)));
}

void make_folder(const std::string& folder) {
  std::error_code error;
  files::create_directories(folder, error);
  if (error) throw std::system_error(error, "cannot write to " + folder);
}

}  // namespace

Command shell_words(const std::string& line) {
  Command words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == 0 && (c == ' ' || c == '\t')) {
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
      continue;
    }
    in_word = true;
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
      word += line[++i];
    } else {
      word += c;
    }
  }
  if (in_word) words.push_back(word);
  return words;
}

std::string text_of(const workbook::Target& target) {
  return fmt::format(
      "#include {}\n"
      "// Whatever the file leaves unfinished is an error here, not in some header.\n"
      "namespace runner {{}}\n\n"
      "#define WORKBOOK_LAB \"{}\"\n"
      "#define WORKBOOK_EXERCISE \"{}\"\n"
      "#define WORKBOOK_OUTPUT ::runner::Outputs::{}\n"
      "#include \"problems/{}/unit/{}_entry.hpp\"\n",
      include_of(target.source), target.exercise.lab, target.exercise.name, target.exercise.output,
      target.exercise.problem, target.exercise.entry);
}

std::vector<Command> commands_of(const workbook::Workbook& workbook, const workbook::Target& target) {
  std::vector<Command> commands = template_commands(workbook, target.backend);
  for (Command& command : commands) {
    const bool is_compiler = std::any_of(command.begin(), command.end(), is_unit_source);
    for (std::string& word : command) word = adapted(word, target);
    if (!is_compiler) continue;
    const Command arguments = arguments_of(workbook, target);
    command.insert(command.end(), arguments.begin(), arguments.end());
  }
  return commands;
}

std::string object_of(const workbook::Workbook& workbook, const workbook::Target& target) {
  std::string object;
  for (const Command& command : commands_of(workbook, target)) {
    const bool is_compiler = compiles_unit(command, target);
    const auto output = std::ranges::find(command, "-o");
    if (is_compiler && command.end() - output > 1) object = *(output + 1);
    // lab-guard makes the object of the compiler's assembly
    const bool guards = command.size() > 2 && command[0].ends_with("/lab-guard") && command[1] == object;
    if (guards) object = command[2];
  }
  if (!object.empty()) return (files::path(workbook.build_root) / object).lexically_normal();
  throw facts::MachineError("the build tool does not compile " + target.source);
}

os::CommandResult update(const workbook::Workbook& workbook, const std::vector<std::string>& paths,
                         const Progress& progress) {
  std::vector<std::string> words{workbook.ninja, "-C", workbook.build_root};
  for (const std::string& path : paths) words.push_back(path.substr(workbook.build_root.size() + 1));
  const os::FileLock lock(workbook.build_root + "/.lab.lock", O_RDWR | O_CREAT);
  if (lock.descriptor() < 0)
    throw std::system_error(errno, std::generic_category(), "cannot write to " + workbook.build_root);
  const auto tell = [&](std::string_view line) {
    if (const auto steps = steps_in(line); steps && progress)
      progress(fmt::format("building the harness, {} of {}", steps->first, steps->second));
  };
  os::CommandResult result = os::run_command(std::move(words), {}, tell);
  if (result.code == 127) throw std::system_error(ENOENT, std::generic_category(), workbook.ninja);
  return result;
}

std::optional<std::string> update_libraries(const workbook::Workbook& workbook, facts::Backend backend,
                                            const Progress& progress) {
  if (access(workbook.build_root.c_str(), W_OK) != 0) {
    const os::CommandResult planned =
        os::run_command({workbook.ninja, "-C", workbook.build_root, "-n", template_target(backend)});
    if (planned.code == 0 && planned.output.find("no work to do") != std::string::npos) return std::nullopt;
  }
  const os::CommandResult result =
      update(workbook, {workbook.build_root + "/" + template_target(backend)}, progress);
  return result.code == 0 ? std::nullopt : std::optional(result.output);
}

std::optional<Failure> make_runner(const workbook::Workbook& workbook, const workbook::Target& target,
                                   const Manner& manner) {
  const std::string folder = folder_of(target), file = folder + "/unit.cpp", text = text_of(target);
  make_folder(folder);
  const os::FileLock lock(folder + "/lock", O_RDWR | O_CREAT);
  if (lock.descriptor() < 0)
    throw std::system_error(errno, std::generic_category(), "cannot write to " + folder);
  if (os::read_file(file) != text) os::write_file(file, text);
  const auto begin = std::chrono::steady_clock::now();
  const auto left = [&] {
    const auto passed = std::chrono::steady_clock::now() - begin;
    return os::ToolLimits{manner.limits.time - std::chrono::duration_cast<std::chrono::milliseconds>(passed),
                          manner.limits.memory_bytes};
  };
  for (Step& step : steps_of(workbook, target, manner.unit_arguments)) {
    step.wrapper = manner.wrapper;
    auto failure = run(step, left());
    if (failure && failure->exceeded.empty() &&
        !(takes_prepared_header(step) && tells_the_same(failure->output, target))) {
      if (const auto other = usual(step)) failure = run(*other, left());
    }
    if (!failure) continue;
    // Each step has what the others left; what is told is what all had.
    if (failure->exceeded.ends_with(" s"))
      failure->exceeded = "more than " + os::in_seconds(manner.limits.time);
    return failure;
  }
  return std::nullopt;
}

std::string printed_of(const workbook::Workbook& workbook, const workbook::Target& target) {
  for (const Step& step : steps_of(workbook, target)) {
    if (compiles_unit(step.command, target)) return printed_by(step);
  }
  return {};
}

std::vector<std::string> files_of(const workbook::Workbook& workbook, const workbook::Target& target) {
  std::vector<std::string> all;
  for (const Step& step : steps_of(workbook, target)) {
    for (std::string& path : files_of(step)) {
      const bool own = path == target.runner || path.rfind(folder_of(target) + "/", 0) == 0;
      if (!own && path.rfind("/usr/", 0) != 0) all.push_back(std::move(path));
    }
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace build
