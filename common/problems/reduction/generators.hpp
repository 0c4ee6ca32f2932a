// SPDX-License-Identifier: MIT
// The inputs that the problem makes. Each element depends on the seed and on its own place alone.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "problems/input.hpp"

namespace reduction {

using problems::Input;
using problems::NamedInput;

std::span<const NamedInput> named_inputs();

// The same name, operator, length (in elements) and seed give the same bytes, on every machine. Throws
// std::invalid_argument for a name that is not among named_inputs().
std::unique_ptr<Input> make_input(std::string_view name, std::string_view operation, std::uint64_t length,
                                  std::uint64_t seed);

}  // namespace reduction
