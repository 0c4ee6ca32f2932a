// SPDX-License-Identifier: MIT
// lab-dynamic-shared OBJECT OUTPUT: writes the C++ source that defines the dynamic shared arrays which the compiled
// kernel in OBJECT (ELF, 64 bits) declares: its undefined symbols of thread-local type. On a GPU all of them begin
// at the same address, so the second and later ones are aliases of the first.
#include <elf.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/dynamic_shared.hpp"

namespace {

// A view into the file, or null where the file is too short for it.
template <class T>
const T* at(const std::vector<char>& file, std::size_t offset, std::size_t count = 1) {
  if (offset > file.size() || count > (file.size() - offset) / sizeof(T)) return nullptr;
  return reinterpret_cast<const T*>(file.data() + offset);
}

std::set<std::string> undefined_thread_locals(const std::vector<char>& file) {
  std::set<std::string> names;
  const auto* header = at<Elf64_Ehdr>(file, 0);
  const auto* sections = header ? at<Elf64_Shdr>(file, header->e_shoff, header->e_shnum) : nullptr;
  if (!sections) return names;
  for (int i = 0; i < header->e_shnum; ++i) {
    const Elf64_Shdr& table = sections[i];
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= header->e_shnum) continue;
    const std::size_t count = table.sh_size / sizeof(Elf64_Sym);
    const auto* symbols = at<Elf64_Sym>(file, table.sh_offset, count);
    const Elf64_Shdr& strings = sections[table.sh_link];
    const auto* text = at<char>(file, strings.sh_offset, strings.sh_size);
    if (!symbols || !text) continue;
    for (std::size_t s = 0; s < count; ++s) {
      if (symbols[s].st_shndx != SHN_UNDEF || ELF64_ST_TYPE(symbols[s].st_info) != STT_TLS) continue;
      if (symbols[s].st_name < strings.sh_size) names.insert(text + symbols[s].st_name);
    }
  }
  return names;
}

bool is_elf64(const std::vector<char>& file) {
  const auto* header = at<Elf64_Ehdr>(file, 0);
  return header && std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == ELFCLASS64;
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 3) {
    std::fprintf(stderr, "usage: lab-dynamic-shared OBJECT OUTPUT\n");
    return 2;
  }
  std::ifstream input(arguments[1], std::ios::binary);
  const std::vector<char> file{std::istreambuf_iterator<char>(input), {}};
  if (!is_elf64(file)) {
    std::fprintf(stderr, "lab-dynamic-shared: %s is not a 64-bit ELF object\n", arguments[1]);
    return 2;
  }
  std::ofstream output(arguments[2]);
  output << "// Made by lab-dynamic-shared.\n";
  std::string first;
  for (const std::string& name : undefined_thread_locals(file)) {
    if (first.empty()) {
      first = name;
      output << "extern \"C\" { alignas(128) thread_local unsigned char shared_0[" << simulator::dynamic_shared_capacity
             << "] __asm__(\"" << name << "\"); }\n";
    } else {
      output << "__asm__(\".globl " << name << "\\n.set " << name << ", " << first << "\");\n";
    }
  }
  output << "namespace simulator {\nunsigned char* dynamic_shared_begin();\n"
         << "unsigned char* dynamic_shared_begin() { return " << (first.empty() ? "nullptr" : "shared_0") << "; }\n}\n";
  output.flush();
  return output ? 0 : 1;
}
