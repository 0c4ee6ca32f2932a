// SPDX-License-Identifier: MIT
// The generated inputs behind make_input.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "problems/histogram/input.hpp"

namespace histogram {

struct Generator {
  NamedInput input;
  std::unique_ptr<Input> (*make)(std::uint64_t length, std::uint64_t seed);
};

std::span<const Generator> generators();

}  // namespace histogram
