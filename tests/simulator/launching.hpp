// SPDX-License-Identifier: MIT
// How the tests launch a kernel, and what they hand to it. The tests themselves are not instrumented.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "simulator/launch.hpp"
#include "simulator/memory_map.hpp"
#include "simulator/program_image.hpp"

// Launches a kernel; `program` is what one thread does: a call of the kernel with its arguments. No checks in
// there: it runs on the small stack of a fiber.
template <class Program>
simulator::LaunchResult launch(const simulator::LaunchConfiguration& configuration, const Program& program) {
  const auto run = [](const void* arguments) { (*static_cast<const Program*>(arguments))(); };
  return simulator::launch(configuration, {run, &program});
}

// The mask of a whole warp.
constexpr unsigned full = 0xffffffff;

// For LaunchConfiguration::checks: kernels that wait for a plain variable are races, and meant to be.
constexpr bool unchecked = false;

// Whether a hazard's site, an offset from the program's load address, lies in a kernel.
template <class Kernel>
bool lies_in(std::uintptr_t site, Kernel* kernel) {
  const std::uintptr_t begin =
      reinterpret_cast<std::uintptr_t>(kernel) - simulator::ProgramImage::instance().load_address();
  return site > begin && site < begin + 1024;
}

// Elements in global memory.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count, T value = T{}) : DeviceArray(std::vector<T>(count, value)) {}
  explicit DeviceArray(const std::vector<T>& values)
      : buffer_(values.size() * sizeof(T)), count_(values.size()) {
    std::copy(values.begin(), values.end(), data());
  }

  T* data() const { return reinterpret_cast<T*>(buffer_.bytes().data()); }
  T& operator[](std::size_t index) const { return data()[index]; }
  std::vector<T> values() const { return {data(), data() + count_}; }

 private:
  simulator::DeviceBuffer buffer_;
  std::size_t count_;
};

// count values: of(0), of(1), ...
template <class Function>
auto filled(std::size_t count, Function of) {
  std::vector<decltype(of(0u))> values;
  for (unsigned i = 0; i < count; ++i) values.push_back(of(i));
  return values;
}

inline bool operator==(const uint3& a, const uint3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// How a failed comparison shows values.
template <class T>
struct doctest::StringMaker<std::vector<T>> {
  static String convert(const std::vector<T>& values) {
    String text;
    for (const T& value : values) text += toString(value) + " ";
    return text;
  }
};
