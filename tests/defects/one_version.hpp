// SPDX-License-Identifier: MIT
// For programs that take one launch from the tests: PROGRAM KERNEL defect|twin. The other kernels are passed
// over, and nothing is expected of what the simulator's checkers would say.
#pragma once

#include <cstdio>
#include <iostream>

#include "checking.hpp"

struct ChosenVersion {
  std::string kernel;
  bool defect = false;
  bool found = false;  // there is such a kernel
};

inline ChosenVersion& chosen_version() {
  static ChosenVersion chosen;
  return chosen;
}

struct Launched {};  // for what a launch returns on the simulator

inline void check_silent(const std::string&, Launched) {}

template <class Version>
void check_unreached(const std::string&, const Version&) {}

template <class Version>
void check_occurrences(const std::string&, const std::vector<std::uint64_t>&, const Version&) {}

template <class Version>
void check_both(const std::string& kernel, const Expected&, const Version& version) {
  ChosenVersion& chosen = chosen_version();
  if (kernel != chosen.kernel) return;
  chosen.found = true;
  if (chosen.defect) {
    version.template operator()<true>();
  } else {
    version.template operator()<false>();
  }
}

// Takes the version from the command line and runs it. Returns doctest's answer, 0 if the kernel computed
// what its test demands; 2 for wrong usage.
inline int run_chosen_version(int argument_count, char** arguments) {
  const std::string version = argument_count > 2 ? arguments[2] : "";
  if (version != "defect" && version != "twin") {
    std::fprintf(stderr, "usage: %s KERNEL defect|twin ...\n", arguments[0]);
    return 2;
  }
  chosen_version() = {arguments[1], version == "defect"};
  doctest::Context context;
  context.setOption("minimal", true);
  context.setCout(&std::cerr);
  const int answer = context.run();
  if (chosen_version().found) return answer;
  std::fprintf(stderr, "%s: no kernel %s in tests/defects/*_test.cpp\n", arguments[0], arguments[1]);
  return 2;
}
