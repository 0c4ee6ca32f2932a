// SPDX-License-Identifier: MIT
// Notes accesses of more than 4 bytes to static shared arrays. How far the file declares an array to be
// aligned is not known here, where each begins at a multiple of 4 KiB: judge/notes.cpp keeps the notes of
// those that are aligned to less than such an access needs.
#pragma once

#include <unordered_set>

#include "simulator/hazards.hpp"
#include "simulator/observer.hpp"

namespace simulator {

class WideAccesses final : public Observer {
 public:
  explicit WideAccesses(Hazards& hazards) : hazards_(hazards) {}

  void block_begins(const BlockContext& block) override { block_ = block; }
  void access(const WarpAccess& access) override {
    if (access.size > usual_bytes && access.space == Space::shared) note(access);
  }

 private:
  static constexpr unsigned usual_bytes = 4;  // every array begins at a multiple of them (memory_map.hpp)

  void note(const WarpAccess& access);

  Hazards& hazards_;
  BlockContext block_{};
  std::unordered_set<std::uint32_t> noted_;  // places
};

}  // namespace simulator
