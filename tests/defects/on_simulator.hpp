// SPDX-License-Identifier: MIT
// Runs both versions of a kernel on the simulator, and compares what is reported with what is expected.
#pragma once

#include "checking.hpp"

void check_reported(const std::string& kernel, const Expected& expected,
                    const simulator::LaunchResult& result);
void check_silent(const std::string& kernel, const simulator::LaunchResult& result);

// For a launch that does not reach the defect.
template <class Version>
void check_unreached(const std::string& kernel, const Version& version) {
  check_silent(kernel, version.template operator()<true>());
}

// How often the defect shows at each of its places.
template <class Version>
void check_occurrences(const std::string& kernel, const std::vector<std::uint64_t>& expected,
                       const Version& version) {
  CAPTURE(kernel);
  std::vector<std::uint64_t> occurrences;
  for (const simulator::Hazard& hazard : version.template operator()<true>().hazards)
    occurrences.push_back(hazard.occurrences);
  CHECK(occurrences == expected);
}

// `version`: []<bool defect>() { ... return launch_kernel(...); }
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
      : buffer_(values.size() * sizeof(T), {.name = std::move(name),
                                            .element_bytes = sizeof(T),
                                            .misalignment = 0,
                                            .initialised = contents == Contents::given}),
        count_(values.size()) {
    std::copy(values.begin(), values.end(), data());
  }
  Array(std::string name, std::size_t count, T value = {})
      : Array(std::move(name), std::vector<T>(count, value)) {}

  T* data() const { return reinterpret_cast<T*>(buffer_.bytes().data()); }
  std::vector<T> values() const { return {data(), data() + count_}; }

 private:
  simulator::DeviceBuffer buffer_;
  std::size_t count_;
};

template <class... Parameters>
simulator::LaunchResult launch_kernel(const simulator::LaunchConfiguration& configuration,
                                      void (*kernel)(Parameters...),
                                      std::type_identity_t<Parameters>... arguments) {
  return launch(configuration, [=] { kernel(arguments...); });
}
