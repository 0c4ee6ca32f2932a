// SPDX-License-Identifier: MIT
// Source text as it is compared: comments, white space and the choice of names aside.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grade {

// Words, and other characters that are neither white space nor in a comment, each a string.
std::vector<std::string> tokens_in(std::string_view text);

// A text without comments and white space, and with its names numbered in their order: the same for two that
// differ in these alone.
std::string code_of(std::string_view text);

// Whether the part stands in the text, with whatever names; both as tokens_in gives them.
bool holds_part(const std::vector<std::string>& text, const std::vector<std::string>& part);

// The same of several parts, for a text and parts as they are written.
bool holds_a_part(std::string_view text, const std::vector<std::string>& parts);

}  // namespace grade
