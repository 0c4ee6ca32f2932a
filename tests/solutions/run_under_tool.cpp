// SPDX-License-Identifier: MIT
// run-under-tool LAB/EXERCISE: runs a reference solution's runner for a GPU by hand under the tool that
// WORKBOOK_WRAPPER names, such as compute-sanitizer. By hand, for the tool's exit code is the verdict here,
// and the judge ends a runner before the tool has said its last word. Exits 0 where the tool finds nothing, 1
// where it does, 77 (a skip, with its reason) where there is no GPU, no tool or no right to count, unless
// WORKBOOK_REQUIRE names the gpu.
#include <fmt/core.h>

#include <cstdlib>
#include <iterator>
#include <sstream>

#include "measure/gpu_device.hpp"
#include "os/command.hpp"
#include "problems/problem.hpp"
#include "support/contains.hpp"

namespace {

// One block that is not full, and many.
constexpr int lengths[] = {3, 65539};

int skip(const std::string& why) {
  const char* const required = std::getenv("WORKBOOK_REQUIRE");
  fmt::print("skipped: {}\n", why);
  return required && contains(required, "gpu") ? 1 : 77;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const workbook::Workbook& workbook = workbook::here();
  const auto found =
      argument_count == 2 ? workbook.find(arguments[1]) : std::vector<workbook::ExerciseInfo>{};
  if (found.size() != 1) {
    fmt::print(stderr, "usage: run-under-tool LAB/EXERCISE\n");
    return 2;
  }
  const char* const wrapper = std::getenv("WORKBOOK_WRAPPER");
  std::istringstream words(wrapper ? wrapper : "");
  const std::vector<std::string> tool{std::istream_iterator<std::string>(words), {}};
  if (tool.empty()) return skip("no tool is named; meson test --setup memcheck names one");
  const measure::GpuDevice& gpu = measure::gpu_device(workbook);
  if (!gpu.works) return skip("no GPU: " + gpu.why_not);
  const problems::Problem& problem = *problems::find_problem(found.front().problem);
  for (const problems::Variant& variant : problem.variants()) {
    for (const int length : lengths) {
      std::vector<std::string> command = tool;
      for (const std::string& word :
           {workbook.runner(found.front(), workbook::Tree::solution, facts::Backend::gpu),
            fmt::format("--{}", problem.variant_option()), std::string(variant.name), std::string("--length"),
            std::to_string(length)}) {
        command.push_back(word);
      }
      const os::CommandResult result = os::run_command(command);
      if (result.code == 127) return skip(result.output);
      if (contains(result.output, "ERR_NVGPUCTRPERM"))
        return skip("the driver lets only administrators count: ERR_NVGPUCTRPERM");
      if (result.code == 0 && !contains(result.output, "No kernels were profiled")) continue;
      fmt::print("with {} {}, {} {} the tool ended with {}:\n{}\n", length, problem.elements(),
                 problem.variant_option(), variant.name, result.code, result.output);
      return 1;
    }
  }
  return 0;
}
