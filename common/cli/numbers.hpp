// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>

namespace cli {

// What an option that wants a number accepts: digits, in base 10, and where `unit` is true something behind
// them that another validator understands. CLI11 alone takes -1 for 2^64 - 1, what is too large for the
// largest number, 010 for 8 and "" for an option that is not there.
inline CLI::Validator whole_number(bool unit = false) {
  return {[unit](std::string& text) -> std::string {
            const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
            if (digits == 0 || (digits < text.size() && !unit))
              return fmt::format("\"{}\" is not a whole number", text);
            const std::size_t zeros = std::min(text.find_first_not_of('0'), digits - 1);
            constexpr std::size_t most_digits = 19;  // fewer than those of 2^64
            if (digits - zeros > most_digits) return fmt::format("{} is too large", text);
            text.erase(0, zeros);
            return {};
          },
          ""};
}

}  // namespace cli
