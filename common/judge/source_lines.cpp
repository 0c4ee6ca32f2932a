// SPDX-License-Identifier: MIT
#include "judge/source_lines.hpp"

#include <fmt/core.h>

#include <cstdlib>
#include <sstream>

#include "judge/command.hpp"

namespace judge {

std::vector<Location> source_lines(const std::string& program, const std::vector<std::uint64_t>& places) {
  std::vector<Location> result;
  if (places.empty()) return result;
  // With -i the chain of inlined calls would follow; without it the innermost line is given, which may lie in a
  // header of the simulator, so the chain is asked for and its first line outside of such headers is taken.
  std::vector<std::string> words{"addr2line", "-e", program, "-a", "-i"};
  for (const std::uint64_t place : places) words.push_back(fmt::format("0x{:x}", place));
  const CommandResult command = run_command(words);
  if (command.code != 0) return result;
  std::istringstream lines(command.output);
  bool found = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("0x", 0) == 0) {
      found = false;
      continue;
    }
    const std::size_t colon = line.rfind(':');
    if (found || colon == std::string::npos || line.front() == '?') continue;
    if (line.find("/common/simulator/") != std::string::npos) continue;
    const int number = std::atoi(line.c_str() + colon + 1);
    if (number <= 0) continue;
    result.push_back({line.substr(0, colon), number});
    found = true;
  }
  return result;
}

}  // namespace judge
