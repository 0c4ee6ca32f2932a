// SPDX-License-Identifier: MIT
// The workbook on this machine: where its files are, which exercises it has and what was built.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "facts/backend.hpp"
#include "problems/reference.hpp"

namespace workbook {

// An exercise, as its lab's manifest describes it (workbook/manifest.hpp).
struct ExerciseInfo {
  std::string lab;       // "05_coarsening"
  std::string name;      // "contiguous"
  std::string file;      // "contiguous.cu"
  bool launched = true;  // a kernel; otherwise a function on the CPU, whatever backend is asked for
  std::string problem{}, entry = "kernel", output = "one", title{};
  std::vector<problems::Rule> technique{};
  std::vector<std::string> sweeps{};

  bool is_same(const ExerciseInfo& other) const { return lab == other.lab && name == other.name; }
  // One of the extra labs, xN_topic, which are no part of the course.
  bool is_extra() const { return lab.starts_with('x'); }
  // Another version of the solution of an exercise, kept to be measured beside it: neither handed out nor to
  // be solved. It is called as the exercise, a hyphen, and a name of its own: "contiguous-c4".
  bool is_variant() const { return name.find('-') != name.npos; }
  // The name of the exercise that a variant is another version of; any other's own name.
  std::string exercise_name() const { return name.substr(0, name.find('-')); }
  // "05/contiguous", or "04" where the lab has one exercise only: what a user types. A variant keeps its
  // name.
  std::string short_name(bool only_one) const;
};

// Whose version of an exercise is meant. Variants are among the solutions.
enum class Tree { student, solution };

constexpr std::string_view name_of(Tree tree) { return tree == Tree::solution ? "solution" : "student"; }

// An exercise as a command means it, with the places of its files. It is resolved once, from the command
// line, and passed on.
struct Target {
  ExerciseInfo exercise;
  Tree tree;
  facts::Backend backend;
  std::string name;    // "05/contiguous": what a user types
  std::string source;  // the file in the tree
  std::string runner;  // the program that runs it on the backend
};

struct Workbook {
  std::string source_root, build_root;
  // Where `lab` keeps what it remembers between its runs; empty: the build folder.
  std::string state_root;
  std::string labs_dir;  // the student's files
  // Where runners of the student's files are made; empty: in the build folder.
  std::string runners_dir = {};
  bool has_solutions;
  bool has_simulator, has_gpu;  // whether these backends were built
  std::string ninja;

  std::vector<ExerciseInfo> exercises;
  // The files solutions/LAB/variants/EXERCISE-NAME.cu, in the order of the exercises; none in a tree without
  // solutions.
  std::vector<ExerciseInfo> variants = {};

  // The file that a student edits, or that solves the exercise.
  std::string source_file(const ExerciseInfo& exercise, Tree tree) const;
  // What a student begins with: made from the solution or, in a tree without solutions, the copy that was
  // kept for it (lab-make-skeletons --keep). nullopt if there is neither.
  std::optional<std::string> skeleton(const ExerciseInfo& exercise) const;
  // Where the copy lies: "labs/05_coarsening/.skeleton/contiguous.cu".
  std::string kept_skeleton(const ExerciseInfo& exercise) const;
  std::string runner(const ExerciseInfo& exercise, Tree tree, facts::Backend backend) const;
  // Whose runner the verdict comes from: a function on the CPU is judged under the simulator's checkers,
  // where it is there.
  facts::Backend judged_on(facts::Backend backend) const {
    const auto other = facts::traits_of(backend).judged_on;
    return other && has(*other) ? *other : backend;
  }
  // Whether the backend was built.
  bool has(facts::Backend backend) const {
    return backend == facts::Backend::sim ? has_simulator : backend == facts::Backend::gpu ? has_gpu : true;
  }
  Target target(const ExerciseInfo& exercise, Tree tree, facts::Backend backend) const {
    return {exercise,
            tree,
            backend,
            short_name(exercise),
            source_file(exercise, tree),
            runner(exercise, tree, backend)};
  }
  // A file of the lab's folder that the student reads: its chapter, hints.
  std::string lab_file(const ExerciseInfo& exercise, std::string_view name) const;

  // A file in that folder, which is made if it is missing. If that fails, writing the file will say so.
  std::string state_file(std::string_view name) const;

  // The path as a user would write it: without the source root in front.
  std::string shortened(const std::string& path) const;

  // The exercises that `name` means: "04", "4", "shared", "05/interleaved", "05" (both). Empty: no lab, or
  // several.
  std::vector<ExerciseInfo> find(std::string_view name) const;
  // The same with the variants: where no exercise is meant, those whose names hold what is behind the slash.
  std::vector<ExerciseInfo> find_with_variants(std::string_view name) const;
  // Those of one exercise.
  std::vector<ExerciseInfo> variants_of(const ExerciseInfo& exercise) const;

  bool is_only_one(const ExerciseInfo& exercise) const;
  std::string short_name(const ExerciseInfo& exercise) const {
    return exercise.short_name(is_only_one(exercise));
  }
};

// The workbook that this program was built for.
const Workbook& here();

}  // namespace workbook
