// SPDX-License-Identifier: MIT
#include "simulator/program_image.hpp"

#include <cxxabi.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "os/elf_file.hpp"

namespace simulator {

namespace {

// A local variable's linker name begins with its function's: _ZZ<function>E<variable>, the function being
// _Z<function>.
std::string function_prefix_of(const std::string& linker_name) {
  return linker_name.rfind("_ZZ", 0) == 0 ? linker_name.substr(3) : std::string();
}

// By its linker name, which the array's own follows behind a number.
std::string_view function_of(const SharedArray& array) {
  const std::string_view prefix = array.function_prefix;
  if (!prefix.ends_with(array.name)) return prefix;
  const std::string_view with_length = prefix.substr(0, prefix.size() - array.name.size());
  return with_length.substr(0, with_length.find_last_not_of("0123456789") + 1);
}

// ptxas puts a function's shared variables one behind the other as they are declared; g++ goes through them
// from the last to the first. How a type is aligned the symbols do not tell: of what is as large as a number
// or a vector it is taken to be by its size, else by a word if it consists of words.
void lay_out_on_device(std::vector<SharedArray>& arrays) {
  constexpr std::uintptr_t far = std::uintptr_t{1} << 32;  // from one function's to the next one's
  std::unordered_map<std::string_view, std::uintptr_t> ends;
  for (auto array = arrays.rbegin(); array != arrays.rend(); ++array) {
    const bool is_number = array->bytes == 2 || array->bytes == 8 || array->bytes == 16;
    const std::size_t alignment = is_number ? array->bytes : array->bytes % 4 == 0 ? 4 : 1;
    std::uintptr_t& end = ends.try_emplace(function_of(*array), ends.size() * far).first->second;
    array->begin_on_device = (end + alignment - 1) / alignment * alignment;
    end = array->begin_on_device + array->bytes;
  }
}

}  // namespace

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

const ProgramImage& ProgramImage::instance() {
  static const ProgramImage image;
  return image;
}

ProgramImage::ProgramImage() {
  // The first object that is visited is the main executable.
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* context) {
        auto& image = *static_cast<ProgramImage*>(context);
        image.load_address_ = info->dlpi_addr;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& header = info->dlpi_phdr[i];
          const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
          const Segment segment{begin, begin + header.p_memsz, (header.p_flags & PF_W) != 0};
          if (header.p_type == PT_LOAD) image.segments_.push_back(segment);
          if (header.p_type == PT_GNU_RELRO) image.relocated_ = segment;
          if (header.p_type == PT_TLS && info->dlpi_tls_data) {
            image.shared_memory_ = {static_cast<unsigned char*>(info->dlpi_tls_data), header.p_memsz};
          }
        }
        return 1;
      },
      this);
  read_symbols();
}

