// SPDX-License-Identifier: MIT
// The simulated device's global memory: what a launch may touch, known by address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace simulator {

// A stretch of global memory, 256-byte aligned as cudaMalloc gives it, freed with the object. Contents start out
// arbitrary. Throws std::bad_alloc where the machine has too little memory.
class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t bytes);
  ~DeviceBuffer();
  DeviceBuffer(DeviceBuffer&& other) noexcept;
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;

  std::span<unsigned char> bytes() const { return {data_, size_}; }

 private:
  unsigned char* data_ = nullptr;
  std::size_t size_ = 0;
};

// Whether [address, address + bytes) lies within one device buffer.
bool is_device_memory(const void* address, std::size_t bytes);

// Whether [address, address + bytes) lies within the memory of this program's `__shared__` variables.
bool is_shared_memory(const void* address, std::size_t bytes);

// The `__shared__` variables of this program: all of the main executable's thread-local storage, for the calling
// thread. Empty where it has none.
std::span<unsigned char> shared_memory();

// The part of it that `extern __shared__` arrays occupy, or an empty span; all such arrays begin at its start.
std::span<unsigned char> dynamic_shared_memory();

}  // namespace simulator
