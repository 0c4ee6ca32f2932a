// SPDX-License-Identifier: MIT
// The instructions of a GPU's machine code, as far as the model reads them.
//
// An instruction has 16 bytes since sm_70. Its lowest nine bits say what it is, three more what its operands
// are, and the next four under which predicate it is executed.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/accesses.hpp"

namespace model {

constexpr std::size_t instruction_bytes = 16;

// Of the instructions that decide where a warp goes on, or read special registers.
namespace opcode {
constexpr unsigned bra = 0x147, bsync = 0x141, exit = 0x14d, ret = 0x150, bssy = 0x145, brx = 0x149,
                   s2r = 0x119, s2ur = 0x1c3, uflo = 0x0bd;
}  // namespace opcode

struct Instruction {
  std::uint64_t low, high;

  static constexpr unsigned always = 7;  // the predicate that is true

  unsigned operation() const { return low & 0x1ff; }
  // BRA.DIV, in front of operations of a warp: only lanes that have parted go there, to meet one by one.
  // Those that come together do not.
  bool is_for_parted_lanes() const { return operation() == opcode::bra && (high >> 27 & 1) != 0; }
  // Results that come after an unknown time are announced on one of six barriers, which later instructions
  // wait for.
  unsigned announces() const { return 1u << (high >> 46 & 7) & 63; }
  unsigned waits_for() const { return high >> 52 & 63; }
  // Until the warp's next instruction may be issued: the compiler knows how long results of arithmetic take.
  unsigned cycles() const { return std::max<unsigned>(1, high >> 41 & 15); }
  // Of a load: a byte or two, with a sign or without, and 4, 8, 16.
  unsigned bytes_of_access() const {
    constexpr std::array<unsigned, 8> bytes{1, 1, 2, 2, 4, 8, 16, 16};
    return bytes[high >> 9 & 7];
  }
  unsigned address_register() const { return low >> 24 & 255; }
  bool reads_special_register() const { return operation() == opcode::s2r || operation() == opcode::s2ur; }
  bool is_predicated() const { return (low >> 12 & 15) != always; }
  bool is_conditional() const {
    return is_predicated() || (operation() == opcode::bra && (high >> 23 & 15) != always);
  }
};

// Throws std::invalid_argument where `text` is no machine code.
std::vector<Instruction> instructions_in(const std::vector<unsigned char>& text);

// Generic accesses, to memory of which the compiler does not know whether it is shared, as those of global
// memory.
std::optional<AccessKind> kind_of(const Instruction& one);
bool is_generic(const Instruction& one);

// Whether it goes through the pipe for integers, votes and selections. Multiplications do not; nor does
// VIADD, or shuffle_rotation of tests/model/unseen could not be as fast as it is.
bool is_integer(const Instruction& one);

// Lines of 128 bytes that an access to local memory may need; 0: it is none.
double local_lines_of(const Instruction& one);

// The instruction that each branch leads to; empty where they are written in an unknown way.
std::vector<std::size_t> targets_of(const std::vector<Instruction>& code);

}  // namespace model
