// SPDX-License-Identifier: MIT
#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "simulator/program_image.hpp"

namespace simulator {

namespace {

// A file's bytes, of which only those are read that are looked at: a program with its debug information is
// large. Empty for a file that cannot be read.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_size > 0) {
      bytes_ = static_cast<std::size_t>(status.st_size);
      mapping_ = mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, descriptor, 0);
      if (mapping_ == MAP_FAILED) bytes_ = 0;
    }
    if (descriptor >= 0) close(descriptor);
  }
  ~MappedFile() {
    if (bytes_ > 0) munmap(mapping_, bytes_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const char* data() const { return static_cast<const char*>(mapping_); }
  std::size_t size() const { return bytes_; }

 private:
  void* mapping_ = nullptr;
  std::size_t bytes_ = 0;
};

// A view into the file, or null where the file is too short for it.
template <class T>
const T* at(const MappedFile& file, std::size_t offset, std::size_t count = 1) {
  if (offset > file.size() || count > (file.size() - offset) / sizeof(T)) return nullptr;
  return reinterpret_cast<const T*>(file.data() + offset);
}

ElfSymbol::Type type_of(const Elf64_Sym& symbol) {
  switch (ELF64_ST_TYPE(symbol.st_info)) {
    case STT_FUNC:
      return ElfSymbol::Type::function;
    case STT_OBJECT:
      return ElfSymbol::Type::object;
    case STT_TLS:
      return ElfSymbol::Type::thread_local_object;
    default:
      return ElfSymbol::Type::other;
  }
}

// Empty for a section without a name.
std::string section_name(const MappedFile& file, const Elf64_Ehdr& header, const Elf64_Shdr* sections,
                         unsigned index) {
  if (index >= header.e_shnum || header.e_shstrndx >= header.e_shnum) return {};
  const Elf64_Shdr& names = sections[header.e_shstrndx];
  const auto* text = at<char>(file, names.sh_offset, names.sh_size);
  return text && sections[index].sh_name < names.sh_size ? text + sections[index].sh_name : std::string();
}

void add_table(const MappedFile& file, const Elf64_Ehdr& header, const Elf64_Shdr* sections,
               const Elf64_Shdr& table, std::vector<ElfSymbol>& all) {
  const Elf64_Shdr& strings = sections[table.sh_link];
  const std::size_t count = table.sh_size / sizeof(Elf64_Sym);
  const auto* symbols = at<Elf64_Sym>(file, table.sh_offset, count);
  const auto* text = at<char>(file, strings.sh_offset, strings.sh_size);
  if (!symbols || !text) return;
  for (std::size_t i = 0; i < count; ++i) {
    const Elf64_Sym& symbol = symbols[i];
    if (symbol.st_name == 0 || symbol.st_name >= strings.sh_size) continue;
    all.push_back({text + symbol.st_name, type_of(symbol), symbol.st_shndx != SHN_UNDEF, symbol.st_value,
                   symbol.st_size,
                   type_of(symbol) == ElfSymbol::Type::object
                       ? section_name(file, header, sections, symbol.st_shndx)
                       : std::string()});
  }
}

}  // namespace

std::vector<ElfSymbol> elf_symbols(const std::string& path) {
  std::vector<ElfSymbol> all;
  const MappedFile file(path);
  const auto* header = at<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64)
    return all;
  const auto* sections = at<Elf64_Shdr>(file, header->e_shoff, header->e_shnum);
  if (!sections) return all;
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum) continue;
    add_table(file, *header, sections, sections[i], all);
  }
  return all;
}

std::string short_name(const std::string& linker_name) {
  int status = 0;
  // Behind a point stands what the compiler made of the function ("_Z3foov.localalias").
  const std::string declared = linker_name.substr(0, linker_name.find('.'));
  char* const demangled = abi::__cxa_demangle(declared.c_str(), nullptr, nullptr, &status);
  std::string name = status == 0 && demangled ? demangled : declared;
  std::free(demangled);
  // Everything in parentheses and angle brackets goes, then everything up to the last "::" and the result
  // type.
  std::string plain;
  int depth = 0;
  for (const char c : name) {
    if (c == '(' || c == '<') ++depth;
    if (depth == 0) plain.push_back(c);
    if (c == ')' || c == '>') --depth;
  }
  const std::size_t scope = plain.rfind("::");
  if (scope != std::string::npos) plain.erase(0, scope + 2);
  const std::size_t blank = plain.rfind(' ');
  if (blank != std::string::npos) plain.erase(0, blank + 1);
  return plain;
}

}  // namespace simulator
