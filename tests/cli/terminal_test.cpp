// SPDX-License-Identifier: MIT
#include <fcntl.h>

#include "lab.hpp"

namespace {

// What the program prints where its standard output is a terminal.
std::string on_terminal(const std::vector<std::string>& arguments, const std::vector<std::string>& settings) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(terminal >= 0);
  REQUIRE(grantpt(terminal) == 0);
  REQUIRE(unlockpt(terminal) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(open(ptsname(terminal), O_RDWR | O_NOCTTY), STDOUT_FILENO);
    for (const std::string& setting : settings) putenv(const_cast<char*>(setting.c_str()));
    const std::string program = workbook::here().build_root + "/lab";
    std::vector<char*> words{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    execv(words.front(), words.data());
    _exit(126);
  }
  std::string text;
  char byte;
  // The end is an error where the program's side of the terminal is closed.
  int status = 0;
  while (::read(terminal, &byte, 1) == 1) text += byte;
  waitpid(child, &status, 0);
  close(terminal);
  return text;
}

bool has_escapes(const std::string& text) { return text.find('\x1b') != std::string::npos; }

const std::string yes_in_green = "\x1b[32myes\x1b[0m";

}  // namespace

TEST_CASE("on a terminal there are colours, unless they are refused or it cannot show them") {
  CHECK(on_terminal({"doctor"}, {"TERM=xterm", "NO_COLOR="}).find(yes_in_green) == 0);
  const std::string refused = on_terminal({"doctor"}, {"TERM=xterm", "NO_COLOR=1"});
  CHECK(refused.find("yes") == 0);
  CHECK_FALSE(has_escapes(refused));
  CHECK_FALSE(has_escapes(on_terminal({"doctor"}, {"TERM=dumb", "NO_COLOR="})));
}

TEST_CASE("where the output is no terminal there are no escapes") {
  const std::vector<std::vector<std::string>> commands{
      {"doctor"}, {"list"}, {}, {"run", "01", "--solution", "--length", "1K"}, {"check", "01", "--solution"}};
  for (const auto& command : commands) {
    const LabResult result = lab(command, {"TERM=xterm", "NO_COLOR=", "CLICOLOR_FORCE=1"});
    CAPTURE(result.out);
    CHECK_FALSE(has_escapes(result.out + result.err));
    CHECK_FALSE((result.out + result.err).empty());
  }
}
