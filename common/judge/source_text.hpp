// SPDX-License-Identifier: MIT
// Facts about a C++ file without a compiler, for messages that a compiler's words do not give.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "facts/verdict.hpp"

namespace judge {

// The text with blanks instead of comments, strings and characters; lines stay lines.
std::string code_of(std::string_view text);

// A line (from 1) of the text; empty if there is no such line.
std::string_view line_of(std::string_view text, int line);

bool is_of_name(char c);  // a letter, a digit or an underscore

// The position of the first `name` from `from` on that is a whole word; npos if there is none.
std::size_t find_name(std::string_view text, std::string_view name, std::size_t from = 0);

// The first line (from 1) whose code names `name`; nullopt if none does.
std::optional<int> line_that_names(std::string_view text, std::string_view name);

// The line (from 1) whose opening brace has no closing one; nullopt if braces balance or too many close.
// Where the indentation shows which brace it is, that one; else the outermost.
std::optional<int> line_of_unclosed_brace(std::string_view text);

// A line (from 1) as compilers show it: "   18 | text"; empty if there is no such line.
std::string excerpt(std::string_view text, int line);

// The number of the last line that is not blank; 0 if there is none.
int last_line(std::string_view text);

// The source lines behind places in a program, in the same order; places of which nothing is known are left
// out, and so is everything where the tool that tells (addr2line, of binutils) is missing.
std::vector<facts::Location> source_lines(const std::string& program,
                                          const std::vector<std::uint64_t>& places);

// The same with nullopt for each place of which nothing is known: as many as there are places.
std::vector<std::optional<facts::Location>> line_of_each(const std::string& program,
                                                         const std::vector<std::uint64_t>& places);

}  // namespace judge
