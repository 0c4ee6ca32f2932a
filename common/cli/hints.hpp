// SPDX-License-Identifier: MIT
#pragma once

#include <istream>
#include <string>
#include <vector>

namespace cli {

// The hints of a lab's file: paragraphs between lines that hold only "---", in the order in which they are given.
std::vector<std::string> read_hints(std::istream& text);

}  // namespace cli
