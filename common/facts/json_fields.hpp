// SPDX-License-Identifier: MIT
// Structs as JSON, with their fields listed once for both directions:
//
//   template <class Archive>
//   void fields(Archive& archive, Hello& hello) {     // in the namespace of Hello
//     archive("lab", hello.lab);                      // has to be there
//     archive.optional("device", hello.device);       // left out where it is empty, 0 or false
//   }
//
// A struct is a JSON object of its fields, or, where as_list<T> says so, a list of them in their order. The
// reader trusts nobody: whatever is missing, of another type or beyond its range is a FieldError.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "facts/counters.hpp"

namespace facts {

struct FieldError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class T>
inline constexpr bool as_list = false;

namespace json_detail {

template <class T>
struct Kind : std::type_identity<struct Struct> {};
template <class T>
struct Kind<std::optional<T>> : std::type_identity<struct Optional> {};
template <class T>
struct Kind<std::vector<T>> : std::type_identity<struct List> {};
template <>
struct Kind<std::vector<unsigned char>> : std::type_identity<struct Bytes> {};
template <class T>
struct Kind<std::map<std::string, T>> : std::type_identity<struct Object> {};
template <class T>
struct Kind<std::map<std::uint64_t, T>> : std::type_identity<struct Pairs> {};

template <class T, class K>
inline constexpr bool is = std::same_as<typename Kind<T>::type, K>;

template <class T>
inline constexpr bool is_plain =
    std::is_arithmetic_v<T> || std::same_as<T, std::string> || std::same_as<T, Counters>;

// Bytes as text: shorter than JSON's list of numbers.
constexpr std::string_view hexadecimal_digits = "0123456789abcdef";

inline std::string in_hexadecimal(const std::vector<unsigned char>& bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const unsigned char byte : bytes)
    text.append({hexadecimal_digits[byte >> 4], hexadecimal_digits[byte & 15]});
  return text;
}

inline std::vector<unsigned char> from_hexadecimal(std::string_view text) {
  if (text.size() % 2 != 0) throw FieldError("expected two digits for each byte");
  std::vector<unsigned char> bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const std::size_t high = hexadecimal_digits.find(text[i]), low = hexadecimal_digits.find(text[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos)
      throw FieldError("expected bytes in hexadecimal");
    bytes.push_back(static_cast<unsigned char>(high << 4 | low));
  }
  return bytes;
}

}  // namespace json_detail

template <class Json, class T>
Json written(const T& value);
template <class Json, class T>
void read(const Json& json, T& value);

template <class Json>
class FieldWriter {
 public:
  explicit FieldWriter(bool list) : json_(list ? Json::array() : Json::object()) {}

  template <class T>
  void operator()(const char* name, const T& value) {
    put(name, written<Json>(value));
  }
  template <class T>
  void optional(const char* name, const T& value) {
    if constexpr (requires { value.empty(); }) {
      if (!value.empty()) (*this)(name, value);
    } else {
      if (value) (*this)(name, value);
    }
  }
  // null where it is empty.
  template <class T>
  void nullable(const char* name, const T& value) {
    put(name, value.empty() ? Json() : written<Json>(value));
  }
  // An enumerator by its name.
  template <class Enum, class ToName, class FromName>
  void named(const char* name, const Enum& value, ToName to_name, FromName, const char*) {
    put(name, std::string(to_name(value)));
  }
  // Of a list: what comes behind its last field.
  template <class T>
  void rest(const std::vector<T>& values) {
    for (const T& value : values) json_.push_back(written<Json>(value));
  }

  Json take() { return std::move(json_); }

 private:
  void put(const char* name, Json value) {
    if (json_.is_array()) {
      json_.push_back(std::move(value));
    } else {
      json_[name] = std::move(value);
    }
  }

  Json json_;
};

template <class Json>
class FieldReader {
 public:
  FieldReader(const Json& json, bool list) : json_(json) {
    if (list ? !json.is_array() : !json.is_object())
      throw FieldError(list ? "expected a JSON array" : "expected a JSON object");
  }

  template <class T>
  void operator()(const char* name, T& value) {
    read(at(name), value);
  }
  template <class T>
  void optional(const char* name, T& value) {
    if (!json_.contains(name)) return;
    if constexpr (json_detail::is<T, struct json_detail::Optional>) {
      read(json_.at(name), value.emplace());
    } else {
      read(json_.at(name), value);
    }
  }
  template <class T>
  void nullable(const char* name, T& value) {
    if (const Json& json = at(name); !json.is_null()) read(json, value);
  }
  template <class Enum, class ToName, class FromName>
  void named(const char* name, Enum& value, ToName, FromName from_name, const char* what) {
    std::string text;
    read(at(name), text);
    const std::optional<Enum> known = from_name(text);
    if (!known) throw FieldError(std::string("unknown ") + what + ": " + text);
    value = *known;
  }
  template <class T>
  void rest(std::vector<T>& values) {
    for (; next_ < json_.size(); ++next_) read(json_[next_], values.emplace_back());
  }

