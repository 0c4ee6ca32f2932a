// SPDX-License-Identifier: MIT
// A student's code must not be able to reach the answer: no runner holds the CPU's reference or the judge.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "os/elf_file.hpp"
#include "os/files.hpp"
#include "workbook/workbook.hpp"

namespace {}  // namespace

TEST_CASE(
    "of what a unit defines the rest of its runner sees the exercise alone, and nothing runs before it") {
  const workbook::Workbook& workbook = workbook::here();
  std::size_t seen = 0;
  for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
    for (const facts::Backend backend : {facts::Backend::cpu, facts::Backend::sim, facts::Backend::gpu}) {
      const std::string object = workbook.runner(exercise, workbook::Tree::solution, backend) +
                                 ".p/runner-template-sealed-" + std::string(name_of(backend)) + ".o";
      if (!std::filesystem::exists(object)) continue;
      ++seen;
      CAPTURE(object);
      const os::ElfObject tables = os::elf_object(object);
      std::vector<std::string> defined;
      for (const os::ElfSymbol& symbol : tables.symbols) {
        if (symbol.defined && !symbol.is_local) defined.push_back(symbol.name);
      }
      CHECK(defined == std::vector<std::string>{"_ZN6runner19exercise_under_testE"});
      for (const os::ElfSection& section : tables.sections) {
        // nvcc's, which register the kernels
        if (backend != facts::Backend::gpu) CHECK(section.name.find("init_array") == std::string::npos);
      }
    }
  }
  CHECK((seen >= workbook.exercises.size() || !workbook.has_solutions));
}

TEST_CASE("no runner holds the reference or the judge") {
  const workbook::Workbook& workbook = workbook::here();
  std::size_t seen = 0;
  for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
    for (const facts::Backend backend : {facts::Backend::cpu, facts::Backend::sim, facts::Backend::gpu}) {
      const std::string runner = workbook.runner(exercise, workbook::Tree::solution, backend);
      if (!std::filesystem::exists(runner)) continue;
      ++seen;
      CAPTURE(runner);
      // Names as the linker's symbol table holds them.
      const std::string program = os::read_file(runner).value_or("");
      CHECK(program.find("exercise_under_test") != std::string::npos);
      CHECK(program.find("ByteCounts") == std::string::npos);
      CHECK(program.find("N5judge") == std::string::npos);
    }
  }
  if (!workbook.has_solutions) {
    MESSAGE("this tree has no solutions, and so no runners to look at");
    return;
  }
  CHECK(seen >= workbook.exercises.size());
}
