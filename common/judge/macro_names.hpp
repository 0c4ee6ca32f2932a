// SPDX-License-Identifier: MIT
// Names that a macro of a student's file must not have, whether it is defined or undefined.
#pragma once

#include <optional>
#include <set>
#include <string>

namespace judge {

// Why, and the way out, in one sentence; nullopt: it may have the name. `of_entry`: the words of the
// harness's that are compiled behind the file.
std::optional<std::string> refusal_of_macro_name(const std::string& name,
                                                 const std::set<std::string>& of_entry);

}  // namespace judge
