// SPDX-License-Identifier: MIT
// What the running program finds in its symbol table about itself: where it lies in memory, its functions
// and its `__shared__` arrays.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "simulator/guards.hpp"

namespace simulator {

// "counts" for "void histogram_kernel<Bytes>(...)::counts", "histogram_kernel" for the function itself.
std::string short_name(const std::string& linker_name);

// `extern __shared__ T name[];` declares an array that nobody defines: on a GPU the launch says how large it
// is. In a simulated program the linker needs a definition, so lab-dynamic-shared reads the compiled kernel,
// finds the names that are missing and writes a source file that defines them, dynamic_shared_begin() and
// unit_variables.

// The most dynamic shared memory that a block of the model device may have: 227 KiB, as on compute
// capability 9.0.
constexpr std::size_t dynamic_shared_capacity = std::size_t{227} * 1024;

// Every shared array begins at a multiple of this, as `__shared__` in simulator/cuda/qualifiers.hpp says:
// bank 0, and a distance from the next array in which an access beyond the end is seen.
constexpr std::size_t shared_alignment = 4096;

// Where the program's dynamic shared arrays begin, or null where it has none. Written by lab-dynamic-shared.
unsigned char* dynamic_shared_begin();

// The linker's names of the variables that the compiled kernel's file defines, null behind the last. Written
// by lab-dynamic-shared.
extern const char* const unit_variables[];

// The names of sections with `__constant__` variables begin so (simulator/cuda/qualifiers.hpp). Those of a
// template lie elsewhere, for g++ leaves the section out; but they are protected symbols.
constexpr const char* constant_section = "simulator_constant";

// An array in the block's shared memory.
struct SharedArray {
  std::string name;  // "counts"
  std::uintptr_t begin;
  std::size_t bytes;
  std::string function_prefix;  // of the linker name: which function declares it; empty: none
  bool has_function = false;  // that function stands in the program; otherwise it has been inlined everywhere
  bool is_dynamic = false;    // `extern`: the launch says how large it is
  std::uintptr_t begin_on_device = 0;  // counted from any place, but the same for all arrays of a function

  // What it takes on a GPU, where it begins at a whole word.
  std::size_t bytes_on_device() const { return (bytes + 3) / 4 * 4; }
};

// A variable of the kernel's file: `__device__`, `__managed__`, `__constant__`, a static one of a function, a
// table.
struct ProgramVariable {
  std::string name;
  std::uintptr_t begin;
  std::size_t bytes;
  bool is_constant;  // `__constant__`
};

class ProgramImage {
 public:
  static const ProgramImage& instance();

  // An address of the running program minus this is the address in its file.
  std::uintptr_t load_address() const { return load_address_; }

  // An address of the running program as reports give it: the one in its file.
  std::uintptr_t place_of(std::uintptr_t address) const { return address - load_address_; }

  // Whether [address, address + bytes) lies in the program's own segments: its constants and variables.
  bool contains(std::uintptr_t address, std::size_t bytes) const;

  // Whether the program itself may not write there: literals, tables of constants.
  bool is_read_only(std::uintptr_t address) const;

  // Most of that: from its beginning to its first variable.
  Range fixed() const;

  // In ascending order.
  const std::vector<ProgramVariable>& variables() const { return variables_; }
  // Also those that tell whether a variable of a function has been initialised.
  const std::vector<ProgramVariable>& host_variables() const { return host_variables_; }

  // All of the main executable's thread-local storage, for the thread that asked first.
  std::span<unsigned char> shared_memory() const { return shared_memory_; }

  // Static arrays, in ascending order; the dynamic arrays, all at the same place, come last.
  const std::vector<SharedArray>& shared_arrays() const { return shared_arrays_; }
  // The array that lies there; the first of the dynamic ones for all of them. Null: there is none.
  const SharedArray* shared_array_at(std::uintptr_t address) const;
  // An address in shared memory, as far from those in the same function's other arrays as it is on a GPU.
  std::uintptr_t place_on_device(std::uintptr_t address) const;

  struct Function {
    std::string linker_name;
    std::string name() const;  // "histogram_kernel"
    bool declares(const SharedArray& array) const;
  };
  // The function that holds an address; null if it is none of the program's.
  const Function* function_at(std::uintptr_t address) const;

  // Of the `__shared__` arrays that the function declares, but for dynamic ones, as close together as on a
  // GPU.
  std::size_t static_shared_bytes(const Function& function) const;

 private:
  ProgramImage();
  struct Segment {
    std::uintptr_t begin, end;
    bool writable;
  };
  void read_symbols();
  struct FunctionRange {
    std::uintptr_t begin, end;
    Function function;
  };
  std::uintptr_t load_address_ = 0;
  std::vector<Segment> segments_;
  Segment relocated_{};  // read-only once the program has started
  std::vector<ProgramVariable> variables_, host_variables_;
  std::span<unsigned char> shared_memory_;
  std::vector<SharedArray> shared_arrays_;
  std::vector<FunctionRange> functions_;
};

}  // namespace simulator
