// SPDX-License-Identifier: MIT
// The `lab` command line. A verb is a file in verbs/ that holds its options, their words for --help, and a
// function of the options that returns the exit code (program.hpp) or throws UsageError or MachineError
// (facts/errors.hpp). Its add_NAME puts it on the command line. verbs/meson.build lists the verbs in the
// order of `lab --help` and needs a line for a new one.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace cli {

constexpr const char* json_words = "one JSON document";

// Accepts digits, in base 10; where `unit` is true, something may follow them that another validator
// understands. CLI11 alone takes -1 for 2^64 - 1, clips what is too large, and reads 010 as 8 and "" as an
// option that was not given.
CLI::Validator whole_number(bool unit = false);

// The first problem's usual variant: "letters4".
std::string usual_variant();

// Adds the option that chooses a problem's variant and is called as the problem says. `or_all`: the words for
// --help offer "all" too.
void add_variant_option(CLI::App& verb, std::string& variant, bool or_all = false);

// Which kernel is run on which input: the options of every verb that runs one launch.
struct LaunchOptions {
  std::string lab, on, input = "text", variant = usual_variant();
  std::optional<std::uint64_t> length, block, grid, seed;
  bool solution = false, json = false;
};
void add_launch_options(CLI::App& verb, LaunchOptions& options);

class CommandLine {
 public:
  explicit CommandLine(CLI::App& app) : app_(app) {}

  // Sets what `lab` does without a verb.
  void set_without_verb(int (*function)()) { chosen_ = function; }

  // Adds a verb to `lab --help`. Returns it, and its options as they are before the command line is parsed.
  // If the verb is chosen, run() calls `function` with the options.
  template <class Options>
  std::pair<CLI::App&, Options&> add(const std::string& name, const std::string& help,
                                     int (*function)(const Options&)) {
    const auto options = std::make_shared<Options>();
    CLI::App& verb = *app_.add_subcommand(name, help);
    verb.callback([this, options, function] { chosen_ = [=] { return function(*options); }; });
    return {verb, *options};
  }

  // Runs the chosen verb and returns the program's exit code.
  int run() const { return chosen_(); }

 private:
  CLI::App& app_;
  std::function<int()> chosen_;
};

}  // namespace cli
