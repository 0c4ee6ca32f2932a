// SPDX-License-Identifier: MIT
// What others wrote, made fit for a message: a student's program and the compilers that read his file may
// print anything.
#pragma once

#include <string>
#include <string_view>

namespace judge {

// The text with "?" for each byte that a terminal may obey or that is no UTF-8: the control characters of
// both sets (up to U+001F but line ends and tabulators, U+007F to U+009F).
std::string printable(std::string_view text);

// The first lines of a text, with a last one that says how much is left out; each line is cut, too.
std::string shortened_text(std::string_view text);

// The text with the last parts alone of paths that are not below `folder`: where the harness, the compiler
// and others' files lie is nobody's business. Lines that begin with blanks show source, and stay.
std::string without_foreign_paths(std::string_view text, std::string_view folder);

}  // namespace judge
