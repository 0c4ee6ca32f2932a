// SPDX-License-Identifier: MIT
#include "runner/by_hand.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "problems/histogram/binnings.hpp"
#include "runner/backend.hpp"

namespace runner {

namespace {

struct Options {
  std::string input = "text";
  std::uint64_t seed = 1;
  RunRequest request{.binning = "letters4", .length = 1 << 20};
  bool length_given = false;
};

std::unique_ptr<histogram::Input> input_of(Options& options) {
  if (histogram::is_named_input(options.input)) {
    if (!options.length_given && options.input == "phrase")
      options.request.length = histogram::phrase().size();
    return histogram::make_input(options.input, options.request.length, options.seed);
  }
  auto file = histogram::open_file(options.input);
  if (!options.length_given) options.request.length = file->length();
  if (options.request.length > file->length()) {
    if (file->length() == 0) throw histogram::InputError(options.input + " is empty and cannot be repeated");
    return histogram::repeat(std::move(file), options.request.length);
  }
  return file;
}

int report(const RunAnswer& answer, const histogram::BinningInfo& binning) {
  for (const Observation& observation : answer.observations) {
    fmt::print(stderr, "{}: {}\n", observation.kind, observation.message);
  }
  for (const Note& note : answer.notes) fmt::print(stderr, "note: {}\n", note.message);
  if (answer.failure) {
    fmt::print(stderr, "{}\n", answer.failure->message);
    return answer.failure->kind == RunFailure::Kind::too_large ? 3 : 1;
  }
  for (int bin = 0; bin < binning.bins; ++bin) {
    fmt::print("{:>5} {:>12}\n", binning.label(bin), answer.bins.front()[static_cast<std::size_t>(bin)]);
  }
  return answer.observations.empty() ? 0 : 1;
}

}  // namespace

int run_by_hand(int argument_count, char** arguments) {
  Options options;
  const auto describe = [] {
    std::string names = "a file, or one of:";
    for (const histogram::NamedInput& input : histogram::named_inputs())
      names += " " + std::string(input.name);
    return names;
  };
  std::vector<std::string> binning_names;
  for (const histogram::BinningInfo& binning : histogram::binnings())
    binning_names.emplace_back(binning.name);

  CLI::App app{fmt::format("Runs {}, exercise {}, once and prints the histogram.", exercise_under_test.lab,
                           exercise_under_test.name)};
  app.add_option("--input", options.input, describe());
  auto* const length = app.add_option("--length", options.request.length, "bytes");
  app.add_option("--binning", options.request.binning)->check(CLI::IsMember(binning_names));
  app.add_option("--block", options.request.block, "threads a block, in place of the exercise's own");
  app.add_option("--grid", options.request.grid, "blocks in the grid, in place of the exercise's own");
  app.add_option("--seed", options.seed, "of a random input");
  try {
    app.parse(argument_count, arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  options.length_given = length->count() > 0;

  const std::unique_ptr<Backend> backend = make_backend(exercise_under_test);
  if (!backend->unavailable().empty()) {
    fmt::print(stderr, "{} cannot run here: {}\n", backend->name(), backend->unavailable());
    return 3;
  }
  const auto* const kernel =
      std::find_if(exercise_under_test.kernels.begin(), exercise_under_test.kernels.end(),
                   [&](const Kernel& k) { return options.request.binning == k.binning; });
  try {
    const std::unique_ptr<histogram::Input> input = input_of(options);
    return report(backend->run(*kernel, options.request, *input),
                  *histogram::find_binning(options.request.binning));
  } catch (const histogram::InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "this machine has too little memory for {} bytes\n", options.request.length);
    return 3;
  }
}

}  // namespace runner
