// SPDX-License-Identifier: MIT
// A function of the CUDA Math API over bits, so that tests can go through all of them: as the simulator has
// it, as it is defined, and as a GPU has it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

using Arguments = std::array<std::uint64_t, 3>;

enum class Kind { integer_32, integer_64, float_32, float_64 };

template <class T>
constexpr Kind kind_of() {
  if (std::is_same<T, float>::value) return Kind::float_32;
  if (std::is_same<T, double>::value) return Kind::float_64;
  return sizeof(T) == 8 ? Kind::integer_64 : Kind::integer_32;
}

// Empty if there is a GPU to run on; else what CUDA says. (arithmetic_gpu.cu)
std::string why_no_gpu();

// The values on the GPU of the function of this name in arithmetic_cases.hpp, for each of the arguments.
// Throws std::runtime_error if CUDA refuses. (arithmetic_gpu.cu)
std::vector<std::uint64_t> values_on_gpu(const std::string& name, const std::vector<Arguments>& arguments);
