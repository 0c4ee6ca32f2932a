// SPDX-License-Identifier: MIT
// The machines that an exercise can run on.
#pragma once

#include <optional>
#include <string_view>

namespace facts {

enum class Backend { sim, gpu, cpu };

std::string_view name_of(Backend backend);
std::optional<Backend> find_backend(std::string_view name);

}  // namespace facts
