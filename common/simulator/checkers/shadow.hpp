// SPDX-License-Identifier: MIT
// Memory about memory: a cell for each 4-byte word that a kernel can touch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace simulator {

// Cells that are all zero until they are written to. Pages that nobody touches cost nothing.
class ZeroPages {
 public:
  explicit ZeroPages(std::size_t bytes);
  ~ZeroPages();
  ZeroPages(ZeroPages&& other) noexcept;
  ZeroPages& operator=(ZeroPages&& other) noexcept;
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

constexpr std::uintptr_t shadow_word_bytes = 4;

// The cells of a launch. Regions are made when they are first touched: shared memory, device arrays, the program's own
// variables.
template <class Cell>
class Shadow {
 public:
  // The cell of the word at an address that the memory map knows; null for one that it does not.
  Cell* find(std::uintptr_t address) {
    if (address - last_begin_ >= last_bytes_ && !locate(address)) return nullptr;
    return last_cells_ + ((address - last_begin_) / shadow_word_bytes);
  }

  // All cells are zero again, and take no memory.
  void clear() {
    regions_.clear();
    last_bytes_ = 0;
  }

 private:
  struct Region {
    std::uintptr_t begin, bytes;
    ZeroPages pages;
  };
  bool locate(std::uintptr_t address);

  std::vector<Region> regions_;
  std::uintptr_t last_begin_ = 0, last_bytes_ = 0;
  Cell* last_cells_ = nullptr;
};

// The stretch of memory that is given shadow cells together with an address; `bytes` is 0 where there is none.
struct ShadowRange {
  std::uintptr_t begin = 0, bytes = 0;
};
ShadowRange shadow_range(std::uintptr_t address);

template <class Cell>
bool Shadow<Cell>::locate(std::uintptr_t address) {
  for (const Region& region : regions_) {
    if (address - region.begin >= region.bytes) continue;
    last_begin_ = region.begin;
    last_bytes_ = region.bytes;
    last_cells_ = static_cast<Cell*>(region.pages.data());
    return true;
  }
  const ShadowRange range = shadow_range(address);
  if (range.bytes == 0) return false;
  regions_.push_back({range.begin, range.bytes, ZeroPages((range.bytes / shadow_word_bytes + 1) * sizeof(Cell))});
  return locate(address);
}

}  // namespace simulator
