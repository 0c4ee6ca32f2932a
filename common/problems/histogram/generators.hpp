// SPDX-License-Identifier: MIT
// The inputs that the problem makes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "problems/input.hpp"

namespace histogram {

using problems::Extent;
using problems::Input;
using problems::NamedInput;

std::span<const NamedInput> named_inputs();

// "programming massively parallel processors" (PMPP, figure 9.1): the input `phrase`, repeated beyond its
// length.
std::string_view phrase();

// The same name, length and seed give the same bytes, on every machine. Throws std::invalid_argument for a
// name that is not among named_inputs().
std::unique_ptr<Input> make_input(std::string_view name, std::uint64_t length, std::uint64_t seed);

// Bytes drawn uniformly from `values`, the same for the same seed. Precondition: 1 to 256 values.
std::unique_ptr<Input> make_uniform(std::vector<unsigned char> values, std::uint64_t length,
                                    std::uint64_t seed);

}  // namespace histogram
