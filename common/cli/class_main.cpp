// SPDX-License-Identifier: MIT
#include "all_verbs.hpp"
#include "cli/program.hpp"

namespace cli {

#define VERB(name)
#define APART(name) void add_##name(CommandLine& line);
ALL_VERBS
#undef APART

namespace {

void add_verbs(CommandLine& line) {
#define APART(name) add_##name(line);
  ALL_VERBS
#undef APART
#undef VERB
}

}  // namespace

}  // namespace cli

int main(int argument_count, char** arguments) {
  return cli::run_program(argument_count, arguments, cli::add_verbs);
}
