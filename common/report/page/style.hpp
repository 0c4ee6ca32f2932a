// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace report::page {

// For screens from a phone to a projector, light or dark, and for paper.
std::string_view style_sheet();

}  // namespace report::page
