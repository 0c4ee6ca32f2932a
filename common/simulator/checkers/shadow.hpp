// SPDX-License-Identifier: MIT
// Memory about memory: a cell for each 4-byte word that a kernel can touch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "simulator/guards.hpp"

namespace simulator {

// Cells that are all zero until they are written to. Pages that nobody touches cost nothing.
class ZeroPages {
 public:
  explicit ZeroPages(std::size_t bytes);
  ~ZeroPages();
  ZeroPages(ZeroPages&& other) noexcept;
  ZeroPages& operator=(ZeroPages&& other) noexcept;
  void* data() const { return data_; }
  // How many bytes become resident together where one of them is touched.
  std::size_t granule() const { return granule_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0, granule_ = 1;
};

constexpr std::uintptr_t shadow_word_bytes = 4;

// The cells of a launch. Regions are made when they are first touched: shared memory, device arrays, the
// program's own variables.
template <class Cell>
class Shadow {
 public:
  // The cell of the word at an address that the memory map knows; null for one that it does not.
  Cell* find(std::uintptr_t address) {
    if (address - last_begin_ >= last_bytes_ && !locate(address)) return nullptr;
    return last_cells_ + ((address - last_begin_) / shadow_word_bytes);
  }

  // Those of the array that the last one lay in; no bytes: of none.
  struct Cells {
    std::uintptr_t begin, bytes;
    Cell* cells;
  };
  Cells last() const { return {last_begin_, last_bytes_, last_cells_}; }

  // How many bytes of memory the word's cell takes that no other cell has taken so far.
  std::size_t take(std::uintptr_t address) {
    const bool lies_with_last = address - taken_begin_ < taken_bytes_;
    return lies_with_last ? 0 : take_granules(address);
  }

  // Words of which it is known that they take none.
  Range taken() const { return {taken_begin_, taken_bytes_}; }

  bool is_empty() const { return regions_.empty(); }

  // All cells are zero again, and take no memory.
  void clear() {
    regions_.clear();
    last_bytes_ = taken_bytes_ = 0;
  }

 private:
  struct Region {
    std::uintptr_t begin, bytes;
    ZeroPages pages;
    std::vector<bool> taken;  // granule by granule
  };
  bool locate(std::uintptr_t address);
  std::size_t take_granules(std::uintptr_t address);

  std::vector<Region> regions_;
  std::uintptr_t last_begin_ = 0, last_bytes_ = 0;
  std::size_t last_region_ = 0;
  Cell* last_cells_ = nullptr;
  // Words whose cells lie within granules that are taken: those around the word of the last one.
  std::uintptr_t taken_begin_ = 0, taken_bytes_ = 0;
};

// The stretch of memory that is given shadow cells together with an address; `bytes` is 0 where there is
// none.
struct ShadowRange {
  std::uintptr_t begin = 0, bytes = 0;
};
ShadowRange shadow_range(std::uintptr_t address);

template <class Cell>
bool Shadow<Cell>::locate(std::uintptr_t address) {
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    const Region& region = regions_[i];
    if (address - region.begin >= region.bytes) continue;
    last_region_ = i;
    last_begin_ = region.begin;
    last_bytes_ = region.bytes;
    last_cells_ = static_cast<Cell*>(region.pages.data());
    return true;
  }
  const ShadowRange range = shadow_range(address);
  if (range.bytes == 0) return false;
  const std::size_t bytes = (range.bytes / shadow_word_bytes + 1) * sizeof(Cell);
  ZeroPages pages(bytes);
  const std::size_t granules = bytes / pages.granule() + 1;
  regions_.push_back({range.begin, range.bytes, std::move(pages), std::vector<bool>(granules)});
  return locate(address);
}

template <class Cell>
std::size_t Shadow<Cell>::take_granules(std::uintptr_t address) {
  if (!find(address)) return 0;
  Region& region = regions_[last_region_];
  const std::size_t granule = region.pages.granule(),
                    first = (address - region.begin) / shadow_word_bytes * sizeof(Cell);
  std::size_t bytes = 0;
  for (std::size_t i = first / granule; i <= (first + sizeof(Cell) - 1) / granule; ++i) {
    if (region.taken[i]) continue;
    region.taken[i] = true;
    bytes += granule;
  }
  // The words from the first to the last whose cells lie wholly in the granule in which this one begins and
  // those next to it that are taken: an array's words are touched in any order.
  constexpr std::size_t most_to_a_side = 8;
  std::size_t begin = first / granule, end = begin + 1;
  for (std::size_t i = 0; i < most_to_a_side && begin > 0 && region.taken[begin - 1]; ++i) --begin;
  for (std::size_t i = 0; i < most_to_a_side && end < region.taken.size() && region.taken[end]; ++i) ++end;
  begin *= granule, end *= granule;
  const std::size_t first_cell = (begin + sizeof(Cell) - 1) / sizeof(Cell),
                    cells = end / sizeof(Cell) - first_cell;
  taken_begin_ = region.begin + first_cell * shadow_word_bytes;
  taken_bytes_ = cells * shadow_word_bytes;
  return bytes;
}

}  // namespace simulator
