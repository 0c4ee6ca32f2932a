// SPDX-License-Identifier: MIT
#include "build/cubin.hpp"

#include <fcntl.h>
#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include "build/runner.hpp"
#include "build/step.hpp"
#include "os/elf_file.hpp"
#include "os/files.hpp"

namespace build {

namespace {

namespace files = std::filesystem;

// The command that compiles the unit, for one kind of GPU, and no further than to its machine code.
Command cubin_command(Command command, const std::string& chip, const std::string& unit,
                      const std::string& cubin) {
  std::erase_if(command, [](const std::string& word) {
    return word.starts_with("-gencode=") || word.starts_with("-arch=");
  });
  const auto follows = [&](const char* option, const std::string& value) {
    const auto at = std::ranges::find(command, option);
    if (command.end() - at > 1) *(at + 1) = value;
  };
  follows("-o", cubin);
  follows("-MF", cubin + ".d");
  std::ranges::replace(command, std::string("-c"), std::string("-cubin"));
  for (std::string& word : command) {
    if (word.ends_with("/unit.cpp")) word = unit;
  }
  command.push_back("-arch=" + chip);
  return command;
}

// Of `.nv.info`, a list of attributes: a byte for the format, one for the attribute and two for the length of
// what follows, or for the value itself. The number of registers is said of the function with this symbol.
constexpr unsigned char has_length = 4, register_count = 0x2f;

std::uint32_t word_at(const std::vector<unsigned char>& bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word |= std::uint32_t{bytes[at + i]} << (8 * i);
  return word;
}

}  // namespace

std::optional<std::string> make_cubin(const workbook::Workbook& workbook, const workbook::Target& target,
                                      double capability, const os::ToolLimits& limits) {
  if (!workbook.has_gpu) return std::nullopt;
  const std::string chip = fmt::format("sm_{}", std::lround(10 * capability));
  const std::string folder = fmt::format("{}.{}.p", target.runner, chip);
  const std::string unit = folder + "/unit.cpp", cubin = folder + "/unit.cubin", text = text_of(target);
  std::error_code error;
  files::create_directories(folder, error);
  if (error) throw std::system_error(error, "cannot write to " + folder);
  const os::FileLock lock(folder + "/lock", O_RDWR | O_CREAT);
  if (lock.descriptor() < 0)
    throw std::system_error(errno, std::generic_category(), "cannot write to " + folder);
  if (os::read_file(unit) != text) os::write_file(unit, text);
  for (Command& command : commands_of(workbook, target)) {
    const bool is_compiler =
        std::ranges::any_of(command, [](const std::string& word) { return word.ends_with("/unit.cpp"); });
    if (!is_compiler) continue;
    const Step step{.command = cubin_command(std::move(command), chip, unit, cubin),
                    .folder = workbook.build_root,
                    .record = folder + "/step",
                    .depfile = cubin + ".d"};
    return run(step, limits) ? std::nullopt : std::optional(cubin);
  }
  return std::nullopt;
}

std::vector<CompiledKernel> compiled_kernels(const std::string& cubin) {
  const std::vector<os::ElfSymbol> symbols = os::elf_object(cubin).symbols;
  const std::vector<unsigned char> info = os::elf_section(cubin, ".nv.info");
  std::vector<CompiledKernel> kernels;
  for (std::size_t i = 0; i + 4 <= info.size();) {
    const std::size_t length = info[i] == has_length ? info[i + 2] + 256u * info[i + 3] : 0;
    if (info[i + 1] == register_count && length >= 8 && i + 12 <= info.size()) {
      const std::uint32_t symbol = word_at(info, i + 4);
      if (symbol < symbols.size()) {
        const std::string& name = symbols[symbol].name;
        kernels.push_back({name, word_at(info, i + 8), os::elf_section(cubin, ".text." + name)});
      }
    }
    i += 4 + length;
  }
  return kernels;
}

}  // namespace build
