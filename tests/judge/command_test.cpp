// SPDX-License-Identifier: MIT
#include "os/command.hpp"

#include <doctest/doctest.h>

using os::run_command;

TEST_CASE("a command gives its exit code and what it printed, output and error") {
  const os::CommandResult result = run_command({"sh", "-c", "echo out; echo err >&2; exit 3"});
  CHECK(result.code == 3);
  CHECK(result.output == "out\nerr\n");
}

TEST_CASE("output longer than a pipe holds is read whole") {
  const os::CommandResult result = run_command({"sh", "-c", "head -c 1000000 /dev/zero"});
  CHECK(result.code == 0);
  CHECK(result.output.size() == 1'000'000);
}

TEST_CASE("each line is passed on as it comes, the last one only if it is whole") {
  std::vector<std::string> lines;
  const auto collect = [&](std::string_view line) { lines.emplace_back(line); };
  CHECK(run_command({"sh", "-c", "echo one; echo; printf 'two\\nrest'"}, {}, collect).output ==
        "one\n\ntwo\nrest");
  CHECK(lines == std::vector<std::string>{"one", "", "two"});
}

TEST_CASE("a command speaks the language C, whatever the user speaks") {
  CHECK(run_command({"sh", "-c", "echo $LC_ALL"}).output == "C\n");
}

TEST_CASE("words are handed over as they are, not to a shell") {
  CHECK(run_command({"printf", "%s", "$HOME; 'a b'"}).output == "$HOME; 'a b'");
}

TEST_CASE("a command that cannot be started has code 127, one that a signal ended 128 and its number") {
  const os::CommandResult missing = run_command({"/nonexistent/tool"});
  CHECK(missing.code == 127);
  CHECK(missing.output == "cannot run /nonexistent/tool: No such file or directory\n");
  CHECK(run_command({"sh", "-c", "kill -9 $$"}).code == 128 + 9);
}
