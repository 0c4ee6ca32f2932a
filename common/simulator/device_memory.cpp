// SPDX-License-Identifier: MIT
#include "simulator/device_memory.hpp"

#include <link.h>

#include <map>
#include <new>
#include <utility>

#include "simulator/dynamic_shared.hpp"

namespace simulator {

namespace {

constexpr std::align_val_t alignment{256};

// First byte -> size of every live buffer.
std::map<std::uintptr_t, std::size_t>& buffers() {
  static std::map<std::uintptr_t, std::size_t> live;
  return live;
}

bool contains(std::span<const unsigned char> range, const void* address, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(range.data());
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  return first >= begin && bytes <= range.size() && first - begin <= range.size() - bytes;
}

}  // namespace

DeviceBuffer::DeviceBuffer(std::size_t bytes)
    : data_(static_cast<unsigned char*>(::operator new(bytes > 0 ? bytes : 1, alignment))), size_(bytes) {
  buffers()[reinterpret_cast<std::uintptr_t>(data_)] = size_;
}

DeviceBuffer::~DeviceBuffer() {
  if (!data_) return;
  buffers().erase(reinterpret_cast<std::uintptr_t>(data_));
  ::operator delete(data_, alignment);
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

bool is_device_memory(const void* address, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  auto after = buffers().upper_bound(first);
  if (after == buffers().begin()) return false;
  const auto& [begin, size] = *--after;
  return bytes <= size && first - begin <= size - bytes;
}

bool is_shared_memory(const void* address, std::size_t bytes) { return contains(shared_memory(), address, bytes); }

std::span<unsigned char> shared_memory() {
  static const std::span<unsigned char> range = [] {
    std::span<unsigned char> found;
    // The first object that is visited is the main executable.
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* result) {
          for (int i = 0; i < info->dlpi_phnum; ++i) {
            if (info->dlpi_phdr[i].p_type == PT_TLS && info->dlpi_tls_data) {
              *static_cast<std::span<unsigned char>*>(result) = {static_cast<unsigned char*>(info->dlpi_tls_data),
                                                                 info->dlpi_phdr[i].p_memsz};
            }
          }
          return 1;
        },
        &found);
    return found;
  }();
  return range;
}

std::span<unsigned char> dynamic_shared_memory() {
  unsigned char* begin = dynamic_shared_begin();
  return begin ? std::span<unsigned char>{begin, dynamic_shared_capacity} : std::span<unsigned char>{};
}

}  // namespace simulator
