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

// Of a message that an operator or a conversion does not fit, where threadIdx or its like stands on the line
// without a component; nullopt if that is not the reason.
std::optional<std::string> words_of_index(std::string_view message, std::string_view line);

}  // namespace judge
