// SPDX-License-Identifier: MIT
#include "report/terminal/keyboard.hpp"

#include <poll.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace report {

namespace {

constexpr std::array<int, 4> ends{SIGINT, SIGTERM, SIGHUP, SIGQUIT};
constexpr std::array<int, 5> crashes{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// What signal handlers need lies outside of every object.
volatile sig_atomic_t end_signal = 0, stopped = 0;
bool has_keys = false;
termios usual{}, by_key{};

void give_terminal_back() {
  if (has_keys) tcsetattr(STDIN_FILENO, TCSANOW, &usual);
}

void on_end(int signal) { end_signal = signal; }

void on_crash(int signal) {
  give_terminal_back();
  ::signal(signal, SIG_DFL);
  raise(signal);
}

void on_stop(int) {
  const int error = errno;
  give_terminal_back();
  raise(SIGSTOP);
  // Here it goes on.
  if (has_keys) tcsetattr(STDIN_FILENO, TCSANOW, &by_key);
  stopped = 1;
  errno = error;
}

// Signals that whoever started the program ignores, as nohup does, stay ignored.
void handle(int signal, void (*handler)(int)) {
  struct sigaction before {};
  sigaction(signal, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = handler;
  sigaction(signal, &action, nullptr);
}

void handle_all(void (*end)(int), void (*crash)(int), void (*stop)(int)) {
  for (const int signal : ends) handle(signal, end);
  for (const int signal : crashes) handle(signal, crash);
  handle(SIGTSTP, stop);
}

}  // namespace

Keyboard::Keyboard(bool wanted) {
  end_signal = 0;
  stopped = 0;
  if (wanted && tcgetattr(STDIN_FILENO, &usual) == 0) {
    by_key = usual;
    by_key.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    by_key.c_cc[VMIN] = 0;
    by_key.c_cc[VTIME] = 0;
    has_keys = true;
  }
  handle_all(on_end, on_crash, on_stop);
  if (has_keys) tcsetattr(STDIN_FILENO, TCSANOW, &by_key);
}

Keyboard::~Keyboard() {
  give_terminal_back();
  has_keys = false;
  leave_to_child();
}

int Keyboard::descriptor() const { return has_keys ? STDIN_FILENO : -1; }

std::optional<char> Keyboard::key() {
  pollfd input{descriptor(), POLLIN, 0};
  if (input.fd < 0 || poll(&input, 1, 0) <= 0) return std::nullopt;
  char key = 0;
  const ssize_t got = read(STDIN_FILENO, &key, 1);
  if (got == 1) return key;
  if (got == 0 || errno != EINTR) end_signal = SIGHUP;
  return std::nullopt;
}

int Keyboard::ended_by() const { return end_signal; }

bool Keyboard::was_stopped() {
  const bool was = stopped;
  stopped = 0;
  return was;
}

void Keyboard::leave_to_child() { handle_all(SIG_DFL, SIG_DFL, SIG_DFL); }

}  // namespace report
