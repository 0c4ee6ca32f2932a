// SPDX-License-Identifier: MIT
// How far an access is aligned by what it is a part of: p[i].x of a vector of 16 bytes is aligned to these
// 16, whatever p and i are, while an element of an array is aligned to itself alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace simulator {

// The assembly without the instructions as g++ has them inside (-dP), which it writes as comments. What they
// tell of an access through a pointer stands behind the call that reports it: "# aligned to 16 by type",
// if that is more than its size. Other compilers tell nothing.
std::string with_type_alignments(const std::string& assembly);

// What stands there.
std::optional<unsigned> type_alignment_in(std::string_view line);

}  // namespace simulator
