// SPDX-License-Identifier: MIT
// Tools of the machine, run to their end.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace os {

struct CommandResult {
  int code;            // exit code; 127: could not be started; 128 + signal
  std::string output;  // standard output and error
};

// Runs a tool of the machine (the build tool, addr2line) to its end, in the language "C", in `folder` if one
// is named. `on_line` is called with each line of its output as it comes. Throws std::system_error where no
// process can be made.
CommandResult run_command(std::vector<std::string> words, const std::string& folder = {},
                          const std::function<void(std::string_view)>& on_line = {});

}  // namespace os
