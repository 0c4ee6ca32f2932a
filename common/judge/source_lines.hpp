// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "facts/verdict.hpp"

namespace judge {

// The source lines behind places in a program, in the same order; places of which nothing is known are left
// out, and so is everything where the tool that tells (addr2line, of binutils) is missing.
std::vector<facts::Location> source_lines(const std::string& program,
                                          const std::vector<std::uint64_t>& places);

// The same with nothing in the place of what is not known: as many as there are places.
std::vector<std::optional<facts::Location>> line_of_each(const std::string& program,
                                                         const std::vector<std::uint64_t>& places);

}  // namespace judge
