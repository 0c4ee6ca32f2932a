// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "problems/input.hpp"
#include "runner/guard.hpp"

namespace runner {

// Memory of the device. All functions throw CudaError.
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t bytes);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  unsigned char* data() const { return data_; }

 private:
  unsigned char* data_ = nullptr;
};

// A buffer between guard zones on the device.
class GuardedMemory {
 public:
  GuardedMemory(GuardedLayout layout, unsigned char guard)
      : layout_(layout), guard_(guard), memory_(layout.total()) {}

  unsigned char* payload() const { return memory_.data() + layout_.begin(); }
  const GuardedLayout& layout() const { return layout_; }

  void poison_guards();
  // The first byte of a guard zone that is not as it was, counted from the payload's beginning.
  std::optional<std::int64_t> overwritten() const;

 private:
  GuardedLayout layout_;
  unsigned char guard_;
  DeviceMemory memory_;
};

// Sends the input piece by piece; what lies between its extents is 0 and need not travel.
void upload(const problems::Input& input, unsigned char* to);

}  // namespace runner
