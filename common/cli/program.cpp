// SPDX-License-Identifier: MIT
#include "cli/program.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <new>
#include <sstream>
#include <system_error>

#include "cli/command_line.hpp"
#include "cli/measured.hpp"
#include "cli/speech.hpp"
#include "facts/errors.hpp"
#include "problems/input.hpp"
#include "problems/problem.hpp"
#include "workbook_config.hpp"

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
  throw facts::UsageError(fmt::format("lab knows no \"{}\"; it knows: {}", arguments[1], join(verbs)));
}

int parse_and_run(int argument_count, char** arguments, void (*add_verbs)(CommandLine&)) {
  CLI::App app{
      fmt::format("{}, step by step: build, check and run the labs.", problems_in_use().front()->title()),
      "lab"};
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", "lab " WORKBOOK_VERSION, "the version of the workbook");
  CommandLine line(app, arguments);
  add_verbs(line);
  require_verb(app, argument_count, arguments);
  try {
    app.parse(argument_count, arguments);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, errors;
    const int code = app.exit(error, out, errors);
    say(stdout, out.str());
    say(stderr, errors.str());
    return code == 0 ? ExitCode::fine : ExitCode::usage;
  }
  return line.run();
}

int complain(const char* what, int exit_code) {
  say(stderr, fmt::format("lab: {}\n", what));
  return exit_code;
}

// If stdout is closed, the next open() reuses its number, and our output lands in that file.
void open_standard_streams() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", O_RDWR);
  }
}

// The exit code, unless what was printed has not arrived: a full disk is noticed only now.
int after_printing(int exit_code) {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return exit_code;
  return complain(fmt::format("cannot write to standard output: {}", std::strerror(errno)).c_str(),
                  ExitCode::machine);
}

}  // namespace

int run_program(int argument_count, char** arguments, void (*add_verbs)(CommandLine&)) {
  open_standard_streams();
  if (argument_count > 0) remember_name(arguments[0]);
  remember_command(argument_count, arguments);
  try {
    return after_printing(parse_and_run(argument_count, arguments, add_verbs));
  } catch (const facts::UsageError& error) {
    return complain(error.what(), ExitCode::usage);
  } catch (const facts::MachineError& error) {
    return complain(error.what(), ExitCode::machine);
  } catch (const problems::InputError& error) {
    return complain(error.what(), ExitCode::machine);
  } catch (const std::system_error& error) {
    return complain(error.what(), ExitCode::machine);
  } catch (const std::bad_alloc&) {
    return complain("this machine has too little memory for that", ExitCode::machine);
  }
}

}  // namespace cli
