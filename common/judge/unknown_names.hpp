// SPDX-License-Identifier: MIT
// Names that CUDA has and the simulator does not, where a compiler says no more than that they are not
// declared.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace judge {

// The name in g++'s or clang's message that it is not declared; empty if the message is another one.
std::string undeclared_name(std::string_view message);

// What there is to say of a name of CUDA's; nullopt if it is none.
std::optional<std::string> words_of_cuda(const std::string& name);

}  // namespace judge
