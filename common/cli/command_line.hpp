// SPDX-License-Identifier: MIT
// The `lab` command line: how a verb adds itself and its options to it (verbs/), and words and checks that
// the options of several verbs share.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace cli {

constexpr const char* binning_words = "letters4, letters or bytes";
constexpr const char* json_words = "one JSON document";

// Accepts digits, in base 10; where `unit` is true, something may follow them that another validator
// understands. CLI11 alone takes -1 for 2^64 - 1, clips what is too large, and reads 010 as 8 and "" as an
// option that was not given.
CLI::Validator whole_number(bool unit = false);

class CommandLine {
 public:
  // `without_verb` runs if the user chooses no verb.
  CommandLine(CLI::App& app, std::function<int()> without_verb)
      : app_(app), chosen_(std::move(without_verb)) {}

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
