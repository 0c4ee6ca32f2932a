// SPDX-License-Identifier: MIT
// Bit-fields: members of a struct that lie in one word, so that a thread which writes one writes the word.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "facts/verdict.hpp"

namespace judge {

// Of a race: that its two lines come to different bit-fields, in words; nullopt if they do not.
std::optional<std::string> fields_of_one_word(const facts::Finding& race, std::string_view text);

}  // namespace judge
