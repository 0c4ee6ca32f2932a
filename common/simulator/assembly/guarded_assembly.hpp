// SPDX-License-Identifier: MIT
// A compiled unit's assembly with checks of what the compiler's instrumentation leaves out: accesses to local
// variables, whose index may lead anywhere, calls and jumps to computed places, and the places that functions
// return to (guards.hpp).
#pragma once

#include <string>
#include <vector>

namespace simulator {

struct GuardedAssembly {
  std::string text;
  int accesses = 0, targets = 0;  // checks that were added, of memory and of calls and jumps
};

// Of assembly for x86-64 in the syntax of g++ and clang. `trusted` are the outermost namespaces of the
// harness, in which a student defines nothing (judge/token_rules.cpp): their functions get no checks. Throws
// std::runtime_error with the line where it cannot be read.
GuardedAssembly guarded(const std::string& assembly, const std::vector<std::string>& trusted = {});

}  // namespace simulator
