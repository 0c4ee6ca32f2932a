// SPDX-License-Identifier: MIT
// What stands in a kernel's machine code whose cost the model does not know.
#pragma once

#include <string>
#include <vector>

namespace model {

// A sentence, or nothing. `text` as for MachineCode, which throws where it cannot be read; this says nothing
// then.
std::string unknown_cost(const std::vector<unsigned char>& text);

}  // namespace model
