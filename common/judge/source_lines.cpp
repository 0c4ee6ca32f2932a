// SPDX-License-Identifier: MIT
#include "judge/source_lines.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "os/command.hpp"

namespace judge {

namespace {

// Device functions, and what a problem gives its kernels: inlined into the student's kernel.
constexpr std::array<std::string_view, 3> of_the_harness{"/common/runner/", "/common/problems/histogram/",
                                                         "/common/simulator/"};

}  // namespace

std::vector<std::optional<facts::Location>> line_of_each(const std::string& program,
                                                         const std::vector<std::uint64_t>& places) {
  std::vector<std::optional<facts::Location>> result(places.size());
  if (places.empty()) return result;
  // With -i the chain of inlined calls would follow; without it the innermost line is given, which may lie in
  // a header of the harness, so the chain is asked for and its first line outside of such headers is taken.
  std::vector<std::string> words{"addr2line", "-e", program, "-a", "-i"};
  for (const std::uint64_t place : places) words.push_back(fmt::format("0x{:x}", place));
  const os::CommandResult command = os::run_command(words);
  if (command.code != 0) return result;
  std::istringstream lines(command.output);
  std::size_t addresses = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("0x", 0) == 0) {
      ++addresses;
      continue;
    }
    const std::size_t colon = line.rfind(':');
    if (addresses == 0 || addresses > places.size() || colon == std::string::npos || line.front() == '?')
      continue;
    std::optional<facts::Location>& found = result[addresses - 1];
    if (found) continue;
    if (std::ranges::any_of(of_the_harness,
                            [&](std::string_view folder) { return line.find(folder) != std::string::npos; }))
      continue;
    const int number = std::atoi(line.c_str() + colon + 1);
    if (number > 0) found = facts::Location{line.substr(0, colon), number};
  }
  return result;
}

std::vector<facts::Location> source_lines(const std::string& program,
                                          const std::vector<std::uint64_t>& places) {
  std::vector<facts::Location> result;
  for (std::optional<facts::Location>& line : line_of_each(program, places)) {
    if (line) result.push_back(std::move(*line));
  }
  return result;
}

}  // namespace judge
