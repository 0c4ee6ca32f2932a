// SPDX-License-Identifier: MIT
// Reads JSON that a stranger has written: what is not as it should be is a ProtocolError.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "runner/protocol.hpp"

namespace runner {

// get<T>() alone would make some number of one that is negative, has a fraction or is too large.
template <std::unsigned_integral T>
T number(const nlohmann::json& json) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > std::numeric_limits<T>::max()) {
    throw ProtocolError("a count is not a number, negative or too large");
  }
  return json.get<T>();
}

// The same for a number that may be negative.
inline std::int64_t signed_number(const nlohmann::json& json) {
  if (!json.is_number_integer()) throw ProtocolError("a distance is not a whole number");
  if (json.is_number_unsigned() &&
      json.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
    throw ProtocolError("a distance is too large");
  }
  return json.get<std::int64_t>();
}

// Anything else can be iterated over too.
inline const nlohmann::json& list(const nlohmann::json& json) {
  if (!json.is_array()) throw ProtocolError("a list is no list");
  return json;
}

template <class T>
std::vector<T> numbers(const nlohmann::json& json) {
  std::vector<T> result;
  for (const nlohmann::json& element : list(json)) result.push_back(number<T>(element));
  return result;
}

template <class T>
std::optional<T> optional_number(const nlohmann::json& json, const char* key) {
  return json.contains(key) ? std::optional<T>(number<T>(json.at(key))) : std::nullopt;
}

}  // namespace runner
