// SPDX-License-Identifier: MIT
// How the program speaks to a person: commands as they can be typed, and text that no terminal breaks within
// a word.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace cli {

// Remembers how the shell called the program: "lab", "build/lab".
void remember_name(const char* called);

// A call of this program that can be typed: "lab check 04" for "check 04"; "build/lab check 04" where it was
// called by that path.
std::string lab_command(std::string_view arguments);

// Prints whole lines, which on a terminal are broken at blanks where they are too long for it.
void say(std::FILE* stream, std::string_view text);

template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  say(stdout, fmt::format(format, std::forward<Values>(values)...));
}

}  // namespace cli
