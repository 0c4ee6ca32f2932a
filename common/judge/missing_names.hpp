// SPDX-License-Identifier: MIT
// Names of CUDA that the simulator lacks, from what a compiler for the host says of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace judge {

// One sentence that names what the simulator does not have; nullopt if the compiler's message is about
// something else. `text`: of the file that the error is in, whose line it is.
std::optional<std::string> words_of_missing_name(std::string_view message, std::string_view text, int line);

}  // namespace judge
