// SPDX-License-Identifier: MIT
// Memory that belongs to the functions of the host in a compiled unit, such as launch_shape: what they have
// asked for, their variables, and what nobody may write. Whatever else lies in the program is the harness's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace simulator {

class HostMemory {
 public:
  static HostMemory& instance();

  // What code of the unit has asked for and not given back.
  void* allocated(void* memory, std::size_t bytes);
  void freed(void* memory);
  std::size_t held() const { return held_; }  // bytes
  bool begins_block(const void* memory) const {
    return memory == nullptr || blocks_.contains(reinterpret_cast<std::uintptr_t>(memory));
  }

  // Whether all of [address, address + bytes) is of one such block.
  bool has_allocated(std::uintptr_t address, std::size_t bytes) const;

  // Whether all of [address, address + bytes) is the host code's to read, or to write.
  bool may_read(std::uintptr_t address, std::size_t bytes) const;
  bool may_write(std::uintptr_t address, std::size_t bytes) const;

 private:
  std::map<std::uintptr_t, std::size_t> blocks_;  // begin -> bytes
  std::size_t held_ = 0;                          // in these
};

}  // namespace simulator
