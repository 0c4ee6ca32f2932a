// SPDX-License-Identifier: MIT
// Runs both versions of a kernel: the one with the defect must be reported in these words, at the lines that its source
// marks; of the other one nothing must be said.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "../simulator/launching.hpp"
#include "kernels.hpp"

// What a race lacks, as simulator::Hazard says it.
struct Race {
  bool across_blocks = false, within_warp = false, read_modify_write = false;
};
constexpr Race lacks_barrier{}, lacks_warp_sync{.within_warp = true};

struct Expected {
  simulator::HazardKind kind;
  std::string what;  // of the first hazard; addresses as 0x...
  Race race = {};
};

inline Expected race(const Race& lacks, std::string what) { return {simulator::HazardKind::race, std::move(what), lacks}; }
inline Expected out_of_bounds(std::string what) { return {simulator::HazardKind::out_of_bounds, std::move(what)}; }
inline Expected uninitialised(std::string what) { return {simulator::HazardKind::uninitialised, std::move(what)}; }
inline Expected divergent_barrier(std::string what) { return {simulator::HazardKind::divergent_barrier, std::move(what)}; }

void check_reported(const std::string& kernel, const Expected& expected, const simulator::LaunchResult& result);
void check_silent(const std::string& kernel, const simulator::LaunchResult& result);

// `version`: []<bool defect>() { ... return launch(...); }
template <class Version>
void check_both(const std::string& kernel, const Expected& expected, const Version& version) {
  check_reported(kernel, expected, version.template operator()<true>());
  check_silent(kernel, version.template operator()<false>());
}

// Elements in global memory, with the kernel's name for them.
template <class T>
class Array {
 public:
  enum class Contents { given, none };

  Array(std::string name, const std::vector<T>& values, Contents contents = Contents::given)
      : buffer_(values.size() * sizeof(T), {.name = std::move(name), .element_bytes = sizeof(T), .misalignment = 0,
                                            .initialised = contents == Contents::given}),
        count_(values.size()) {
    std::copy(values.begin(), values.end(), data());
  }
  Array(std::string name, std::size_t count, T value = {}) : Array(std::move(name), std::vector<T>(count, value)) {}

  T* data() const { return reinterpret_cast<T*>(buffer_.bytes().data()); }
  std::vector<T> values() const { return {data(), data() + count_}; }

 private:
  simulator::DeviceBuffer buffer_;
  std::size_t count_;
};

// count elements: 0, 1, ...
template <class T = unsigned>
std::vector<T> counted(std::size_t count) {
  return filled(count, [](unsigned i) { return static_cast<T>(i); });
}
