// SPDX-License-Identifier: MIT
// Whether the part stands anywhere in the text.
#pragma once

#include <string_view>

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}
