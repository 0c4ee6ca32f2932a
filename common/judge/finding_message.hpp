// SPDX-License-Identifier: MIT
// What a finding's message names: the element, what was done with it, and the threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "facts/verdict.hpp"
#include "judge/source_structure.hpp"

namespace judge {

// The array that a message names first: "counts" of "... reads counts[3] ..."; empty if there is none.
std::string array_in(std::string_view message);

// With its index: "counts[3]".
std::string element_in(std::string_view message);

// "reads" of "histogram_kernel read data[1000]; ..."
std::string role_in(std::string_view first_line);

// The thread that the message names for the place: of two, the one whose deed comes first in the message is
// named first.
struct Actor {
  std::int64_t thread = 0;
  std::string block;  // "block 3"
};

std::optional<Actor> actor_in(std::string_view message, const facts::Location& place);

// The element that the message names first, as the thread at the place has reached it.
std::optional<Reached> reached_in(const std::string& message, const facts::Location& place);

// Whether the two threads are of different blocks, by the message's second line.
bool is_across_blocks(const std::string& message);

// The first of a finding's places that has this role; nullptr if there is none.
const facts::Location* place_with(const facts::Finding& finding, std::string_view role);

}  // namespace judge
