// SPDX-License-Identifier: MIT
#include "judge/index_words.hpp"

#include <fmt/core.h>

#include "judge/source_text.hpp"

namespace judge {

std::optional<std::string> words_of_index(std::string_view message, std::string_view line) {
  message = message.substr(0, message.find('\n'));
  const bool is_of_index = message.find("uint3") != message.npos || message.find("dim3") != message.npos;
  const bool does_not_fit = message.find("no match for 'operator") != message.npos ||
                            message.find("invalid operands to binary expression") != message.npos ||
                            message.find("cannot convert") != message.npos ||
                            message.find("no viable conversion") != message.npos;
  if (!is_of_index || !does_not_fit) return std::nullopt;
  std::size_t first = line.npos;
  std::string_view found;
  for (const std::string_view name : {"threadIdx", "blockIdx", "blockDim", "gridDim"}) {
    const std::size_t at = find_name(line, name);
    if (at >= first) continue;
    const std::size_t behind = line.find_first_not_of(" \t", at + name.size());
    if (behind != line.npos && line[behind] == '.') continue;
    first = at;
    found = name;
  }
  if (first != line.npos)
    return fmt::format("{} is no number: it has three, the components x, y and z", found);
  return std::nullopt;
}

}  // namespace judge
