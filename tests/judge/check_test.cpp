// SPDX-License-Identifier: MIT
#include "judge/check.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>

#include "judge/build.hpp"
#include "passed_text.hpp"
#include "temporary_folder.hpp"

using facts::Backend;
using facts::Verdict;

namespace {

bool equal(const TemporaryFolder& folder, const std::string& file, const std::string& skeleton) {
  return judge::equals_skeleton(folder.write("file", file), skeleton);
}

judge::CheckReport checked(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise,
                           Backend backend) {
  return judge::check(workbook, workbook.target(exercise, workbook::Tree::student, backend), {});
}
judge::CheckReport checked(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise) {
  return checked(workbook, exercise, exercise.launched ? Backend::sim : Backend::cpu);
}

}  // namespace

TEST_CASE("a file equals its skeleton whatever its white space and comments") {
  const TemporaryFolder folder;
  CHECK(equal(folder, "a  b\n", "a  b\n"));
  CHECK(equal(folder, "a\r\n\tb\n\n", "a b"));
  CHECK(equal(folder, "", " \n"));
  CHECK_FALSE(equal(folder, "a b c", "a b"));
  CHECK_FALSE(equal(folder, "", "a"));
  CHECK_FALSE(equal(folder, "A b", "a b"));
  CHECK(equal(folder, "// my first lab\na /* done? */ b", "a b  // TODO 1: loop"));
  CHECK(equal(folder, "a(b)", "a ( b )"));
  CHECK_FALSE(equal(folder, "ab", "a b"));
  CHECK_FALSE(equal(folder, "a // b", "a b"));
  CHECK_FALSE(equal(folder, "\"a // b\"", "\"a // c\""));
  CHECK_FALSE(equal(folder, "a\n#if b", "a #if b"));
}

TEST_CASE("a file that is missing equals nothing") {
  const TemporaryFolder folder;
  const std::string there = folder.write("there", "");
  const std::string missing = folder.path() + "/missing";
  CHECK_FALSE(judge::equals_skeleton(missing, ""));
  CHECK_FALSE(judge::equals_skeleton(there, std::nullopt));
  CHECK_FALSE(judge::equals_skeleton(missing, std::nullopt));
}

TEST_CASE("every skeleton is not started, and that is known without a build") {
  workbook::Workbook workbook = workbook::here();
  workbook.has_simulator = true;
  const TemporaryFolder folder;
  workbook.labs_dir = folder.path();
  workbook.ninja = "/nonexistent/ninja";
  for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
    CAPTURE(exercise.lab);
    const std::string file =
        folder.write(exercise.lab + "/" + exercise.file, workbook.skeleton(exercise).value());
    const judge::CheckReport report = checked(workbook, exercise);
    CHECK(name_of(report.finding.verdict) == "not_started");
    CHECK(report.finding.message == file + " is unchanged since it was handed out");
    CHECK(report.cases.empty());
    CHECK(report.exercise.name == exercise.name);
  }
}

TEST_CASE("a missing file is a build error that names it") {
  const TemporaryFolder folder;
  workbook::Workbook workbook = workbook::here();
  workbook.has_simulator = true;
  workbook.labs_dir = folder.path();
  for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
    CAPTURE(exercise.lab);
    const judge::CheckReport report = checked(workbook, exercise);
    CHECK(name_of(report.finding.verdict) == "build_error");
    CHECK(report.finding.message ==
          folder.path() + "/" + exercise.lab + "/" + exercise.file + ": No such file or directory");
  }
}

TEST_CASE("a folder, a pipe or an endless device in the place of the file is a build error") {
  const TemporaryFolder folder;
  workbook::Workbook workbook = workbook::here();
  workbook.labs_dir = folder.path();
  const workbook::ExerciseInfo exercise = workbook.find("01").at(0);
  const std::filesystem::path file = workbook.source_file(exercise, workbook::Tree::student);
  std::filesystem::create_directories(file.parent_path());
  const std::array<std::function<void()>, 3> replacements{
      [&] { std::filesystem::create_directory(file); }, [&] { REQUIRE(mkfifo(file.c_str(), 0600) == 0); },
      [&] { std::filesystem::create_symlink("/dev/zero", file); }};
  for (const auto& replace : replacements) {
    replace();
    const judge::CheckReport report = checked(workbook, exercise, Backend::cpu);
    CHECK(name_of(report.finding.verdict) == "build_error");
    CHECK(report.finding.message == file.string() + ": not a regular file");
    std::filesystem::remove(file);
  }
}

