// SPDX-License-Identifier: MIT
#include "model/machine_instructions.hpp"

#include <stdexcept>

namespace model {

namespace {

constexpr unsigned match = 0x1a1, local_load = 0x183, local_store = 0x187;
// Accesses to memory of which the compiler does not know whether it is shared: LD, ST, ATOM and ATOM.CAS.
constexpr unsigned generic_load = 0x180, generic_store = 0x185, generic_atomic = 0x18a, generic_cas = 0x18b;
constexpr unsigned frame_register = 1;  // where a thread's local memory begins

std::optional<AccessKind> kind_of(unsigned operation) {
  switch (operation) {
    case generic_load:
    case 0x181:  // LDG
      return AccessKind::global_load;
    case generic_store:
    case 0x186:  // STG
      return AccessKind::global_store;
    case generic_atomic:
    case generic_cas:
    case 0x18e:  // RED
    case 0x1a8:  // ATOMG
    case 0x1a9:  // ATOMG.CAS
      return AccessKind::global_atomic;
    case 0x184:  // LDS
      return AccessKind::shared_load;
    case 0x188:  // STS
      return AccessKind::shared_store;
    case 0x18c:  // ATOMS
    case 0x18d:  // ATOMS.CAS
      return AccessKind::shared_atomic;
    case 0x11d:  // BAR
      return AccessKind::barrier;
    case 0x189:  // SHFL
      return AccessKind::shuffle;
    case match:
      return AccessKind::match;
    case 0x1c4:  // REDUX
      return AccessKind::redux;
    case 0x006:  // VOTE
      return AccessKind::vote;
    default:
      return std::nullopt;
  }
}

// Where a branch leads, counted from the instruction behind it in units of four bytes. Since sm_90 the lowest
// eight bits of this number stand apart, but for BSSY.
std::int64_t distance(const Instruction& branch, bool apart) {
  const std::uint64_t field = branch.low >> 34 | branch.high << 30;
  const auto whole = static_cast<std::int64_t>(field << 16) >> 16;
  return apart ? whole * 256 + static_cast<std::int64_t>(branch.low >> 16 & 255) : whole;
}

std::vector<std::size_t> targets_of(const std::vector<Instruction>& code, bool apart) {
  std::vector<std::size_t> targets(code.size());
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i].operation() != opcode::bra && code[i].operation() != opcode::bssy) continue;
    const std::int64_t away = distance(code[i], apart && code[i].operation() == opcode::bra);
    const std::int64_t to = static_cast<std::int64_t>(i) + 1 + away / 4;
    if (away % 4 != 0 || to < 0 || to >= static_cast<std::int64_t>(code.size())) return {};
    targets[i] = static_cast<std::size_t>(to);
  }
  return targets;
}

}  // namespace

std::vector<Instruction> instructions_in(const std::vector<unsigned char>& text) {
  if (text.empty() || text.size() % instruction_bytes != 0)
    throw std::invalid_argument("no machine code of a GPU");
  std::vector<Instruction> all(text.size() / instruction_bytes);
  const auto word = [&](std::size_t at) {
    std::uint64_t value = 0;
    for (std::size_t i = 8; i-- > 0;) value = value << 8 | text[at + i];
    return value;
  };
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = {word(instruction_bytes * i), word(instruction_bytes * i + 8)};
  return all;
}

std::optional<AccessKind> kind_of(const Instruction& one) {
  const auto kind = kind_of(one.operation());
  const bool by_bytes = kind == AccessKind::global_load || kind == AccessKind::global_store;
  return by_bytes ? of_bytes(*kind, one.bytes_of_access()) : kind;
}

bool is_generic(const Instruction& one) {
  const unsigned operation = one.operation();
  return operation == generic_load || operation == generic_store || operation == generic_atomic ||
         operation == generic_cas;
}

bool is_integer(const Instruction& one) {
  switch (one.operation()) {
    case 0x002:  // MOV
    case 0x003:  // P2R
    case 0x006:  // VOTE
    case 0x007:  // SEL
    case 0x00c:  // ISETP
    case 0x010:  // IADD3
    case 0x011:  // LEA
    case 0x012:  // LOP3
    case 0x013:  // IABS
    case 0x016:  // PRMT
    case 0x017:  // IMNMX
    case 0x019:  // SHF
    case 0x01a:  // SGXT
    case 0x01b:  // BMSK
    case 0x01c:  // PLOP3
    case 0x048:  // VIMNMX
      return true;
    default:
      return false;
  }
}

// Neighbouring words of local memory belong to the same place of neighbouring lanes' frames.
double local_lines_of(const Instruction& one) {
  constexpr double lanes = 32;
  if (one.operation() != local_load && one.operation() != local_store) return 0;
  return one.address_register() == frame_register ? 1 : lanes;
}

std::vector<std::size_t> targets_of(const std::vector<Instruction>& code) {
  std::vector<std::size_t> targets = targets_of(code, false);
  return targets.empty() ? targets_of(code, true) : targets;
}

}  // namespace model
