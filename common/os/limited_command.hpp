// SPDX-License-Identifier: MIT
// Tools that read what a student wrote, such as compilers: they may be made to take all the time and memory
// there is, so both are limited, and nothing that they start is left.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "os/command.hpp"

namespace os {

// The memory that tools may take together: 4 GiB, or half of what the machine or its container has, if that
// is less. A tool that takes more is ended before the system runs out of memory.
std::uint64_t memory_for_tools();

struct ToolLimits {
  std::chrono::milliseconds time{40'000};
  std::uint64_t memory_bytes = memory_for_tools();
};

// "40 s", to a tenth.
std::string in_seconds(std::chrono::milliseconds time);

struct LimitedResult {
  CommandResult result;  // as run_command gives it; of the output the first 1 MiB
  std::string exceeded;  // the limit for which it was ended, as in "more than 40 s"; empty: none
};

// Runs a tool to its end or to a limit, in the language "C", in `folder` if one is named. It has no terminal.
// Throws std::system_error where no process can be made.
LimitedResult run_limited(const std::vector<std::string>& words, const std::string& folder,
                          const ToolLimits& limits);

}  // namespace os