 private:
  const Json& at(const char* name) {
    if (json_.is_array() ? next_ < json_.size() : json_.contains(name))
      return json_.is_array() ? json_[next_++] : json_.at(name);
    throw FieldError(std::string("\"") + name + "\" is missing");
  }

  const Json& json_;
  std::size_t next_ = 0;  // of a list
};

template <class Json, class T>
Json written(const T& value) {
  using namespace json_detail;
  if constexpr (is_plain<T>) {
    return Json(value);
  } else if constexpr (is<T, Bytes>) {
    return Json(in_hexadecimal(value));
  } else if constexpr (is<T, Optional>) {
    return value ? written<Json>(*value) : Json();
  } else if constexpr (is<T, List>) {
    Json json = Json::array();
    for (const auto& element : value) json.push_back(written<Json>(element));
    return json;
  } else if constexpr (is<T, Object>) {
    Json json = Json::object();
    for (const auto& [name, element] : value) json[name] = written<Json>(element);
    return json;
  } else if constexpr (is<T, Pairs>) {
    Json json = Json::array();
    for (const auto& [number, element] : value) json.push_back(Json::array({number, written<Json>(element)}));
    return json;
  } else {
    FieldWriter<Json> writer(as_list<T>);
    fields(writer, const_cast<T&>(value));  // which a writer does not change
    return writer.take();
  }
}

// Number by number what get<T>() would make some number of: one that is negative, has a fraction or is too
// large.
template <class Json, std::unsigned_integral T>
void read_number(const Json& json, T& value) {
  const bool negative =
      json.is_number_integer() && !json.is_number_unsigned() && json.template get<std::int64_t>() < 0;
  if (!json.is_number_integer() || negative ||
      json.template get<std::uint64_t>() > std::numeric_limits<T>::max())
    throw FieldError("a count is not a number, negative or too large");
  value = json.template get<T>();
}

template <class Json>
void read_number(const Json& json, std::int64_t& value) {
  if (!json.is_number_integer()) throw FieldError("a distance is not a whole number");
  if (json.is_number_unsigned() &&
      json.template get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
    throw FieldError("a distance is too large");
  value = json.template get<std::int64_t>();
}

template <class Json>
void read_number(const Json& json, double& value) {
  if (!json.is_number()) throw FieldError("expected a JSON number");
  value = json.template get<double>();
}

template <class Json>
void read_number(const Json& json, bool& value) {
  if (!json.is_boolean()) throw FieldError("expected true or false");
  value = json.template get<bool>();
}

template <class Json>
const Json& list(const Json& json) {
  if (!json.is_array()) throw FieldError("expected a JSON array");
  return json;
}

template <class Json>
const typename Json::object_t& object(const Json& json) {
  if (!json.is_object()) throw FieldError("expected a JSON object");
  return json.template get_ref<const typename Json::object_t&>();
}

template <class Json, class T>
void read(const Json& json, T& value) {
  using namespace json_detail;
  if constexpr (std::is_arithmetic_v<T>) {
    read_number(json, value);
  } else if constexpr (std::same_as<T, std::string>) {
    if (!json.is_string()) throw FieldError("expected a JSON string");
    value = json.template get<std::string>();
  } else if constexpr (std::same_as<T, Counters>) {
    for (const auto& [name, count] : object(json)) {
      std::uint64_t number = 0;
      read_number(count, number);
      if (const auto counter = find_counter(name)) value[*counter] = number;
    }
  } else if constexpr (is<T, Bytes>) {
    std::string text;
    read(json, text);
    value = from_hexadecimal(text);
  } else if constexpr (is<T, Optional>) {
    if (!json.is_null()) read(json, value.emplace());
  } else if constexpr (is<T, List>) {
    for (const Json& element : list(json)) read(element, value.emplace_back());
  } else if constexpr (is<T, Object>) {
    for (const auto& [name, element] : object(json)) read(element, value[name]);
  } else if constexpr (is<T, Pairs>) {
    for (const Json& pair : list(json)) {
      if (list(pair).size() != 2) throw FieldError("expected a pair");
      std::uint64_t number = 0;
      read_number(pair[0], number);
      read(pair[1], value[number]);
    }
  } else {
    FieldReader<Json> reader(json, as_list<T>);
    fields(reader, value);
  }
}

}  // namespace facts
