// SPDX-License-Identifier: MIT
#include "cli/verbs/verbs.hpp"

namespace cli {

#define VERB(name) void add_##name(CommandLine& line);
#include "verbs.inc"
#undef VERB

void add_verbs(CommandLine& line) {
#define VERB(name) add_##name(line);
#include "verbs.inc"
#undef VERB
}

}  // namespace cli
