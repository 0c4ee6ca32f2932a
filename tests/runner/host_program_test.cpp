// SPDX-License-Identifier: MIT
// labs/x0_host_program, which stands beside the harness: it counts on a GPU, and says what failed where there
// is none.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <string_view>

#include "os/command.hpp"
#include "support/backends.hpp"
#include "support/contains.hpp"
#include "temporary_folder.hpp"

namespace {

os::CommandResult run(std::vector<std::string> arguments) {
  if (std::string_view(HOST_PROGRAM).empty() && !is_required("gpu")) {
    std::puts("skipped: the host program is not built, because there is no nvcc");
    std::exit(skipped);
  }
  arguments.insert(arguments.begin(), HOST_PROGRAM);
  return os::run_command(std::move(arguments));
}

}  // namespace

TEST_CASE("the host program counts a file, or names the call that failed and why") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bytes", "one two three, three two one");
  for (const bool pinned : {false, true}) {
    CAPTURE(pinned);
    const os::CommandResult result =
        run(pinned ? std::vector<std::string>{"--pinned", file} : std::vector<std::string>{file});
    CAPTURE(result.output);
    if (result.code == 0 || is_required("gpu")) {
      CHECK(result.code == 0);
      CHECK(std::regex_search(result.output, std::regex("^.*, 28 bytes\n")));
      CHECK(contains(result.output, pinned ? "to the GPU, from page-locked memory " : "to the GPU  "));
      CHECK(result.output.ends_with("\nequal to the CPU's count\n"));
    } else {
      CHECK(result.code == 1);
      CHECK(std::regex_match(result.output,
                             std::regex("host_program\\.cu:\\d+: cudaGetDeviceProperties\\(&device, 0\\)\n"
                                        "cudaError\\w+: .*\n")));
    }
  }
}

TEST_CASE("a file that is missing or empty is named") {
  const TemporaryFolder folder;
  for (const std::string& file : {folder.path() + "/none", folder.write("empty", "")}) {
    const os::CommandResult result = run({file});
    CHECK(result.code == 2);
    CHECK(result.output == file + " is empty, or cannot be read\n");
  }
}
