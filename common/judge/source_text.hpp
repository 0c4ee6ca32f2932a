// SPDX-License-Identifier: MIT
// What can be said of a C++ file without a compiler: for messages, where a compiler's words do not reach.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace judge {

// The text with blanks in place of what stands in comments, strings and characters; lines stay lines.
std::string code_of(std::string_view text);

// The first line (from 1) whose code names `name`; nothing if none does.
std::optional<int> line_that_names(std::string_view text, std::string_view name);

// The line (from 1) whose opening brace has no closing one; nothing where braces balance or too many close.
// Where the indentation shows which brace it is, that one; else the outermost.
std::optional<int> line_of_unclosed_brace(std::string_view text);

// A line (from 1) as compilers show it: "   18 | text"; empty if there is no such line.
std::string excerpt(std::string_view text, int line);

// The number of the last line that is not blank; 0 if there is none.
int last_line(std::string_view text);

}  // namespace judge
