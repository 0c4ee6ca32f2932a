// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace facts {

// What a run left in its output: bytes whose type is the problem's.
using Output = std::vector<unsigned char>;

}  // namespace facts
