// SPDX-License-Identifier: MIT
// A number for each value: the same for two that are computed in the same way from the same values. Sums and
// multiples are computed with these numbers, modulo 2^64, so that it does not matter in which order or by
// which instructions they are formed. Of all else the number is any one, drawn from the operation and its
// operands.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>

#include "simulator/assembly/x86_assembly.hpp"

namespace simulator::x86 {

// Any number, but always the same of these.
std::uint64_t number_drawn_from(std::initializer_list<std::uint64_t> numbers);

// Of what the instruction computes. `read`: of the operands that it reads, in their order.
std::uint64_t number_of(const Instruction& i, std::span<const std::uint64_t> read, std::uint64_t flags);

}  // namespace simulator::x86
