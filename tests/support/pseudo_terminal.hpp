// SPDX-License-Identifier: MIT
// A program on a terminal of its own, with somebody at the keyboard.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

class PseudoTerminal {
 public:
  // Starts the program: its path, and its arguments.
  explicit PseudoTerminal(std::vector<std::string> words, unsigned short columns = 100,
                          unsigned short rows = 40)
      : ours_(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    REQUIRE(ours_ >= 0);
    REQUIRE(grantpt(ours_) == 0);
    REQUIRE(unlockpt(ours_) == 0);
    resize(columns, rows);
    // Held open, so that the terminal's settings can be read when the program is gone.
    theirs_ = open(ptsname(ours_), O_RDWR | O_NOCTTY | O_CLOEXEC);
    REQUIRE(theirs_ >= 0);
    tcgetattr(theirs_, &at_start_);
    program_ = fork();
    if (program_ == 0) execute(words);
  }
  ~PseudoTerminal() {
    if (program_ > 0) {
      kill(program_, SIGKILL);
      waitpid(program_, nullptr, 0);
    }
    close(theirs_);
    close(ours_);
  }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  pid_t program() const { return program_; }

  void press(const std::string& keys) const {
    REQUIRE(write(ours_, keys.data(), keys.size()) == static_cast<ssize_t>(keys.size()));
  }

  void resize(unsigned short columns, unsigned short rows) const {
    const winsize size{rows, columns, 0, 0};
    REQUIRE(ioctl(ours_, TIOCSWINSZ, &size) == 0);
  }

  // Reads until the program has written this since the last call; what was read up to its end.
  std::string wait_for(const std::string& text) {
    std::size_t found;
    while ((found = unread_.find(text)) == std::string::npos && read_more()) {
    }
    CAPTURE(unread_);
    INFO("waited for: ", text);
    REQUIRE(found != std::string::npos);
    const std::string read = unread_.substr(0, found + text.size());
    unread_.erase(0, read.size());
    return read;
  }

  // Waits until the program has ended; its exit code, or 128 and the signal.
  int wait_for_end() {
    int status = 0;
    // What it still writes has to be read, or it would wait.
    while (waitpid(program_, &status, WNOHANG) == 0) read_more(20);
    program_ = -1;
    while (read_more(0)) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  // What was written and not waited for.
  const std::string& unread() const { return unread_; }

  // Whether keys are shown and come line by line.
  bool is_as_usual() const {
    termios now{};
    REQUIRE(tcgetattr(theirs_, &now) == 0);
    return now.c_lflag == at_start_.c_lflag && (now.c_lflag & ICANON) && (now.c_lflag & ECHO);
  }

 private:
  [[noreturn]] void execute(const std::vector<std::string>& words) const {
    for (const int signal : {SIGINT, SIGHUP, SIGQUIT, SIGTERM})
      ::signal(signal, SIG_DFL);  // whoever started the test may ignore them
    setsid();
    ioctl(theirs_, TIOCSCTTY, 0);
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(theirs_, descriptor);
    setenv("TERM", "xterm", 1);
    setenv("NO_COLOR", "1", 1);
    std::vector<char*> pointers;
    for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    execv(pointers.front(), pointers.data());
    _exit(126);
  }

  // False where nothing came for so long that nothing will.
  bool read_more(int patience_ms = 120'000) {
    pollfd source{ours_, POLLIN, 0};
    if (poll(&source, 1, patience_ms) <= 0) return false;
    char bytes[4096];
    const ssize_t got = read(ours_, bytes, sizeof bytes);
    if (got > 0) unread_.append(bytes, static_cast<std::size_t>(got));
    return got > 0;
  }

  int ours_ = -1, theirs_ = -1;
  termios at_start_{};
  pid_t program_ = -1;
  std::string unread_;
};
