// SPDX-License-Identifier: MIT
// Machine code that is put together by hand: instructions of 16 bytes, of which only the operation, the
// predicate and where a branch leads matter.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/machine_code.hpp"
#include "model/unknown_cost.hpp"

namespace by_hand {

constexpr unsigned other = 0x210, load = 0x981, shuffle = 0x589, shared_add = 0x38c, global_add = 0x98e,
                   barrier = 0xb1d, bra = 0x947, exit_ = 0x94d, brx = 0x949, bsync = 0x941;

class Text {
 public:
  // How a branch says where it leads: since sm_90 the lowest eight bits stand apart.
  explicit Text(bool apart = false) : apart_(apart) {}

  Text& add(unsigned operation, unsigned times = 1) {
    for (unsigned i = 0; i < times; ++i) put(operation | always << 12, always << 23);
    return *this;
  }
  // Under a predicate that some warps do not fulfil with any lane.
  Text& add_predicated(unsigned operation) {
    put(operation, always << 23);
    return *this;
  }
  // Of 1, 2, 4, 8 or 16 bytes per lane.
  Text& add_of_bytes(unsigned operation, unsigned bytes) {
    const std::uint64_t width = bytes == 1 ? 0 : bytes == 2 ? 2 : bytes == 4 ? 4 : bytes == 8 ? 5 : 6;
    put(operation | always << 12, always << 23 | width << 9);
    return *this;
  }
  // In local memory, at the address that this register has; 1 is where the frame begins.
  Text& add_addressed(unsigned operation, unsigned address_register) {
    put(operation | always << 12 | std::uint64_t{address_register} << 24, always << 23);
    return *this;
  }
  // Its result is announced on this barrier; before it, it waits for these, a bit each.
  Text& add_waiting(unsigned operation, unsigned barrier, unsigned waits_for = 0) {
    put(operation | always << 12, std::uint64_t{barrier} << 46 | std::uint64_t{waits_for} << 52);
    return *this;
  }
  // The warp's next instruction comes so many cycles later.
  Text& add_taking(unsigned operation, unsigned cycles) {
    put(operation | always << 12, always << 23 | std::uint64_t{cycles} << 41);
    return *this;
  }
  Text& branch_of_parted_lanes(std::size_t to) {
    branch(to, false);
    bytes_[bytes_.size() - 5] |= 8;  // bit 27 of the upper half
    return *this;
  }
  Text& branch(std::size_t to, bool conditional) {
    const std::int64_t away = 4 * (static_cast<std::int64_t>(to) - static_cast<std::int64_t>(size()) - 1);
    const std::int64_t field = apart_ ? away >> 8 : away, low = apart_ ? away & 255 : 0;
    const std::uint64_t predicate = conditional ? 0 : always;
    put(bra | predicate << 12 | static_cast<std::uint64_t>(low) << 16 |
            static_cast<std::uint64_t>(field) << 34,
        always << 23 | (static_cast<std::uint64_t>(field) >> 30 & 0x3ffff));
    return *this;
  }
  // BSSY: the lanes that part behind it meet in front of `to`.
  Text& meet_before(std::size_t to) {
    constexpr std::uint64_t bssy = 0x945;
    put(bssy | std::uint64_t{4} * (to - size() - 1) << 34, always << 23);
    return *this;
  }
  // As nvcc has written it for sm_90: both halves.
  Text& add_words(std::uint64_t low, std::uint64_t high) {
    put(low, high);
    return *this;
  }
  std::size_t size() const { return bytes_.size() / 16; }
  model::MachineCode code() const { return model::MachineCode(bytes_); }
  std::string unknown() const { return model::unknown_cost(bytes_); }

 private:
  static constexpr std::uint64_t always = 7;

  void put(std::uint64_t low, std::uint64_t high) {
    for (const std::uint64_t word : {low, high}) {
      for (unsigned i = 0; i < 8; ++i) bytes_.push_back(static_cast<unsigned char>(word >> (8 * i)));
    }
  }

  bool apart_;
  std::vector<unsigned char> bytes_;
};

constexpr unsigned no_barrier = 7;

inline model::Accesses accesses(double loads, double shared_adds, double global_adds = 0,
                                double shuffles = 0) {
  model::Accesses all{};
  all[static_cast<std::size_t>(model::AccessKind::global_load)] = loads;
  all[static_cast<std::size_t>(model::AccessKind::shared_atomic)] = shared_adds;
  all[static_cast<std::size_t>(model::AccessKind::global_atomic)] = global_adds;
  all[static_cast<std::size_t>(model::AccessKind::shuffle)] = shuffles;
  return all;
}

// 3 instructions, then a loop of 10 with a load and an atomic behind a branch that some turns take, then the
// end.
inline Text loop(bool apart = false) {
  Text text(apart);
  text.add(other, 3);
  text.add(load).add(other, 4).branch(11, true);  // 3 to 8
  text.add(other).add(shared_add);                // 9, 10
  text.add(other).branch(3, true);                // 11, 12
  return text.add(exit_).branch(14, false);       // and a branch to itself, as filling
}

}  // namespace by_hand
