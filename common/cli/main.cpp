// SPDX-License-Identifier: MIT
#include "all_verbs.hpp"
#include "cli/program.hpp"
#include "cli/verbs/apart.hpp"

namespace cli {

#define VERB(name) void add_##name(CommandLine& line);
#define APART(name)
ALL_VERBS
#undef VERB
#undef APART

namespace {

void add_verbs(CommandLine& line) {
#define VERB(name) add_##name(line);
#define APART(name) add_apart(line, #name, name##_words);
  ALL_VERBS
#undef VERB
#undef APART
}

}  // namespace

}  // namespace cli

int main(int argument_count, char** arguments) {
  return cli::run_program(argument_count, arguments, cli::add_verbs);
}
