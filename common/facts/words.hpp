// SPDX-License-Identifier: MIT
// Numbers and names as messages write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace facts {

// "1,048,579"
inline std::string separated(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

// "1 byte", "1,000 bytes". `plural` ends in an s.
inline std::string counted(std::uint64_t number, std::string_view plural) {
  const bool one = number == 1;
  return separated(number) + " " + std::string(plural.substr(0, plural.size() - (one ? 1 : 0)));
}

// "an NVIDIA H200", "a Tesla T4": names of GPUs.
inline std::string with_article(std::string_view gpu) {
  return std::string(gpu.starts_with("NVIDIA") ? "an " : "a ").append(gpu);
}

}  // namespace facts
