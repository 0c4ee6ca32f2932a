// SPDX-License-Identifier: MIT
#include "build/runner.hpp"

#include <fcntl.h>
#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "build/step.hpp"
#include "build/template.hpp"
#include "os/files.hpp"

namespace build {

namespace {

namespace files = std::filesystem;

// A file name between quotes may hold no quote, one between angle brackets may.
std::string include_of(const std::string& path) {
  return path.find('"') == std::string::npos ? "\"" + path + "\"" : "<" + path + ">";
}

// Where a unit and what becomes of it on its way are kept.
std::string folder_of(const Unit& unit) { return unit.runner + ".p"; }

bool is_unit_source(const std::string& word) { return word.ends_with("runner-template.cpp"); }

// A word of the template's commands, for another unit.
std::string adapted(const std::string& word, const Unit& unit) {
  if (word == "-fdiagnostics-color=always") return "-fdiagnostics-color=never";
  if (word.find("runner-template") == std::string::npos || word.rfind("-I", 0) == 0) return word;
  if (word == template_target(unit.backend)) return unit.runner;
  if (is_unit_source(word)) return folder_of(unit) + "/unit.cpp";
  return folder_of(unit) + "/" + files::path(word).filename().string();
}

// What the compiler of a unit needs to know beside what the template's does.
Command arguments_of(const workbook::Workbook& workbook, const Unit& unit) {
  Command words{"-I" + workbook.source_root + "/common/problems/" + unit.exercise.problem + "/unit"};
  if (!unit.exercise.launched) words.push_back("-DWORKBOOK_SEQUENTIAL");
  // A function on the CPU may throw; a kernel may not.
  if (!unit.exercise.launched) words.push_back("-fexceptions");
  return words;
}

std::vector<Step> steps_of(const workbook::Workbook& workbook, const Unit& unit) {
  std::vector<Step> steps;
  for (Command& command : commands_of(workbook, unit)) {
    const auto depfile = std::find(command.begin(), command.end(), "-MF");
    Step step{.folder = workbook.build_root,
              .record = fmt::format("{}/step-{}", folder_of(unit), steps.size() + 1)};
    if (depfile != command.end() && depfile + 1 != command.end()) step.depfile = *(depfile + 1);
    step.command = std::move(command);
    steps.push_back(std::move(step));
  }
  return steps;
}

void make_folder(const std::string& folder) {
  std::error_code error;
  files::create_directories(folder, error);
  if (error) throw std::system_error(error, "cannot write to " + folder);
}

}  // namespace

Unit unit_of(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise, workbook::Tree tree,
             facts::Backend backend) {
  return {workbook.source_file(exercise, tree), exercise, backend, workbook.runner(exercise, tree, backend)};
}

std::string text_of(const Unit& unit) {
  return fmt::format(
      "#include {}\n"
      "// Whatever the file leaves unfinished is an error here, not in some header.\n"
      "namespace runner {{}}\n\n"
      "#define WORKBOOK_LAB \"{}\"\n"
      "#define WORKBOOK_EXERCISE \"{}\"\n"
      "#define WORKBOOK_OUTPUT ::runner::Outputs::{}\n"
      "#include \"problems/{}/unit/{}_entry.hpp\"\n",
      include_of(unit.source), unit.exercise.lab, unit.exercise.name, unit.exercise.output,
      unit.exercise.problem, unit.exercise.entry);
}

std::vector<Command> commands_of(const workbook::Workbook& workbook, const Unit& unit) {
  std::vector<Command> commands = template_commands(workbook, unit.backend);
  for (Command& command : commands) {
    const bool compiles_unit = std::any_of(command.begin(), command.end(), is_unit_source);
    for (std::string& word : command) word = adapted(word, unit);
    if (!compiles_unit) continue;
    const Command arguments = arguments_of(workbook, unit);
    command.insert(command.end(), arguments.begin(), arguments.end());
  }
  return commands;
}

os::CommandResult update(const workbook::Workbook& workbook, const std::vector<std::string>& paths) {
  std::vector<std::string> words{workbook.ninja, "-C", workbook.build_root};
  for (const std::string& path : paths) words.push_back(path.substr(workbook.build_root.size() + 1));
  const os::FileLock lock(workbook.build_root + "/.lab.lock", O_RDWR | O_CREAT);
  if (lock.descriptor() < 0)
    throw std::system_error(errno, std::generic_category(), "cannot write to " + workbook.build_root);
  os::CommandResult result = os::run_command(std::move(words));
  if (result.code == 127) throw std::system_error(ENOENT, std::generic_category(), workbook.ninja);
  return result;
}

std::optional<std::string> update_libraries(const workbook::Workbook& workbook, facts::Backend backend) {
  const os::CommandResult result = update(workbook, {workbook.build_root + "/" + template_target(backend)});
  return result.code == 0 ? std::nullopt : std::optional(result.output);
}

std::optional<std::string> make_runner(const workbook::Workbook& workbook, const Unit& unit) {
  const std::string folder = folder_of(unit), file = folder + "/unit.cpp", text = text_of(unit);
  make_folder(folder);
  const os::FileLock lock(folder + "/lock", O_RDWR | O_CREAT);
  if (lock.descriptor() < 0)
    throw std::system_error(errno, std::generic_category(), "cannot write to " + folder);
  if (os::read_file(file) != text) os::write_file(file, text);
  for (const Step& step : steps_of(workbook, unit)) {
    if (auto output = run(step)) return output;
  }
  return std::nullopt;
}

std::vector<std::string> files_of(const workbook::Workbook& workbook, const Unit& unit) {
  std::vector<std::string> all;
  for (const Step& step : steps_of(workbook, unit)) {
    for (std::string& path : files_of(step)) {
      const bool own = path == unit.runner || path.rfind(folder_of(unit) + "/", 0) == 0;
      if (!own && path.rfind("/usr/", 0) != 0) all.push_back(std::move(path));
    }
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace build
