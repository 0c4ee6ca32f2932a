// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

// Whether the part stands anywhere in the text.
inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}
