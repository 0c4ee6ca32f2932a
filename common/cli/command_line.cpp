// SPDX-License-Identifier: MIT
#include "cli/command_line.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/selection.hpp"
#include "problems/problem.hpp"

namespace cli {

CLI::Validator whole_number(bool unit) {
  return {[unit](std::string& text) -> std::string {
            const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
            if (digits == 0 || (digits < text.size() && !unit))
              return fmt::format("\"{}\" is not a whole number", text);
            const std::size_t zeros = std::min(text.find_first_not_of('0'), digits - 1);
            constexpr std::size_t most_digits = 19;  // fewer than those of 2^64
            if (digits - zeros > most_digits) return fmt::format("{} is too large", text);
            text.erase(0, zeros);
            return {};
          },
          ""};
}

std::string usual_variant() { return std::string(problems::problems().front()->variants().front().name); }

void add_variant_option(CLI::App& verb, std::string& variant, bool or_all) {
  for (const problems::Problem* problem : problems::problems()) {
    std::vector<std::string> names;
    for (const problems::Variant& known : problem->variants()) names.emplace_back(known.name);
    if (or_all) names.emplace_back("or all");
    verb.add_option(fmt::format("--{}", problem->variant_option()), variant,
                    join(names, or_all ? ", " : " or "))
        ->capture_default_str();
  }
}

void add_launch_options(CLI::App& verb, LaunchOptions& options) {
  verb.add_option("LAB", options.lab, lab_words())->required();
  std::vector<std::string> inputs;
  for (const problems::NamedInput& input : problems::problems().front()->inputs())
    inputs.emplace_back(input.name);
  inputs.emplace_back("or a file");
  verb.add_option("--input", options.input, join(inputs))->capture_default_str();
  verb.add_option("--length", options.length, "bytes; 4M is 4 x 2^20")
      ->transform(CLI::AsSizeValue(false))
      ->transform(whole_number(true));
  add_variant_option(verb, options.variant);
  verb.add_option("--block", options.block, "threads a block; the grid covers as many threads as before")
      ->transform(whole_number());
  verb.add_option("--grid", options.grid, "blocks in the grid")->transform(whole_number());
  verb.add_option("--on", options.on, "gpu or sim; without it, the GPU where one works");
  verb.add_option("--seed", options.seed, "of a random input; without it, 1")->transform(whole_number());
  verb.add_flag("--solution", options.solution, "the reference solution");
  verb.add_flag("--json", options.json, json_words);
}

}  // namespace cli