void ProgramImage::read_symbols() {
  std::unordered_set<std::string_view> of_unit;
  for (const char* const* name = unit_variables; *name; ++name) of_unit.insert(*name);
  const auto dynamic = reinterpret_cast<std::uintptr_t>(dynamic_shared_begin());
  std::vector<SharedArray> dynamic_arrays;
  const char* const self = "/proc/self/exe";
  const std::vector<std::string> sections = os::elf_section_names(self);
  using Type = os::ElfSymbol::Type;
  for (const os::ElfSymbol& symbol : os::elf_symbols(self)) {
    if (!symbol.defined) continue;
    if (symbol.type == Type::function && symbol.size > 0) {
      const std::uintptr_t begin = load_address_ + symbol.value;
      functions_.push_back({begin, begin + symbol.size, {symbol.name}});
    }
    if (symbol.type == Type::object && symbol.size > 0 && of_unit.contains(symbol.name)) {
      host_variables_.push_back(
          {short_name(symbol.name), load_address_ + symbol.value, symbol.size,
           symbol.is_protected ||
               (symbol.section < sections.size() && sections[symbol.section].starts_with(constant_section))});
      if (!symbol.name.starts_with("_ZGV")) variables_.push_back(host_variables_.back());
    }
    if (symbol.type == Type::thread_local_object) {
      const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(shared_memory_.data()) + symbol.value;
      if (dynamic && begin == dynamic) {
        dynamic_arrays.push_back({short_name(symbol.name), begin, dynamic_shared_capacity, {}, false, true});
      } else if (symbol.size > 0) {
        shared_arrays_.push_back(
            {short_name(symbol.name), begin, symbol.size, function_prefix_of(symbol.name)});
      }
    }
  }
  for (SharedArray& array : shared_arrays_) {
    array.has_function = std::any_of(functions_.begin(), functions_.end(), [&](const FunctionRange& range) {
      return range.function.declares(array);
    });
  }
  const auto by_begin = [](const auto& a, const auto& b) { return a.begin < b.begin; };
  std::sort(functions_.begin(), functions_.end(), by_begin);
  std::sort(shared_arrays_.begin(), shared_arrays_.end(), by_begin);
  lay_out_on_device(shared_arrays_);
  std::sort(variables_.begin(), variables_.end(), by_begin);
  std::sort(host_variables_.begin(), host_variables_.end(), by_begin);
  shared_arrays_.insert(shared_arrays_.end(), dynamic_arrays.begin(), dynamic_arrays.end());
}

const SharedArray* ProgramImage::shared_array_at(std::uintptr_t address) const {
  const auto array = std::ranges::find_if(shared_arrays_, [&](const SharedArray& candidate) {
    return address - candidate.begin < candidate.bytes;
  });
  return array == shared_arrays_.end() ? nullptr : &*array;
}

std::uintptr_t ProgramImage::place_on_device(std::uintptr_t address) const {
  const SharedArray* const array = shared_array_at(address);
  return array && !array->is_dynamic ? array->begin_on_device + (address - array->begin) : address;
}

std::string ProgramImage::Function::name() const { return short_name(linker_name); }

bool ProgramImage::contains(std::uintptr_t address, std::size_t bytes) const {
  return std::any_of(segments_.begin(), segments_.end(), [&](const Segment& segment) {
    return address >= segment.begin && address < segment.end && bytes <= segment.end - address;
  });
}

bool ProgramImage::is_read_only(std::uintptr_t address) const {
  const auto in = [address](const Segment& segment) {
    return address >= segment.begin && address < segment.end;
  };
  if (in(relocated_)) return true;
  const auto segment = std::find_if(segments_.begin(), segments_.end(), in);
  return segment != segments_.end() && !segment->writable;
}

Range ProgramImage::fixed() const {
  Range range;
  for (const Segment& segment : segments_) {
    if (segment.writable) break;
    if (range.bytes == 0) range.begin = segment.begin;
    range.bytes = segment.end - range.begin;
  }
  return range;
}

std::size_t ProgramImage::static_shared_bytes(const Function& function) const {
  std::size_t sum = 0;
  for (const SharedArray& array : shared_arrays_) {
    if (!array.is_dynamic && function.declares(array)) sum += array.bytes_on_device();
  }
  return sum;
}

// _ZN3foo3barEv declares _ZZN3foo3barEvE4name: the prefix that the array knows begins with the function's own
// name.
bool ProgramImage::Function::declares(const SharedArray& array) const {
  return linker_name.starts_with("_Z") && array.function_prefix.starts_with(linker_name.substr(2) + "E");
}

const ProgramImage::Function* ProgramImage::function_at(std::uintptr_t address) const {
  const auto after = std::upper_bound(
      functions_.begin(), functions_.end(), address,
      [](std::uintptr_t wanted, const FunctionRange& range) { return wanted < range.begin; });
  if (after == functions_.begin() || address >= std::prev(after)->end) return nullptr;
  return &std::prev(after)->function;
}

}  // namespace simulator
