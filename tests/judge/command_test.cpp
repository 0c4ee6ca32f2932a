// SPDX-License-Identifier: MIT
#include "os/command.hpp"

#include <doctest/doctest.h>

#include "os/limited_command.hpp"

using os::run_command;
using os::run_limited;

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

TEST_CASE("a limited command gives what a command gives, and has neither input nor a terminal") {
  const os::LimitedResult limited = run_limited(
      {"sh", "-c", "pwd; echo $LC_ALL; read word < /dev/tty; read word; echo \"<$word>\"; exit 3"}, "/usr",
      {});
  CHECK(limited.result.code == 3);
  CHECK(limited.result.output.find("/usr\nC\n") == 0);
  CHECK(limited.result.output.find("/dev/tty: No such device or address") != std::string::npos);
  CHECK(limited.result.output.find("<>\n") != std::string::npos);
  CHECK(limited.exceeded.empty());
  CHECK(run_limited({"sh", "-c", "kill -9 $$"}, {}, {}).result.code == 128 + 9);
  const os::LimitedResult missing = run_limited({"/nonexistent/tool"}, {}, {});
  CHECK(missing.result.code == 127);
  CHECK(missing.result.output == "cannot run /nonexistent/tool: No such file or directory\n");
}

TEST_CASE("a limited command is ended by its limits, with all that it started") {
  const auto begin = std::chrono::steady_clock::now();
  const os::LimitedResult late = run_limited({"sh", "-c", "echo before; sleep 100 & sleep 100"}, {},
                                             {.time = std::chrono::milliseconds(200)});
  CHECK(late.exceeded == "more than 0.2 s");
  CHECK(late.result.output == "before\n");
  const os::LimitedResult large =
      run_limited({"sh", "-c", "head -c 300000000 /dev/zero | tail"}, {}, {.memory_bytes = 100 << 20});
  CHECK(large.exceeded == "more than 100 MiB of memory");
  // What goes on in the background does not go on for long.
  CHECK(run_limited({"sh", "-c", "sleep 100 &"}, {}, {}).exceeded.empty());
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
}

TEST_CASE("of what a limited command prints the beginning is kept") {
  const os::LimitedResult limited =
      run_limited({"sh", "-c", "echo first; head -c 3000000 /dev/zero; exit 2"}, {}, {});
  CHECK(limited.result.output.size() == 1 << 20);
  CHECK(limited.result.output.find("first\n") == 0);
  CHECK(limited.result.code == 2);
}

TEST_CASE("tools may take half of the machine's memory, and 4 GiB at most") {
  CHECK(os::memory_for_tools() > 0);
  CHECK(os::memory_for_tools() <= std::uint64_t{4} << 30);
}
