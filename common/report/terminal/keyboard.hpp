// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

namespace report {

// Single keys from the terminal at standard input, and the signals that end a program which waits for them.
// While one is there, keys arrive at once and are not shown; the terminal is as it was before when it is
// gone, while the program is stopped (Ctrl-Z), and after a crash. One at a time.
class Keyboard {
 public:
  // Without `wanted`, or where standard input is no terminal, there are no keys, only the signals.
  explicit Keyboard(bool wanted);
  ~Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;

  // Readable when there may be a key; -1: there never will be one.
  int descriptor() const;

  // The next key, if one was pressed. The end of the input, as when the terminal is gone, counts as SIGHUP.
  std::optional<char> key();

  // SIGINT (Ctrl-C), SIGTERM, SIGHUP or SIGQUIT, if one has come; else 0.
  int ended_by() const;

  // Whether the program went on after a stop since this was asked last: the screen is to be drawn anew.
  bool was_stopped();

  // In a child process: signals mean again what they did before.
  static void leave_to_child();
};

}  // namespace report
