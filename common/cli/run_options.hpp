// SPDX-License-Identifier: MIT
// The options that say which kernel is run on which input, the same for every verb that runs one launch.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

namespace cli {

struct LaunchOptions {
  std::string lab, on, input = "text", binning = "letters4";
  std::optional<std::uint64_t> length, block, grid, seed;
  bool solution = false, json = false;
};

void add_launch_options(CLI::App& verb, LaunchOptions& options);

}  // namespace cli
