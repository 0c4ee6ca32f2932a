// SPDX-License-Identifier: MIT
// What the tests say of a kernel, in one way for three programs: the test runs both versions on the
// simulator, where the one with the defect must be reported in these words, at the lines that its source
// marks, and of the other one nothing must be said (on_simulator.hpp); defect-kernels.gpu runs one version on
// a GPU, for compute-sanitizer to look at (on_gpu.hpp); defect-launches prints one launch, for other tools
// (as_text.hpp). Each has Array<T>, elements in global memory; launch_kernel(configuration, kernel<defect>,
// arguments...); and the functions check_...
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "../simulator/launching.hpp"
#include "kernels.hpp"

// What a race lacks, as simulator::Hazard says it.
struct Race {
  bool across_blocks = false, within_warp = false, read_modify_write = false;
};
constexpr Race lacks_barrier{}, lacks_warp_sync{.within_warp = true};

struct Expected {
  facts::Verdict kind;
  std::string what;  // of the first hazard
  Race race = {};
};

inline Expected race(const Race& lacks, std::string what) {
  return {facts::Verdict::race, std::move(what), lacks};
}
inline Expected out_of_bounds(std::string what) { return {facts::Verdict::out_of_bounds, std::move(what)}; }
inline Expected uninitialised(std::string what) { return {facts::Verdict::uninitialised, std::move(what)}; }
inline Expected divergent_barrier(std::string what) {
  return {facts::Verdict::divergent_barrier, std::move(what)};
}

// count elements: 0, 1, ...
template <class T = unsigned>
std::vector<T> counted(std::size_t count) {
  return filled(count, [](unsigned i) { return static_cast<T>(i); });
}

#if defined(__CUDACC__)
#include "on_gpu.hpp"
#elif defined(DEFECTS_AS_TEXT)
#include "as_text.hpp"
#else
#include "on_simulator.hpp"
#endif
