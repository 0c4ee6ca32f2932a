// SPDX-License-Identifier: MIT
#include "cli/speech.hpp"

#include <filesystem>

#include "report/terminal/screen.hpp"
#include "report/terminal/terminal.hpp"

namespace cli {

namespace {

std::string& name() {
  static std::string name = "lab";
  return name;
}

// In single quotes where the shell would read it otherwise.
std::string quoted(const std::string& path) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:@%/";
  if (path.find_first_not_of(plain) == path.npos) return path;
  std::string word = "'";
  for (const char c : path) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace

void remember_name(const char* called) {
  const std::filesystem::path path(called);
  if (!path.has_parent_path()) return;  // the shell has found it
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error),
                              near = path.lexically_relative(here);
  const bool is_below = path.is_absolute() && !error && near.has_parent_path() && *near.begin() != "..";
  name() = quoted(is_below ? near : path);
}

std::string lab_command(std::string_view arguments) {
  return arguments.empty() ? name() : fmt::format("{} {}", name(), arguments);
}

void say(std::FILE* stream, std::string_view text) {
  const report::Terminal terminal =
      stream == stdout ? report::Terminal::of_output() : report::Terminal::of_errors();
  if (!terminal.live) {
    fmt::print(stream, "{}", text);
    return;
  }
  for (const std::string& line : report::wrapped(text, terminal.columns)) fmt::print(stream, "{}\n", line);
}

}  // namespace cli
