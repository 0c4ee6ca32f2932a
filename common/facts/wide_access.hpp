// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace facts {

// The role of an access of more bytes than its array in shared memory may be aligned to.
inline constexpr std::string_view wide_access = "accesses";

}  // namespace facts
