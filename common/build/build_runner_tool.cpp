// SPDX-License-Identifier: MIT
// lab-build-runner TREE LAB/EXERCISE BACKEND STAMP DEPFILE: makes one runner while the build tool brings
// everything up to date. TREE is labs, solutions or skeletons; a skeleton is made from the solution, below
// skeletons/ in the build folder. STAMP is touched, and DEPFILE says for the build tool what it depends on.
#include <fmt/core.h>

#include <filesystem>

#include "build/runner.hpp"
#include "facts/errors.hpp"
#include "os/files.hpp"

namespace {

namespace files = std::filesystem;

workbook::Target target_of(const workbook::Workbook& workbook, const std::string& tree,
                           const std::string& name, const std::string& backend_name) {
  const auto found = workbook.find_with_variants(name);
  const auto backend = facts::find_backend(backend_name);
  if (found.size() != 1 || !backend)
    throw facts::UsageError("no such exercise or backend: " + name + " " + backend_name);
  const workbook::ExerciseInfo& exercise = found.front();
  if (tree == "solutions") return workbook.target(exercise, workbook::Tree::solution, *backend);
  workbook::Target target = workbook.target(exercise, workbook::Tree::student, *backend);
  if (tree == "labs") return target;
  const std::string folder = workbook.build_root + "/skeletons/" + exercise.lab;
  files::create_directories(folder);
  target.source = folder + "/" + exercise.file;
  target.runner = folder + "/" + exercise.name + "." + backend_name;
  const auto skeleton = workbook.skeleton(exercise);
  if (!skeleton)
    throw facts::MachineError("cannot read " + workbook.source_file(exercise, workbook::Tree::solution));
  if (os::read_file(target.source) != skeleton) os::write_file(target.source, *skeleton);
  return target;
}

// A path in a file of dependencies.
std::string escaped(const std::string& path) {
  std::string text;
  for (const char c : path) {
    if (c == ' ' || c == '#') text += '\\';
    text += c;
    if (c == '$') text += '$';
  }
  return text;
}

void write_depfile(const workbook::Workbook& workbook, const workbook::Target& target,
                   const std::string& stamp, const std::string& depfile) {
  std::vector<std::string> paths = build::files_of(workbook, target);
  paths.push_back(workbook.lab_file(target.exercise, "lab.manifest"));
  if (workbook.has_solutions)
    paths.push_back(workbook.source_file(target.exercise, workbook::Tree::solution));
  std::string text = escaped(stamp) + ":";
  // As the build tool writes them: relative to the build folder.
  for (const std::string& path : paths)
    text += " \\\n " + escaped(files::path(path).lexically_relative(workbook.build_root));
  os::write_file(depfile, text + "\n");
}

int make(const std::string& tree, const std::string& name, const std::string& backend,
         const std::string& stamp, const std::string& depfile) {
  const workbook::Workbook& workbook = workbook::here();
  const workbook::Target target = target_of(workbook, tree, name, backend);
  if (const auto failure = build::make_runner(workbook, target)) {
    fmt::print(stderr, "{}", failure->output);
    if (!failure->exceeded.empty()) fmt::print(stderr, "it took {}\n", failure->exceeded);
    return 1;
  }
  write_depfile(workbook, target, stamp, depfile);
  os::write_file(stamp, "");
  return 0;
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 6) {
    fmt::print(stderr, "usage: lab-build-runner TREE LAB/EXERCISE BACKEND STAMP DEPFILE\n");
    return 2;
  }
  try {
    return make(arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "lab-build-runner: {}\n", error.what());
    return 3;
  }
}
