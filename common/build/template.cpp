// SPDX-License-Identifier: MIT
#include "build/template.hpp"

#include <algorithm>
#include <sstream>
#include <system_error>
#include <utility>

#include "facts/errors.hpp"
#include "os/command.hpp"

namespace build {

std::string template_target(facts::Backend backend) {
  return "common/build/runner-template." + std::string(name_of(backend));
}

Command shell_words(const std::string& line) {
  Command words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == 0 && (c == ' ' || c == '\t')) {
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
      continue;
    }
    in_word = true;
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
      word += line[++i];
    } else {
      word += c;
    }
  }
  if (in_word) words.push_back(word);
  return words;
}

std::vector<Command> template_commands(const workbook::Workbook& workbook, facts::Backend backend) {
  const std::string target = template_target(backend);
  const os::CommandResult listed =
      os::run_command({workbook.ninja, "-C", workbook.build_root, "-t", "commands", target});
  if (listed.code == 127) throw std::system_error(ENOENT, std::generic_category(), workbook.ninja);
  std::vector<Command> commands;
  std::istringstream lines(listed.output);
  for (std::string line; std::getline(lines, line);) {
    // the other commands make the libraries
    if (line.find("runner-template") != std::string::npos) commands.push_back(shell_words(line));
  }
  if (listed.code != 0 || commands.empty())
    throw facts::MachineError("the build tool does not know " + target + ":\n" + listed.output);
  return commands;
}

}  // namespace build
