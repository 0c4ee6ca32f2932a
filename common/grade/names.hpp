// SPDX-License-Identifier: MIT
// Names of submissions. A folder's name may hold any bytes but '/'; here they become text, cells of a table
// and names of files that do no harm.
#pragma once

#include <string>
#include <string_view>

namespace grade {

// As UTF-8: other bytes become \xNN. Different names stay different: of a name that holds "\x" itself, the
// backslash becomes \x5C.
std::string as_text(std::string_view name);

// The same for a terminal and for pages: control characters, and those that turn the order of others, become
// \xNN too.
std::string printable_name(std::string_view name);

// A name for a file or folder of our own: letters, digits, and "._-" but not at the beginning; other bytes
// become %NN. A long name is cut, and ends with a part of its digest.
std::string file_name_of(std::string_view name);

// A cell of a table in the form of RFC 4180, quoted if it has to be. A program that opens the table takes
// none for a formula: an apostrophe stands before one that begins like it.
std::string csv_cell(std::string_view text);

}  // namespace grade
