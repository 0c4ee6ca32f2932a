// SPDX-License-Identifier: MIT
#include "simulator/host_memory.hpp"

#include <link.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <vector>

#include "simulator/program_image.hpp"

namespace simulator {

namespace {

// What the program and its libraries hold and nobody can write: code, literals, tables of classes.
std::vector<Range> read_only_memory() {
  std::vector<Range> all;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* context) {
        auto& ranges = *static_cast<std::vector<Range>*>(context);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& header = info->dlpi_phdr[i];
          const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
          const bool fixed =
              header.p_type == PT_GNU_RELRO || (header.p_type == PT_LOAD && (header.p_flags & PF_W) == 0);
          if (fixed) ranges.push_back({begin, header.p_memsz});
        }
        return 0;
      },
      &all);
  return all;
}

bool is_read_only(std::uintptr_t address, std::size_t bytes) {
  static const std::vector<Range> all = read_only_memory();
  return std::any_of(all.begin(), all.end(),
                     [&](const Range& range) { return range.contains(address, bytes); });
}

template <class T>
bool is_within(const T& object, std::uintptr_t address, std::size_t bytes) {
  return Range{reinterpret_cast<std::uintptr_t>(&object), sizeof(T)}.contains(address, bytes);
}

}  // namespace

HostMemory& HostMemory::instance() {
  static HostMemory memory;
  return memory;
}

void* HostMemory::allocated(void* memory, std::size_t bytes) {
  if (!memory) return memory;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  // What lay there before has been freed by a library.
  auto old = blocks_.lower_bound(begin);
  while (old != blocks_.end() && old->first < begin + bytes) {
    held_ -= old->second;
    old = blocks_.erase(old);
  }
  blocks_[begin] = bytes;
  held_ += bytes;
  return memory;
}

void HostMemory::freed(void* memory) {
  const auto block = blocks_.find(reinterpret_cast<std::uintptr_t>(memory));
  if (block == blocks_.end()) return;
  held_ -= block->second;
  blocks_.erase(block);
}

bool HostMemory::has_allocated(std::uintptr_t address, std::size_t bytes) const {
  const auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return false;
  const auto& [begin, size] = *std::prev(after);
  return Range{begin, size}.contains(address, bytes);
}

bool HostMemory::may_write(std::uintptr_t address, std::size_t bytes) const {
  if (has_allocated(address, bytes)) return true;
  const std::vector<ProgramVariable>& own = ProgramImage::instance().host_variables();
  const auto next = std::upper_bound(
      own.begin(), own.end(), address,
      [](std::uintptr_t wanted, const ProgramVariable& variable) { return wanted < variable.begin; });
  if (next != own.begin()) {
    const ProgramVariable& variable = *std::prev(next);
    if (Range{variable.begin, variable.bytes}.contains(address, bytes)) return true;
  }
  return is_within(errno, address, bytes);
}

bool HostMemory::may_read(std::uintptr_t address, std::size_t bytes) const {
  return is_read_only(address, bytes) || may_write(address, bytes) || is_within(stdout, address, bytes) ||
         is_within(stderr, address, bytes);
}

}  // namespace simulator
