// SPDX-License-Identifier: MIT
// The header that a lab's file includes first, lab.hpp, compiled once for all units of a problem: g++ then
// takes a third of the time for a unit, and makes the same code of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workbook/workbook.hpp"

namespace build {

// Whether the text begins with `#include "lab.hpp"`, comments aside. Only then does it make no difference
// that the header is read before the file.
bool begins_with_lab_header(std::string_view text);

// The arguments with which the command that compiles the target's unit takes the compiled header, which is
// brought up to date first where the build folder can be written. Empty where there is none for this command:
// for another compiler than g++, a file that begins otherwise, a function of the CPU's. Throws
// std::system_error if no process can be made.
std::vector<std::string> prepared_header_arguments(const workbook::Workbook& workbook,
                                                   const workbook::Target& target,
                                                   const std::vector<std::string>& command);

// Whether a compiler that took the compiled header tells the same of its errors as one that did not: where
// all of them lie beside the student's file. Of an error in a header it would leave out the line that
// includes it.
bool tells_the_same(std::string_view output, const workbook::Target& target);

}  // namespace build
