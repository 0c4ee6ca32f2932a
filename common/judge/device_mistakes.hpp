// SPDX-License-Identifier: MIT
// What device code cannot do: use what is the host's, capture shared memory by its name, and the like.
#pragma once

#include <optional>
#include <string_view>

#include "judge/kernel_mistakes.hpp"

namespace judge {

// The first such mistake in the text; nullopt if there is none.
std::optional<KernelMistake> device_mistake(std::string_view text);

}  // namespace judge
