// SPDX-License-Identifier: MIT
// Loops in machine code that turn a number of times which the code itself says.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "model/machine_instructions.hpp"

namespace model {

// How often the loop turns that begins at `head` and that the branch leads back to: its counter begins, grows
// and ends with constants, and nothing in between is an access or leads elsewhere. nullopt: it is none of
// that kind, or turns more often than anybody would count.
std::optional<double> turns_of_loop(const std::vector<Instruction>& code, std::size_t head,
                                    std::size_t branch);

}  // namespace model
