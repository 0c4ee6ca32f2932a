// SPDX-License-Identifier: MIT
#include "cli/program.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <new>
#include <system_error>

#include "cli/errors.hpp"
#include "cli/selection.hpp"
#include "cli/verbs.hpp"
#include "histogram/input.hpp"

namespace cli {

namespace {

// CLI11 calls an unknown verb an unexpected argument; a user wants to know which there are.
void require_verb(const CLI::App& app, int argument_count, char** arguments) {
  if (argument_count < 2 || arguments[1][0] == '-') return;
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_name() == arguments[1]) return;
    verbs.push_back(verb->get_name());
  }
  throw UsageError(fmt::format("lab knows no \"{}\"; it knows: {}", arguments[1], join(verbs)));
}

int parse_and_run(int argument_count, char** arguments) {
  CLI::App app{"The parallel histogram, step by step: build, check and run the labs.", "lab"};
  app.require_subcommand(0, 1);
  int exit_code = ExitCode::fine;
  add_tour(app, exit_code);
  add_list(app, exit_code);
  add_run(app, exit_code);
  add_check(app, exit_code);
  add_hint(app, exit_code);
  add_reset(app, exit_code);
  add_doctor(app, exit_code);
  require_verb(app, argument_count, arguments);
  try {
    app.parse(argument_count, arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? ExitCode::fine : ExitCode::usage;
  }
  return app.get_subcommands().empty() ? overview() : exit_code;
}

int complain(const char* what, int exit_code) {
  fmt::print(stderr, "lab: {}\n", what);
  return exit_code;
}

}  // namespace

int run_program(int argument_count, char** arguments) {
  try {
    return parse_and_run(argument_count, arguments);
  } catch (const UsageError& error) {
    return complain(error.what(), ExitCode::usage);
  } catch (const MachineError& error) {
    return complain(error.what(), ExitCode::machine);
  } catch (const histogram::InputError& error) {
    return complain(error.what(), ExitCode::machine);
  } catch (const std::system_error& error) {
    return complain(error.what(), ExitCode::machine);
  } catch (const std::bad_alloc&) {
    return complain("this machine has too little memory for that", ExitCode::machine);
  }
}

}  // namespace cli
