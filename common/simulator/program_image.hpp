// SPDX-License-Identifier: MIT
// What the running program knows of itself: where it lies in memory, its functions, and its `__shared__`
// arrays.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace simulator {

// An array in the block's shared memory.
struct SharedArray {
  std::string name;  // "counts"
  std::uintptr_t begin;
  std::size_t bytes;
  std::string function_prefix;  // of the linker name: which function declares it; empty: none
  bool has_function = false;  // that function stands in the program; otherwise it has been inlined everywhere
  bool is_dynamic = false;    // `extern`: the launch says how large it is
};

class ProgramImage {
 public:
  static const ProgramImage& instance();

  // What is to be taken off an address of the running program to get the one in its file.
  std::uintptr_t load_address() const { return load_address_; }

  // An address of the running program as reports give it: the one in its file.
  std::uintptr_t place_of(std::uintptr_t address) const { return address - load_address_; }

  // Whether [address, address + bytes) lies in the program's own segments: its constants and variables.
  bool contains(std::uintptr_t address, std::size_t bytes) const;

  // All of the main executable's thread-local storage, for the thread that asked first.
  std::span<unsigned char> shared_memory() const { return shared_memory_; }

  // Static arrays, in ascending order; the dynamic arrays, all at the same place, come last.
  const std::vector<SharedArray>& shared_arrays() const { return shared_arrays_; }

  struct Function {
    std::string linker_name;
    std::string name() const;  // "histogram_kernel"
  };
  // The function that holds an address; null if it is none of the program's.
  const Function* function_at(std::uintptr_t address) const;

 private:
  ProgramImage();
  struct Segment {
    std::uintptr_t begin, end;
  };
  struct FunctionRange {
    std::uintptr_t begin, end;
    Function function;
  };
  std::uintptr_t load_address_ = 0;
  std::vector<Segment> segments_;
  std::span<unsigned char> shared_memory_;
  std::vector<SharedArray> shared_arrays_;
  std::vector<FunctionRange> functions_;
};

}  // namespace simulator
