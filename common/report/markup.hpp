// SPDX-License-Identifier: MIT
// Text as HTML and XML.
#pragma once

#include <string>
#include <string_view>

namespace report {

// With & < > " ' as entities; line ends and tabs become spaces, and other control characters are left out.
std::string escaped(std::string_view text);

// The same, but line ends are kept.
std::string escaped_lines(std::string_view text);

}  // namespace report
