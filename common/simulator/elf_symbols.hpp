// SPDX-License-Identifier: MIT
// The symbol table of a program or an object file (ELF, 64 bits).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace simulator {

struct ElfSymbol {
  enum class Type { function, thread_local_object, other };
  std::string name;  // as the linker knows it
  Type type;
  bool defined;
  std::uint64_t
      value;  // of a function: its offset from the load address; of a thread-local object: from the segment
  std::uint64_t size;
};

// Empty for a file that cannot be read, is no such file or has been stripped.
std::vector<ElfSymbol> elf_symbols(const std::string& path);

// "counts" for "void histogram_kernel<Bytes>(...)::counts", "histogram_kernel" for the function itself.
std::string short_name(const std::string& linker_name);

}  // namespace simulator
