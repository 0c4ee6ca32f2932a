// SPDX-License-Identifier: MIT
#include "os/supervisor.hpp"

#include <doctest/doctest.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <iostream>
#include <sstream>

#include "hostile.hpp"
#include "temporary_folder.hpp"

using facts::Finding;
using os::Ending;
using os::ProcessArguments;
using os::SupervisedProcess;

namespace {

ProcessArguments program(const std::string& behaviour, const std::string& processes = {}) {
  return {.program = hostile_program(),
          .arguments = {},
          .wrapper = hostile_wrapper(behaviour, {"PROCESSES=" + processes}),
          .inherited = {},
          .working_directory = {}};
}

// Everything that is printed until `end` bytes are there or the output ends.
std::string read_output(int descriptor, std::size_t end) {
  std::string text;
  char byte;
  while (text.size() < end && read(descriptor, &byte, 1) == 1) text += byte;
  return text;
}

void wait_until_ready(const SupervisedProcess& process) {
  REQUIRE(read_output(process.output(), 6) == "ready\n");
}

// How a program ends that ends by itself.
Ending ending_of(const ProcessArguments& arguments) {
  SupervisedProcess process(arguments, {});
  pollfd ended{process.status(), POLLIN, 0};
  poll(&ended, 1, -1);
  return process.stop();
}

// Checks that none of the processes is left whose numbers are in the file: not even as a zombie.
void check_gone(const std::string& file, std::size_t expected) {
  std::istringstream numbers(text_of(file));
  std::size_t count = 0;
  for (pid_t process; numbers >> process; ++count) {
    CAPTURE(process);
    const bool gone = kill(process, 0) == -1 && errno == ESRCH;
    CHECK(gone);
    if (!gone) kill(process, SIGKILL);
  }
  CHECK(count == expected);
}

}  // namespace

TEST_CASE("an exit gives its code, a signal its number") {
  const Ending exited = ending_of(program("no such thing"));
  CHECK(exited.kind == Ending::Kind::exited);
  CHECK(exited.code == 8);
  const Ending aborted = ending_of(program("aborts"));
  CHECK(aborted.kind == Ending::Kind::signalled);
  CHECK(aborted.code == SIGABRT);
  const Ending missing = ending_of(
      {.program = "/nonexistent", .arguments = {}, .wrapper = {}, .inherited = {}, .working_directory = {}});
  CHECK(missing.kind == Ending::Kind::exited);
  CHECK(missing.code == 127);
}

TEST_CASE("output and error go the same way, in the folder that was asked for") {
  SupervisedProcess process({.program = "sh",
                             .arguments = {"-c", "pwd; echo to the errors >&2"},
                             .wrapper = {},
                             .inherited = {},
                             .working_directory = "/usr"},
                            {});
  CHECK(read_output(process.output(), 1000) == "/usr\nto the errors\n");
}

TEST_CASE("a program that is stopped was killed, and stays so") {
  SupervisedProcess process(program("is silent"), {});
  CHECK(process.stop().kind == Ending::Kind::killed);
  CHECK(process.stop().kind == Ending::Kind::killed);
}

TEST_CASE("nothing is left of a program that is destroyed while it runs, not even its daemon") {
  const TemporaryFolder folder;
  const std::string processes = folder.path() + "/processes";
  {
    const SupervisedProcess process(program("hangs with a daemon", processes), {});
    wait_until_ready(process);
  }
  check_gone(processes, 2);
}

TEST_CASE("nothing is left of a session whose runner made a daemon, whether it exits or hangs") {
  const TemporaryFolder folder;
  for (const std::string behaviour : {"leaves a daemon", "hangs with a daemon"}) {
    CAPTURE(behaviour);
    const std::string processes = folder.path() + "/" + behaviour;
    judge::RunnerSettings settings = hostile(behaviour, {"PROCESSES=" + processes});
    settings.start_time = std::chrono::milliseconds(500);
    judge::RunnerSession session(settings);
    const auto started = session.start();
    REQUIRE(std::holds_alternative<Finding>(started));
    const std::string expected = behaviour == "leaves a daemon"
                                     ? "the program ended without an answer (exit code 0)"
                                     : "no answer within 0.5 s";
    CHECK(std::get<Finding>(started).message == expected + "\n  it printed:\n    ready");
    check_gone(processes, 2);  // while the session still stands
  }
}

TEST_CASE("of two programs at a time, each can be stopped while the other runs") {
  const TemporaryFolder folder;
  SupervisedProcess first(program("hangs with a daemon", folder.path() + "/first"), {});
  SupervisedProcess second(program("hangs with a daemon", folder.path() + "/second"), {});
  wait_until_ready(first);
  wait_until_ready(second);
  CHECK(first.stop().kind == Ending::Kind::killed);
  check_gone(folder.path() + "/first", 2);
  pollfd ended{second.status(), POLLIN, 0};
  CHECK(poll(&ended, 1, 0) == 0);
  CHECK(second.stop().kind == Ending::Kind::killed);
  check_gone(folder.path() + "/second", 2);
}

TEST_CASE("nothing is left of a program that kills its supervisor, not even its daemon") {
  const TemporaryFolder folder;
  const std::string processes = folder.path() + "/processes";
  SupervisedProcess process(program("kills its parent and hangs with a daemon", processes), {});
  wait_until_ready(process);
  pollfd ended{process.status(), POLLIN, 0};
  CHECK(poll(&ended, 1, 5000) == 1);
  CHECK(process.stop().kind == Ending::Kind::killed);
  check_gone(processes, 2);
}

TEST_CASE("a program does not outlive its judge") {
  const TemporaryFolder folder;
  const std::string processes = folder.path() + "/processes";
  // What the killed judge leaves behind becomes a child of this process, so that its end can be waited for.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  int ready[2];
  REQUIRE(pipe(ready) == 0);
  std::cout.flush();  // else both processes would print what doctest has buffered
  std::fflush(nullptr);
  const pid_t judge = fork();
  if (judge == 0) {
    const SupervisedProcess process(program("hangs with a daemon", processes), {});
    const bool printed = read_output(process.output(), 6) == "ready\n";
    if (write(ready[1], printed ? "y" : "n", 1) == 1) pause();
    _exit(0);
  }
  char printed = 0;
  CHECK(read(ready[0], &printed, 1) == 1);
  CHECK(printed == 'y');
  kill(judge, SIGKILL);
  while (waitpid(-1, nullptr, 0) > 0) {
  }
  prctl(PR_SET_CHILD_SUBREAPER, 0);
  check_gone(processes, 2);
  close(ready[0]);
  close(ready[1]);
}
