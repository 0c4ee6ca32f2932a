// SPDX-License-Identifier: MIT
// Global memory, the addresses that a kernel may touch, and the names of what lies there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulator/observer.hpp"
#include "simulator/program_image.hpp"

namespace simulator {

// An array by its name, with the index of an element: "counts[3]".
struct NamedArray {
  std::string name;
  std::uintptr_t begin;
  std::size_t bytes;
  std::size_t element_bytes;  // 0: that of the access
  Space space;
  bool initialised = true;    // shared memory never is
  bool constant = false;      // nobody may write it, and no counter counts its loads
  bool read_only = false;     // nobody may write it
  std::size_t gap_bytes = 0;  // of global memory: of what lies on either side of it and belongs to no array

  bool contains(std::uintptr_t address, std::size_t size) const {
    return address >= begin && size <= bytes && address - begin <= bytes - size;
  }
};

// On either side of an array of global memory lies that much memory that belongs to no array.
constexpr std::size_t array_gap_bytes = 4096;
// Where a function of the host uses the array. What lies further away may be memory of its own, which is not
// known, so a wild index must not lead there; pages that nobody touches cost nothing.
constexpr std::size_t array_gap_bytes_on_host = std::size_t{64} << 20;

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
    bool read_only = false;   // the kernel must not write it
    std::size_t gap_bytes = array_gap_bytes;
    bool has_holes = false;  // it is 0 everywhere, and takes memory only where it is written
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
  std::size_t mapped_ = 0;  // of one with holes
};

// Whether [address, address + bytes) lies within one device buffer.
bool is_device_memory(const void* address, std::size_t bytes);

// The buffers that are alive, and the last ones that were freed.
class DeviceArrays {
 public:
  static DeviceArrays& instance();
  void add(NamedArray array);
  void remove(std::uintptr_t begin);
  std::span<const NamedArray> all() const { return arrays_; }

  // The array that lay there last, if it has been freed lately; null: there is none.
  const NamedArray* find_freed(std::uintptr_t address) const;

 private:
  std::vector<NamedArray> arrays_, freed_;
};

// The memory of one launch.
class MemoryMap {
 public:
  explicit MemoryMap(std::size_t dynamic_shared_bytes);

  // The array that holds all of [address, address + bytes), or null. A shared array counts once a function
  // that declares it has been entered.
  const NamedArray* find(std::uintptr_t address, std::size_t bytes) const;

  // The program's variable that holds all of [address, address + bytes), or null.
  static const NamedArray* find_variable(std::uintptr_t address, std::size_t bytes);

  // The array that an access outside of all arrays was probably meant for: the nearest one within `reach`, or
  // the one in whose gap it lies.
  const NamedArray* nearest(std::uintptr_t address, std::uintptr_t reach) const;

  // An element that the address would be with an unsigned index of 32 bits that went below 0, such as
  // counts[4294967295].
  struct WrappedIndex {
    const NamedArray* array;
    std::uint32_t index;
    std::size_t elements;  // of the array
  };
  std::optional<WrappedIndex> wrapped_index(std::uintptr_t address, std::size_t size) const;

  // A shared array that an access may be meant for although no function that declares it has been entered:
  // one whose function has been inlined everywhere, or that stands outside of functions. Null: there is none.
  const NamedArray* find_inlined(std::uintptr_t address, std::size_t bytes);

  // Told once for each function that the kernel enters.
  void entered(const ProgramImage::Function& function);

  // Arrays of shared memory that this launch has come to use.
  std::span<const NamedArray> shared_arrays() const { return shared_; }
  // Of a block, on a GPU, without the dynamic ones.
  std::size_t static_shared_bytes() const { return static_shared_bytes_; }

 private:
  void use(const SharedArray& array);

  std::vector<NamedArray> shared_;
  std::size_t static_shared_bytes_ = 0;
};

// "counts[3]" for an access of `size` bytes at an address in or near the array.
std::string element_name(const NamedArray& array, std::uintptr_t address, std::size_t size);

// The same for an address within any array of the device or of the program's functions.
std::string name_of_element(std::uintptr_t address, std::size_t size);

}  // namespace simulator
