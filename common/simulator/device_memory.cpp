// SPDX-License-Identifier: MIT
#include "simulator/device_memory.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "simulator/memory_map.hpp"

namespace simulator {

namespace {

constexpr std::align_val_t alignment{256};

}  // namespace

DeviceBuffer::DeviceBuffer(std::size_t bytes, Description description)
    : allocation_(static_cast<unsigned char*>(
          ::operator new(bytes + description.misalignment + 2 * array_gap_bytes, alignment))),
      data_(allocation_ + array_gap_bytes + description.misalignment),
      size_(bytes) {
  DeviceArrays::instance().add({std::move(description.name), reinterpret_cast<std::uintptr_t>(data_), size_,
                                description.element_bytes, Space::global, description.initialised});
}

DeviceBuffer::~DeviceBuffer() {
  if (!allocation_) return;
  DeviceArrays::instance().remove(reinterpret_cast<std::uintptr_t>(data_));
  ::operator delete(allocation_, alignment);
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : allocation_(std::exchange(other.allocation_, nullptr)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  std::swap(allocation_, other.allocation_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

bool is_device_memory(const void* address, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  const std::span<const NamedArray> all = DeviceArrays::instance().all();
  return std::any_of(all.begin(), all.end(),
                     [&](const NamedArray& array) { return array.contains(first, bytes); });
}

}  // namespace simulator
