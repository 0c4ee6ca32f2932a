// SPDX-License-Identifier: MIT
// The commands that the documents show are commands that work: each line of a ```sh block that calls
// build/lab is run.
#include <doctest/doctest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "os/files.hpp"
#include "workbook/workbook.hpp"

namespace files = std::filesystem;

namespace {

std::vector<std::string> documents() {
  const std::string root = workbook::here().source_root;
  std::vector<std::string> paths{root + "/README.md"};
  for (const char* folder : {"/docs", "/labs", "/solutions"}) {
    for (const auto& entry : files::recursive_directory_iterator(root + folder)) {
      if (entry.path().extension() == ".md") paths.push_back(entry.path().string());
    }
  }
  return paths;
}

// The arguments of each `build/lab ...` line within ```sh blocks, without what a # comments.
std::set<std::string> lab_commands(const std::string& path) {
  constexpr std::string_view program = "build/lab";
  std::set<std::string> commands;
  std::ifstream file(path);
  bool in_block = false;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("```", 0) == 0) {
      in_block = line == "```sh";
      continue;
    }
    if (!in_block || line.rfind(program, 0) != 0) continue;
    if (line.size() > program.size() && line[program.size()] != ' ') continue;
    commands.insert(line.substr(program.size(), line.find('#') - program.size()));
  }
  return commands;
}

// What a test must not do, cannot know the answer to, or what needs a file of the reader's.
bool is_left_out(const std::string& command) {
  for (const char* part : {"reset", "watch", "FILE", ".txt", "enwik", "--on gpu", "grade", "handout"}) {
    if (command.find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("every lab command in the documents is accepted, and ends with a verdict") {
  const char* const program = std::getenv("LAB_PROGRAM");
  REQUIRE(program);
  std::set<std::string> commands;
  for (const std::string& path : documents()) commands.merge(lab_commands(path));
  CHECK(commands.size() > 10);
  for (const std::string& command : commands) {
    if (is_left_out(command)) continue;
    CAPTURE(command);
    const int status = std::system((std::string(program) + command + " >/dev/null </dev/null").c_str());
    REQUIRE(WIFEXITED(status));
    // 1: a verdict other than pass, as for labs that are not started
    CHECK(WEXITSTATUS(status) <= 1);
  }
}

TEST_CASE("the instructors' guide has a row for each exercise that is held to rules of technique") {
  const std::string guide = os::read_file(workbook::here().source_root + "/docs/instructors.md").value();
  std::size_t rows = 0;
  for (const workbook::ExerciseInfo& exercise : workbook::here().exercises) {
    if (exercise.technique.empty()) continue;
    const std::string name = exercise.short_name(false), lab = exercise.short_name(true);
    CAPTURE(name);
    CHECK((guide.find("\n| " + lab + " |") != guide.npos || guide.find("\n| " + name + " |") != guide.npos));
    ++rows;
  }
  CHECK(rows == 11);
}
