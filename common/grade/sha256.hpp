// SPDX-License-Identifier: MIT
// SHA-256 (FIPS 180-4): by it a result says which files it is about.
#pragma once

#include <string>
#include <string_view>

namespace grade {

// The digest of the bytes as 64 hexadecimal digits in lower case.
std::string sha256(std::string_view bytes);

}  // namespace grade