TEST_CASE("a backend that is not part of the build is unavailable, before anything is read") {
  workbook::Workbook workbook = workbook::here();
  workbook.has_gpu = false;
  workbook.has_simulator = false;
  workbook.labs_dir = "/nonexistent";
  const workbook::ExerciseInfo exercise = workbook.find("02").at(0);
  const auto verdict = [&](Backend backend) { return checked(workbook, exercise, backend).finding; };
  CHECK(verdict(Backend::gpu).verdict == Verdict::unavailable);
  CHECK(verdict(Backend::gpu).message == "the backend gpu is not part of this build");
  CHECK(verdict(Backend::sim).message == "the backend sim is not part of this build");
  CHECK_FALSE(judge::missing_backend(workbook, Backend::cpu));
}

TEST_CASE("a GPU's driver is allowed more memory and threads than a simulated kernel") {
  const judge::RunnerSettings simulated = judge::runner_settings("/runner", Backend::sim);
  const judge::RunnerSettings on_gpu = judge::runner_settings("/runner", Backend::gpu);
  CHECK(simulated.program == "/runner");
  CHECK(simulated.limits.memory_bytes == std::uint64_t{4} << 30);
  CHECK(on_gpu.limits.memory_bytes == std::uint64_t{16} << 30);
  CHECK(simulated.limits.processes == 64);
  CHECK(on_gpu.limits.processes == 256);
}

TEST_CASE("the solution on the CPU passes, with every case told to whoever listens") {
  const workbook::Workbook& workbook = workbook::here();
  if (!workbook.has_solutions) {
    MESSAGE("left out: this tree has no solutions/");
    return;
  }
  std::vector<std::string> told;
  const judge::CheckReport report = judge::check(
      workbook, workbook.target(workbook.find("01").at(0), workbook::Tree::solution, Backend::cpu),
      {.seed = 3, .progress = [&](const std::string& step) { told.push_back(step); }});
  CHECK(name_of(report.finding.verdict) == "pass");
  // A function that is called counts as one block of one thread.
  CHECK(report.finding.message == passed_text(report));
  CHECK(told.front() == "building");
  CHECK(std::count(told.begin(), told.end(), "0 bytes") == 1);
  CHECK(told.back() == std::to_string(report.cases.back().what.length) + " bytes");
}

TEST_CASE("a file that keeps its compiler busy for ever is a build error after the time that it has") {
  const TemporaryFolder folder;
  const workbook::Workbook& here = workbook::here();
  workbook::Target target = here.target(here.find("01").at(0), workbook::Tree::student, Backend::cpu);
  target.source =
      folder.write("01_sequential/histogram.cpp",
                   "#include \"lab.hpp\"\n"
                   "template <int depth, long way>\n"
                   "struct Tree { static constexpr long leaves = Tree<depth - 1, 2 * way>::leaves +\n"
                   "                                             Tree<depth - 1, 2 * way + 1>::leaves; };\n"
                   "template <long way>\nstruct Tree<0, way> { static constexpr long leaves = 1; };\n"
                   "long leaves = Tree<40, 1>::leaves;\n");
  target.runner = folder.path() + "/histogram.cpu";
  judge::BuildOptions options;
  options.manner.limits.time = std::chrono::milliseconds(300);
  const auto finding = judge::build_runner(here, target, options);
  REQUIRE(finding);
  CHECK(name_of(finding->verdict) == "build_error");
  CHECK(finding->message == target.source + ": compiling it took more than 0.3 s, and was given up");
}

TEST_CASE("a check that runs out of time is a timeout, whatever it found until then") {
  const workbook::Workbook& workbook = workbook::here();
  if (!workbook.has_solutions) return;
  judge::RunnerSettings settings = judge::runner_settings(
      workbook.target(workbook.find("01").at(0), workbook::Tree::solution, Backend::cpu));
  settings.whole = judge::TimeLimit(std::chrono::milliseconds(0));
  settings.whole->begin();
  const judge::CheckReport report =
      judge::check_runner(settings, workbook.find("01").at(0), Backend::cpu, {.seed = 3});
  CHECK(name_of(report.finding.verdict) == "timeout");
  CHECK(report.finding.message == "the check took more than 0 s");
}
