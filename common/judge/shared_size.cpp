// SPDX-License-Identifier: MIT
#include "judge/shared_size.hpp"

#include <cxxabi.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "build/runner.hpp"
#include "facts/words.hpp"
#include "judge/source_structure.hpp"
#include "judge/source_text.hpp"
#include "os/elf_file.hpp"
#include "os/files.hpp"

namespace judge {

namespace {

// Of arrays whose sizes are known while compiling; more takes dynamic shared memory (CUDA C++ Programming
// Guide, "Technical specifications per compute capability").
constexpr std::uint64_t most_bytes = std::uint64_t{48} * 1024;

struct Arrays {
  std::uint64_t bytes = 0, largest_bytes = 0;
  std::string largest;
};

std::string full_name(const std::string& linker_name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(linker_name.c_str(), nullptr, nullptr, &status), &std::free);
  return name ? name.get() : linker_name;
}

// "histogram_kernel" of "void histogram_kernel<Letters4>(unsigned char const*)".
std::string short_function(const std::string& function) {
  const std::string name = function.substr(0, function.find_first_of("<("));
  const std::size_t before = name.find_last_of(" :");
  return before == std::string::npos ? name : name.substr(before + 1);
}

// By the function that declares them; those outside of functions each for itself.
std::map<std::string, Arrays> arrays_in(const os::ElfObject& object) {
  std::map<std::string, Arrays> all;
  for (const os::ElfSymbol& symbol : object.symbols) {
    if (!symbol.defined || symbol.type != os::ElfSymbol::Type::thread_local_object) continue;
    const std::string name = full_name(symbol.name);
    const std::size_t scope = name.rfind("::");
    const bool is_of_function = symbol.name.starts_with("_ZZ") && scope != std::string::npos;
    Arrays& arrays = all[is_of_function ? name.substr(0, scope) : name];
    arrays.bytes += symbol.size;
    if (symbol.size <= arrays.largest_bytes) continue;
    arrays.largest_bytes = symbol.size;
    arrays.largest = scope == std::string::npos ? name : name.substr(scope + 2);
  }
  return all;
}

}  // namespace

std::optional<facts::Finding> shared_too_large(const workbook::Workbook& workbook,
                                               const workbook::Target& target) {
  if (!facts::traits_of(target.backend).simulated) return std::nullopt;
  const auto all = arrays_in(os::elf_object(build::object_of(workbook, target)));
  const auto largest =
      std::ranges::max_element(all, {}, [](const auto& entry) { return entry.second.bytes; });
  if (largest == all.end() || largest->second.bytes <= most_bytes) return std::nullopt;
  const auto& [owner, arrays] = *largest;
  const std::string text = os::read_file(target.source).value_or(""),
                    file = workbook.shortened(target.source);
  const auto declaration = SourceStructure(text).declaration(arrays.largest);
  const int line = declaration ? declaration->line : line_that_names(text, arrays.largest).value_or(0);
  const bool is_of_function = owner != arrays.largest && owner.find('(') != std::string::npos;
  const std::string words = is_of_function
                                ? fmt::format("the __shared__ arrays of {} take", short_function(owner))
                                : fmt::format("{} takes", arrays.largest);
  facts::Finding finding{facts::Verdict::build_error,
                         fmt::format("{}{}: error: {} {}; a block has {} for arrays of a fixed size", file,
                                     line > 0 ? fmt::format(":{}", line) : "", words,
                                     facts::counted(arrays.bytes, "bytes"), facts::separated(most_bytes))};
  if (line == 0) return finding;
  finding.message += "\n" + excerpt(text, line);
  finding.where.push_back({file, line});
  return finding;
}

}  // namespace judge
