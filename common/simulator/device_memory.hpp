// SPDX-License-Identifier: MIT
// The simulated device's global memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace simulator {

// A stretch of global memory with a name for reports, freed with the object. It begins `misalignment` bytes
// after an address that is a multiple of 256, as cudaMalloc gives; around it lies memory that belongs to no
// array. Throws std::bad_alloc where the machine has too little memory.
class DeviceBuffer {
 public:
  struct Description {
    std::string name = "memory";
    std::size_t element_bytes = 1;  // what an index counts
    std::size_t misalignment = 0;
    bool initialised = true;  // false: what the kernel has not written must not be read
  };

  DeviceBuffer(std::size_t bytes, Description description);
  explicit DeviceBuffer(std::size_t bytes) : DeviceBuffer(bytes, Description{}) {}
  ~DeviceBuffer();
  DeviceBuffer(DeviceBuffer&& other) noexcept;
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;

  std::span<unsigned char> bytes() const { return {data_, size_}; }

 private:
  unsigned char* allocation_ = nullptr;
  unsigned char* data_ = nullptr;
  std::size_t size_ = 0;
};

// Whether [address, address + bytes) lies within one device buffer.
bool is_device_memory(const void* address, std::size_t bytes);

}  // namespace simulator
