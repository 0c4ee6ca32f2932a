// SPDX-License-Identifier: MIT
// What is drawn anew as it changes: a bar on standard error, and a text that stays in place; and the keys
// that are pressed meanwhile.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/terminal/terminal.hpp"

namespace report {

// A bar on standard error that appears once something has taken a second, and is gone when it is done. Where
// standard error is no terminal nothing is shown.
class ProgressBar {
 public:
  using Clock = std::chrono::steady_clock;

  // `start` is when the work began.
  explicit ProgressBar(std::string title, Clock::time_point start = Clock::now())
      : title_(std::move(title)), start_(start) {}
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // How much is done, from 0 to 1.
  void update(double fraction);

  // What is being done, where nobody knows how much of it there is.
  void update(const std::string& step);

  void clear();

 private:
  bool due() const;
  void write(const std::string& line);

  std::string title_;
  Terminal terminal_ = Terminal::of_errors();
  Clock::time_point start_;
  bool shown_ = false;
};

// The lines of a text, each at most `columns` wide: broken at blanks where it can be, and then indented as it
// began. Colours take no room; tabs become blanks, and other control characters question marks.
std::vector<std::string> wrapped(std::string_view text, unsigned columns);

// The lines of each paragraph as one, to be broken where the terminal ends. Lines that are indented, between
// fences (```) or begin with a dash stay as they are.
std::string refilled(std::string_view text);

// What draws `body` and below it `footer` from the upper left corner on, over what was there. A body that
// does not fit is shown from line `first` on, at most so far down that its end is the last line, and a line
// says which are shown; `first` becomes the line that was. Lines of the footer are cut off. The cursor ends
// behind the last letter.
std::string frame(std::string_view body, std::string_view footer, unsigned columns, unsigned rows,
                  std::size_t& first);

// What empties the screen.
inline constexpr std::string_view cleared_screen = "\x1b[2J\x1b[H";

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

  // The next key, if one was pressed; for the arrows up and down k and j, right and left > and <, for the
  // keys that turn a page b and a blank, 0 for others without a letter. The end of the input, as when the
  // terminal is gone, counts as SIGHUP.
  std::optional<char> key();

  // SIGINT (Ctrl-C), SIGTERM, SIGHUP or SIGQUIT, if one has come; else 0.
  int ended_by() const;

  // Whether the program went on after a stop since this was asked last: the screen is to be drawn anew.
  bool was_stopped();

  // In a child process: signals mean again what they did before.
  static void leave_to_child();
};

}  // namespace report
