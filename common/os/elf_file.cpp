// SPDX-License-Identifier: MIT
#include "os/elf_file.hpp"

#if __has_include(<elf.h>)

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <span>

namespace os {

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

  // A view into the file; empty where the file is too short for it.
  template <class T>
  std::span<const T> at(std::size_t offset, std::size_t count) const {
    if (offset > bytes_ || count > (bytes_ - offset) / sizeof(T)) return {};
    return {reinterpret_cast<const T*>(static_cast<const char*>(mapping_) + offset), count};
  }

 private:
  void* mapping_ = nullptr;
  std::size_t bytes_ = 0;
};

ElfSymbol::Type type_of(const Elf64_Sym& symbol) {
  switch (ELF64_ST_TYPE(symbol.st_info)) {
    case STT_FUNC:
      return ElfSymbol::Type::function;
    case STT_OBJECT:
    case STT_COMMON:
      return ElfSymbol::Type::object;
    case STT_TLS:
      return ElfSymbol::Type::thread_local_object;
    case STT_GNU_IFUNC:
      return ElfSymbol::Type::indirect_function;
    case STT_SECTION:
      return ElfSymbol::Type::section;
    default:
      return ElfSymbol::Type::other;
  }
}

class ElfFile {
 public:
  explicit ElfFile(const std::string& path) : file_(path) {
    const auto header = file_.at<Elf64_Ehdr>(0, 1);
    if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0 ||
        header[0].e_ident[EI_CLASS] != ELFCLASS64)
      return;
    machine_ = header[0].e_machine;
    sections_ = file_.at<Elf64_Shdr>(header[0].e_shoff, 1);
    if (sections_.empty()) return;
    // With many sections their number does not fit into the header, and stands in the first of them.
    const std::size_t count = header[0].e_shnum > 0 ? header[0].e_shnum : sections_[0].sh_size;
    const std::size_t names =
        header[0].e_shstrndx != SHN_XINDEX ? header[0].e_shstrndx : sections_[0].sh_link;
    sections_ = file_.at<Elf64_Shdr>(header[0].e_shoff, count);
    if (names < sections_.size()) names_ = names;
  }

  std::span<const Elf64_Shdr> sections() const { return sections_; }
  std::string name_of(const Elf64_Shdr& section) const { return text_at(names_, section.sh_name); }
  std::span<const unsigned char> bytes_of(const Elf64_Shdr& section) const {
    return file_.at<unsigned char>(section.sh_offset, section.sh_size);
  }

  void add_symbols(const Elf64_Shdr& table, bool nameless, std::vector<ElfSymbol>& all) const {
    const auto symbols = file_.at<Elf64_Sym>(table.sh_offset, table.sh_size / sizeof(Elf64_Sym));
    const std::span<const Elf64_Word> numbers = section_numbers(table);
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const Elf64_Sym& symbol = symbols[i];
      if (symbol.st_name == 0 && !nameless) continue;
      ElfSymbol& added =
          all.emplace_back(ElfSymbol{text_at(table.sh_link, symbol.st_name), type_of(symbol),
                                     symbol.st_shndx != SHN_UNDEF, symbol.st_value, symbol.st_size});
      added.is_local = ELF64_ST_BIND(symbol.st_info) == STB_LOCAL;
      added.is_protected = ELF64_ST_VISIBILITY(symbol.st_other) == STV_PROTECTED;
      if (symbol.st_shndx < SHN_LORESERVE) added.section = symbol.st_shndx;
      if (symbol.st_shndx == SHN_XINDEX && i < numbers.size()) added.section = numbers[i];
      if (added.type == ElfSymbol::Type::section && added.section < sections_.size())
        added.name = name_of(sections_[added.section]);
    }
  }

  void add_relocations(const Elf64_Shdr& table, std::vector<ElfRelocation>& all) const {
    for (const Elf64_Rela& entry : file_.at<Elf64_Rela>(table.sh_offset, table.sh_size / sizeof(Elf64_Rela)))
      all.push_back({table.sh_info, entry.r_offset, static_cast<std::uint32_t>(ELF64_R_SYM(entry.r_info)),
                     entry.r_addend, is_call(ELF64_R_TYPE(entry.r_info))});
  }

 private:
  std::string text_at(std::size_t table, std::size_t offset) const {
    if (table >= sections_.size()) return {};
    const auto text = file_.at<char>(sections_[table].sh_offset, sections_[table].sh_size);
    if (offset >= text.size()) return {};
    return {text.data() + offset, strnlen(text.data() + offset, text.size() - offset)};
  }

  // Of symbols whose section's number does not fit into the symbol.
  std::span<const Elf64_Word> section_numbers(const Elf64_Shdr& table) const {
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type == SHT_SYMTAB_SHNDX && &sections_[0] + section.sh_link == &table)
        return file_.at<Elf64_Word>(section.sh_offset, section.sh_size / sizeof(Elf64_Word));
    }
    return {};
  }

  bool is_call(std::uint64_t type) const {
    if (machine_ == EM_X86_64) return type == R_X86_64_PLT32;
    return machine_ == EM_AARCH64 && (type == R_AARCH64_CALL26 || type == R_AARCH64_JUMP26);
  }

  MappedFile file_;
  unsigned machine_ = EM_NONE;
  std::size_t names_ = 0;  // the section with the sections' names
  std::span<const Elf64_Shdr> sections_;
};

}  // namespace

std::vector<ElfSymbol> elf_symbols(const std::string& path) {
  std::vector<ElfSymbol> all;
  const ElfFile file(path);
  for (const Elf64_Shdr& section : file.sections()) {
    if (section.sh_type == SHT_SYMTAB) file.add_symbols(section, false, all);
  }
  return all;
}

ElfObject elf_object(const std::string& path) {
  ElfObject object;
  const ElfFile file(path);
  for (const Elf64_Shdr& section : file.sections()) {
    object.sections.push_back({file.name_of(section), (section.sh_flags & SHF_EXECINSTR) != 0,
                               (section.sh_flags & SHF_ALLOC) != 0});
    if (section.sh_type == SHT_SYMTAB) file.add_symbols(section, true, object.symbols);
    if (section.sh_type == SHT_RELA) file.add_relocations(section, object.relocations);
  }
  return object;
}

std::vector<unsigned char> elf_section(const std::string& path, const std::string& name) {
  const ElfFile file(path);
  for (const Elf64_Shdr& section : file.sections()) {
    if (file.name_of(section) != name || section.sh_type == SHT_NOBITS) continue;
    const auto bytes = file.bytes_of(section);
    return {bytes.begin(), bytes.end()};
  }
  return {};
}

std::vector<std::string> elf_section_names(const std::string& path) {
  std::vector<std::string> names;
  const ElfFile file(path);
  for (const Elf64_Shdr& section : file.sections()) names.push_back(file.name_of(section));
  return names;
}

}  // namespace os

#else

namespace os {

std::vector<ElfSymbol> elf_symbols(const std::string&) { return {}; }
ElfObject elf_object(const std::string&) { return {}; }
std::vector<unsigned char> elf_section(const std::string&, const std::string&) { return {}; }
std::vector<std::string> elf_section_names(const std::string&) { return {}; }

}  // namespace os

#endif
