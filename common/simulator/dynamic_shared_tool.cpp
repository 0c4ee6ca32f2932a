// SPDX-License-Identifier: MIT
// lab-dynamic-shared OBJECT... OUTPUT: writes the C++ source that defines the dynamic shared arrays which the
// compiled kernel in OBJECT declares: its undefined symbols of thread-local type. On a GPU all of them begin
// at the same address, so the second and later ones are aliases of the first. It also lists the variables
// that OBJECT defines, which the simulator takes for those of the device.
#include <cstdio>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "os/elf_file.hpp"
#include "simulator/program_image.hpp"

namespace {

// Not what the compiler makes of its own: literals, tables for classes.
bool is_variable(const os::ElfSymbol& symbol) {
  return symbol.defined && symbol.type == os::ElfSymbol::Type::object && symbol.name[0] != '.' &&
         !symbol.name.starts_with("_ZT");
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count < 3) {
    std::fprintf(stderr, "usage: lab-dynamic-shared OBJECT... OUTPUT\n");
    return 2;
  }
  std::vector<os::ElfSymbol> symbols;
  for (int i = 1; i < argument_count - 1; ++i) {
    const std::vector<os::ElfSymbol> of_object = os::elf_symbols(arguments[i]);
    if (of_object.empty()) {
      std::fprintf(stderr, "lab-dynamic-shared: %s is not a 64-bit ELF object with symbols\n", arguments[i]);
      return 2;
    }
    symbols.insert(symbols.end(), of_object.begin(), of_object.end());
  }
  std::set<std::string> names;
  for (const os::ElfSymbol& symbol : symbols) {
    if (!symbol.defined && symbol.type == os::ElfSymbol::Type::thread_local_object) names.insert(symbol.name);
  }
  std::ofstream output(arguments[argument_count - 1]);
  output << "// Made by lab-dynamic-shared.\n";
  std::string first;
  for (const std::string& name : names) {
    if (first.empty()) {
      first = name;
      output << "extern \"C\" { alignas(" << simulator::shared_alignment
             << ") thread_local unsigned char shared_0[" << simulator::dynamic_shared_capacity
             << "] __asm__(\"" << name << "\"); }\n";
    } else {
      output << "__asm__(\".globl " << name << "\\n.set " << name << ", " << first << "\");\n";
    }
  }
  output << "namespace simulator {\nunsigned char* dynamic_shared_begin();\n"
         << "unsigned char* dynamic_shared_begin() { return " << (first.empty() ? "nullptr" : "shared_0")
         << "; }\n}\n";
  output << "namespace simulator {\nextern const char* const unit_variables[];\nconst char* const "
            "unit_variables[] = {";
  for (const os::ElfSymbol& symbol : symbols) {
    if (is_variable(symbol)) output << "\n    \"" << symbol.name << "\",";
  }
  output << "\n    nullptr};\n}\n";
  output.flush();
  return output ? 0 : 1;
}
