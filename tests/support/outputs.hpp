// SPDX-License-Identifier: MIT
// Outputs that are 32-bit counters, as tests write them down.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "problems/problem.hpp"

using Counters32 = std::vector<std::uint32_t>;

inline problems::Output output_of(const Counters32& counters) {
  problems::Output output(4 * counters.size());
  if (!output.empty()) std::memcpy(output.data(), counters.data(), output.size());
  return output;
}

inline std::vector<Counters32> counters_in(const std::vector<problems::Output>& outputs) {
  std::vector<Counters32> all;
  for (const problems::Output& output : outputs) {
    all.emplace_back(output.size() / 4);
    if (!output.empty()) std::memcpy(all.back().data(), output.data(), 4 * all.back().size());
  }
  return all;
}

// As an answer's document holds an output, quotes and all.
inline std::string document_of(const Counters32& counters) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text = "\"";
  for (const unsigned char byte : output_of(counters)) text.append({digits[byte >> 4], digits[byte & 15]});
  return text + "\"";
}
