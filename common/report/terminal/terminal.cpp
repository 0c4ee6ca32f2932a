// SPDX-License-Identifier: MIT
#include "report/terminal/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace report {

namespace {

Terminal terminal_of(int descriptor) {
  Terminal terminal;
  const char* const kind = std::getenv("TERM");
  terminal.live = isatty(descriptor) && kind && std::string_view(kind) != "dumb";
  const char* const refused = std::getenv("NO_COLOR");
  terminal.colours = terminal.live && !(refused && *refused);
  winsize size{};
  if (terminal.live && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    terminal.columns = size.ws_col;
  }
  if (size.ws_row > 0) terminal.rows = size.ws_row;
  return terminal;
}

std::string_view code_of(Colour colour) {
  switch (colour) {
    case Colour::red:
      return "31";
    case Colour::green:
      return "32";
    case Colour::yellow:
      return "33";
    case Colour::blue:
      return "34";
    case Colour::grey:
      return "90";
    case Colour::bold:
      return "1";
    default:
      return "0";
  }
}

}  // namespace

std::string Terminal::paint(Colour colour, std::string_view text) const {
  if (!colours || colour == Colour::none) return std::string(text);
  return std::string("\x1b[").append(code_of(colour)).append("m").append(text).append("\x1b[0m");
}

Terminal Terminal::of_output() { return terminal_of(STDOUT_FILENO); }
Terminal Terminal::of_errors() { return terminal_of(STDERR_FILENO); }

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace report
