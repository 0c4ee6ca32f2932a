// SPDX-License-Identifier: MIT
// What a compiled object or a program says of itself in its ELF tables: symbols, sections, relocations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace os {

struct ElfSymbol {
  enum class Type { function, object, thread_local_object, indirect_function, section, other };
  std::string name;  // as the linker knows it; of a section its name
  Type type;
  bool defined;
  // In an object an offset in the section. In a program, of a thread-local object its offset from the
  // segment, else from the load address.
  std::uint64_t value;
  std::uint64_t size;
  std::uint32_t section = 0;  // its number, if the symbol is defined in one
  bool is_local = false;      // other objects do not see it
  bool is_protected = false;  // they see it, and cannot put their own in its place
};

// All symbols with a name. Empty for a file that cannot be read, is no such file or has been stripped.
std::vector<ElfSymbol> elf_symbols(const std::string& path);

struct ElfSection {
  std::string name;
  bool is_code;
  bool is_loaded;  // into a program's memory, unlike debug information
};

// A place in a section that holds the address of a symbol, or a call of it.
struct ElfRelocation {
  std::uint32_t section;
  std::uint64_t offset;
  std::uint32_t symbol;  // an index
  std::int64_t addend;
  bool is_call;
};

struct ElfObject {
  std::vector<ElfSection> sections;
  std::vector<ElfSymbol> symbols;  // with those that have no name, so that indices fit
  std::vector<ElfRelocation> relocations;
};

// The tables of an object file; all empty for a file that cannot be read or is none.
ElfObject elf_object(const std::string& path);

// The bytes of the section with that name; empty if there is none or the file cannot be read.
std::vector<unsigned char> elf_section(const std::string& path, const std::string& name);

// The names of a program's sections, by number. Empty for a file that cannot be read or is none.
std::vector<std::string> elf_section_names(const std::string& path);

}  // namespace os
