// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <regex>

#include "report/terminal/screen.hpp"

namespace {

struct Shown {
  std::string text;
  int status;
};

// What a process shows on a terminal of that many columns, up to its end, and how it ends.
Shown shown_on_terminal(unsigned short columns, const std::function<void()>& program) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(terminal >= 0);
  REQUIRE(grantpt(terminal) == 0);
  REQUIRE(unlockpt(terminal) == 0);
  const winsize size{24, columns, 0, 0};
  REQUIRE(ioctl(terminal, TIOCSWINSZ, &size) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(open(ptsname(terminal), O_RDWR | O_NOCTTY), STDERR_FILENO);
    setenv("TERM", "xterm", 1);
    for (const int signal : {SIGINT, SIGTERM}) ::signal(signal, SIG_DFL);
    program();
    _exit(0);
  }
  Shown shown{};
  // The end is an error where the program's side of the terminal is closed.
  for (char byte; read(terminal, &byte, 1) == 1;) shown.text += byte;
  waitpid(child, &shown.status, 0);
  close(terminal);
  return shown;
}

// A bar appears after a second: this one began before that.
report::ProgressBar::Clock::time_point begun() {
  return report::ProgressBar::Clock::now() - std::chrono::milliseconds(1100);
}

const std::string clear = "\r\x1b[K";

// The bar of a title of 23 letters, at 40 %; how much longer it will take is not the test's to say.
std::string bar_on(unsigned short columns) {
  const Shown shown = shown_on_terminal(columns, [] {
    report::ProgressBar bar("04_shared_memory on sim", begun());
    bar.update(0.4);
  });
  return std::regex_replace(shown.text, std::regex("[0-9]+ s left"), "some s left");
}

}  // namespace

TEST_CASE("a bar is as wide as the terminal has room for, and is gone in the end") {
  const std::string title = clear + "04_shared_memory on sim";
  CHECK(bar_on(120) == title + " [############..................]  40 %, some s left" + clear);
  CHECK(bar_on(60) == title + " [#####........]  40 %, some s left" + clear);
  CHECK(bar_on(48) == title + "  40 %, some s left" + clear);
  CHECK(bar_on(40) == title + "  40 %, some s left" + clear);
  CHECK(bar_on(30) == title + "  40 %" + clear);
  CHECK(bar_on(10) == clear + "04_shared" + clear);
}

TEST_CASE("Ctrl-C clears a bar, and ends the program as it does without one") {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Shown shown = shown_on_terminal(80, [signal] {
      report::ProgressBar bar("waiting", begun());
      bar.update("for nothing");
      raise(signal);
    });
    CHECK(shown.text == clear + "waiting: for nothing" + clear);
    CHECK(WIFSIGNALED(shown.status));
    CHECK(WTERMSIG(shown.status) == signal);
  }
}

TEST_CASE("who ignores Ctrl-C goes on, and after a bar everything is as before") {
  const Shown ignored = shown_on_terminal(80, [] {
    ::signal(SIGINT, SIG_IGN);
    report::ProgressBar bar("waiting", begun());
    bar.update("on");
    raise(SIGINT);
  });
  CHECK(ignored.text == clear + "waiting: on" + clear);
  CHECK(WIFEXITED(ignored.status));
  const Shown after = shown_on_terminal(80, [] {
    report::ProgressBar bar("waiting", begun());
    bar.update("on");
    bar.clear();
    raise(SIGINT);
  });
  CHECK(after.text == clear + "waiting: on" + clear);
  CHECK(WIFSIGNALED(after.status));
}
