// SPDX-License-Identifier: MIT
// The runner: the process in which a student's code runs. The judge starts it with `--channel N --data M`;
// started by hand it prints the result.
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "problems/problem.hpp"
#include "runner/executor.hpp"

namespace runner {

namespace {

const Variant& find_variant(const std::string& name) {
  for (const Variant& variant : exercise_under_test) {
    if (name == variant.name) return variant;
  }
  throw ProtocolError("no such variant: " + name);
}

// Answers the judge's requests until it hangs up.
int serve(int channel, int data) {
  const std::unique_ptr<Executor> executor = make_executor(exercise_under_test);
  write_frame(channel, encode(Hello{exercise_under_test.lab, exercise_under_test.name, executor->name(),
                                    executor->device(), executor->unavailable()}));
  while (const auto document = read_frame(channel)) {
    const RunRequest request = decode_request(*document);
    const Variant& variant = find_variant(request.variant);
    const problems::SharedInput input(data, request.length * variant.element_bytes);
    const RunAnswer answer = executor->run(variant, request, input);
    std::fflush(stdout);  // what the kernel printed comes before the answer
    write_frame(channel, encode(answer));
  }
  return 0;
}

struct Options {
  std::string input;
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
  if (answer.unfinished) {
    fmt::print(stderr, "no result: {} of {} launches ran\n", answer.unfinished->launches_run,
               answer.unfinished->launches);
  } else {
    fmt::print("{}", problem.lines(variant, answer.outputs.front()));
  }
  return answer.observations.empty() ? 0 : 1;
}

// Run without a judge, by hand or under ncu, compute-sanitizer or cuda-gdb, a runner takes --input, --length,
// the variant, --block, --grid and --seed, runs the kernel once and prints the result. Returns the exit code:
// 0 if the kernel ran (whether its result is right is for the judge to say), 1 if it failed, 2 for wrong
// usage, 3 if the machine lacks something.
int run_by_hand(int argument_count, char** arguments) {
  const problems::Problem& problem = *problems::find_problem(exercise_under_test.problem);
  Options options;
  options.input = problem.usual_input();
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
  app.add_option("--block", options.request.options.block,
                 "threads per block, in place of the exercise's own");
  app.add_option("--grid", options.request.options.grid,
                 "blocks in the grid, in place of the exercise's own");
  app.add_option("--seed", options.seed, "of a random input");
  try {
    app.parse(argument_count, arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  options.length_given = length->count() > 0;
  if (options.request.variant.empty()) options.request.variant = problem.usual_variant(options.input);

  const std::unique_ptr<Executor> executor = make_executor(exercise_under_test);
  if (!executor->unavailable().empty()) {
    fmt::print(stderr, "{} cannot run here: {}\n", executor->name(), executor->unavailable());
    return 3;
  }
  const Variant* const variant =
      std::find_if(exercise_under_test.begin(), exercise_under_test.end(),
                   [&](const Variant& candidate) { return options.request.variant == candidate.name; });
  try {
    const std::unique_ptr<problems::Input> input = input_of(problem, options);
    return report(executor->run(*variant, options.request, *input), problem, options.request.variant);
  } catch (const problems::InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "this machine has too little memory for {} bytes\n", options.request.length);
    return 3;
  }
}

}  // namespace

}  // namespace runner

int main(int argument_count, char** arguments) {
  try {
    if (argument_count == 5 && std::strcmp(arguments[1], "--channel") == 0)
      return runner::serve(std::stoi(arguments[2]), std::stoi(arguments[4]));
    return runner::run_by_hand(argument_count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "runner: %s\n", error.what());
    return 3;
  }
}
