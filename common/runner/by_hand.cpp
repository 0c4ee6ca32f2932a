// SPDX-License-Identifier: MIT
#include "runner/by_hand.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "problems/problem.hpp"
#include "runner/backend.hpp"

namespace runner {

namespace {

struct Options {
  std::string input = "text";
  std::uint64_t seed = 1;
  RunRequest request{.variant = {}, .length = 1 << 20};
  bool length_given = false;
};

// The length, in elements, becomes the file's where none is given.
std::unique_ptr<problems::Input> input_of(const problems::Problem& problem, Options& options) {
  RunRequest& request = options.request;
  if (problem.has_input(options.input)) {
    if (!options.length_given)
      request.length = problem.natural_length(options.input).value_or(request.length);
    return problem.make_input(options.input, request.variant, request.length, options.seed);
  }
  auto file = problems::open_file(options.input);
  const std::size_t element_bytes = problem.find_variant(request.variant)->element_bytes;
  if (!options.length_given) request.length = file->length() / element_bytes;
  if (request.length * element_bytes > file->length()) {
    if (file->length() == 0) throw problems::InputError(options.input + " is empty and cannot be repeated");
    return problems::repeat(std::move(file), request.length * element_bytes);
  }
  return file;
}

int report(const RunAnswer& answer, const problems::Problem& problem, const std::string& variant) {
  for (const facts::Observation& observation : answer.observations) {
    fmt::print(stderr, "{}: {}\n", name_of(observation.verdict), observation.message);
  }
  for (const facts::Observation& note : answer.notes) fmt::print(stderr, "note: {}\n", note.message);
  if (answer.failure) {
    fmt::print(stderr, "{}\n", answer.failure->message);
    return answer.failure->kind == RunFailure::Kind::too_large ? 3 : 1;
  }
  fmt::print("{}", problem.lines(variant, answer.outputs.front()));
  return answer.observations.empty() ? 0 : 1;
}

}  // namespace

int run_by_hand(int argument_count, char** arguments) {
  const problems::Problem& problem = *problems::find_problem(exercise_under_test.problem);
  Options options;
  options.request.variant = exercise_under_test.begin()->name;
  const auto describe = [&] {
    std::string names = "a file, or one of:";
    for (const problems::NamedInput& input : problem.inputs()) names += " " + std::string(input.name);
    return names;
  };
  std::vector<std::string> variants;
  for (const Variant& variant : exercise_under_test) variants.emplace_back(variant.name);

  CLI::App app{fmt::format("Runs {}, exercise {}, once and prints the result.", exercise_under_test.lab,
                           exercise_under_test.name)};
  app.add_option("--input", options.input, describe());
  auto* const length = app.add_option("--length", options.request.length, std::string(problem.elements()));
  app.add_option("--" + std::string(problem.variant_option()), options.request.variant)
      ->check(CLI::IsMember(variants));
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
  const Variant* const variant =
      std::find_if(exercise_under_test.begin(), exercise_under_test.end(),
                   [&](const Variant& candidate) { return options.request.variant == candidate.name; });
  try {
    const std::unique_ptr<problems::Input> input = input_of(problem, options);
    return report(backend->run(*variant, options.request, *input), problem, options.request.variant);
  } catch (const problems::InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "this machine has too little memory for {} bytes\n", options.request.length);
    return 3;
  }
}

}  // namespace runner
