// SPDX-License-Identifier: MIT
// A thread's index that is used as a number.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace judge {

// Of a message that an operator or a conversion does not fit, where threadIdx or its like stands on the line
// without a component; nullopt if that is not the reason.
std::optional<std::string> words_of_index(std::string_view message, std::string_view line);

}  // namespace judge
