// SPDX-License-Identifier: MIT
// Prints the chosen version's launch with the contents of its arrays, in the form that oclgrind-kernel reads.
// Nothing is launched.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "one_version.hpp"

// The name of a type in OpenCL C, and of a vector's components: those are written one by one.
template <class T>
struct ComponentOf {
  using type = T;
};
template <>
struct ComponentOf<uint2> {
  using type = unsigned;
};
template <>
struct ComponentOf<uint4> {
  using type = unsigned;
};
template <>
struct ComponentOf<uchar4> {
  using type = unsigned char;
};
template <>
struct ComponentOf<bool> {
  using type = unsigned;
};  // no argument of a kernel can be a bool

inline std::string type_name(unsigned) { return "uint"; }
inline std::string type_name(int) { return "int"; }
inline std::string type_name(float) { return "float"; }
inline std::string type_name(unsigned char) { return "uchar"; }
inline std::string type_name(signed char) { return "char"; }

template <class T>
std::string argument_text(const T* values, std::size_t count) {
  std::vector<std::conditional_t<sizeof(T) == 1, int, T>> numbers(values, values + count);
  return fmt::format("<size={} {}>\n{}\n", count * sizeof(T), type_name(T{}), fmt::join(numbers, " "));
}

// The arrays that there are, as arguments, by their addresses.
inline std::map<const void*, std::string>& array_texts() {
  static std::map<const void*, std::string> texts;
  return texts;
}

template <class T>
class Array {
 public:
  enum class Contents { given, none };

  Array(const std::string&, const std::vector<T>& values, Contents contents = Contents::given)
      : values_(values) {
    using Component = typename ComponentOf<T>::type;
    std::string& text = array_texts()[data()];
    if constexpr (std::is_pointer_v<T>) {
      text = "# a pointer in memory has no meaning here\n";
    } else if (contents == Contents::none) {
      text = fmt::format("<size={} noinit>\n", values.size() * sizeof(T));
    } else {
      text = argument_text(reinterpret_cast<const Component*>(data()),
                           values.size() * sizeof(T) / sizeof(Component));
    }
  }
  Array(const std::string& name, std::size_t count, T value = {})
      : Array(name, std::vector<T>(count, value)) {}
  ~Array() { array_texts().erase(data()); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  T* data() const { return const_cast<T*>(values_.data()); }
  std::vector<T> values() const { return values_; }

 private:
  std::vector<T> values_;
};

template <class T>
std::string argument_text(T* pointer) {
  if (!pointer) return "<null>\n";
  const auto known = array_texts().find(pointer);
  return known == array_texts().end() ? "# a pointer to the host's memory has no meaning here\n"
                                      : known->second;
}
inline std::string argument_text(unsigned value) { return argument_text(&value, 1); }

template <class... Parameters>
Launched launch_kernel(const simulator::LaunchConfiguration& configuration, void (*)(Parameters...),
                       std::type_identity_t<Parameters>... arguments) {
  const dim3 &grid = configuration.grid, &block = configuration.block;
  fmt::print("{} {} {}\n{} {} {}\n\n", grid.x * block.x, grid.y * block.y, grid.z * block.z, block.x, block.y,
             block.z);
  (fmt::print("{}\n", argument_text(arguments)), ...);
  if (configuration.dynamic_shared_bytes > 0) fmt::print("<size={}>\n", configuration.dynamic_shared_bytes);
  return {};
}
