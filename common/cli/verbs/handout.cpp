// SPDX-License-Identifier: MIT
#include "grade/handout.hpp"

#include <fmt/core.h>

#include "cli/command_line.hpp"
#include "cli/speech.hpp"
#include "cli/verbs/apart.hpp"

namespace cli {

namespace {

struct HandoutOptions {
  std::string folder;
};

int handout(const HandoutOptions& options) {
  const grade::Handout made = grade::make_handout(workbook::here(), options.folder);
  for (const std::string& name : made.left_out)
    say("left out, for it holds a part of a solution: {}\n", name);
  say("{} files in {}: the labs as skeletons, no solutions, no submissions, no history\n", made.files,
      options.folder);
  return ExitCode::fine;
}

}  // namespace

void add_handout(CommandLine& line) {
  auto [verb, options] = line.add<HandoutOptions>("handout", handout_words, handout);
  verb.add_option("DIR", options.folder, "the folder to make it in")->required();
}

}  // namespace cli
