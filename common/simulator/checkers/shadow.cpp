// SPDX-License-Identifier: MIT
#include "simulator/checkers/shadow.hpp"

#include <sys/mman.h>

#include <new>
#include <utility>

#include "simulator/memory_map.hpp"
#include "simulator/program_image.hpp"

namespace simulator {

ZeroPages::ZeroPages(std::size_t bytes)
    : data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)),
      bytes_(bytes) {
  if (data_ == MAP_FAILED) throw std::bad_alloc();
  // An input's cells are mostly touched one after another: fewer faults. Refused where the system has no such
  // pages.
  constexpr std::size_t worth_it = std::size_t{4} << 20, page = 4096, huge_page = std::size_t{2} << 20;
  granule_ = bytes_ >= worth_it && madvise(data_, bytes_, MADV_HUGEPAGE) == 0 ? huge_page : page;
}

ZeroPages::~ZeroPages() {
  if (data_) munmap(data_, bytes_);
}

ZeroPages::ZeroPages(ZeroPages&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_), granule_(other.granule_) {}

ZeroPages& ZeroPages::operator=(ZeroPages&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(granule_, other.granule_);
  return *this;
}

ShadowRange shadow_range(std::uintptr_t address) {
  // From a multiple of the word size on, so that words of memory and words of the shadow are the same.
  const auto from_word = [](std::uintptr_t begin, std::uintptr_t bytes) {
    const std::uintptr_t before = begin % shadow_word_bytes;
    return ShadowRange{begin - before, bytes + before};
  };
  const ProgramImage& program = ProgramImage::instance();
  const auto shared = reinterpret_cast<std::uintptr_t>(program.shared_memory().data());
  if (address - shared < program.shared_memory().size())
    return from_word(shared, program.shared_memory().size());
  for (const NamedArray& array : DeviceArrays::instance().all()) {
    if (array.contains(address, 1)) return from_word(array.begin, array.bytes);
  }
  constexpr std::uintptr_t page = 4096;
  if (program.contains(address, 1)) return {address & ~(page - 1), page};
  return {};
}

}  // namespace simulator
