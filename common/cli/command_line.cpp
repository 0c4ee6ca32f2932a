// SPDX-License-Identifier: MIT
#include "cli/command_line.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace cli {

CLI::Validator whole_number(bool unit) {
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
