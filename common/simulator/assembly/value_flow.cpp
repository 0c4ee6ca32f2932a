// SPDX-License-Identifier: MIT
#include "simulator/assembly/value_flow.hpp"

namespace simulator::x86 {

std::optional<std::size_t> vector_register(std::string_view name) {
  if (!name.starts_with("%xmm") && !name.starts_with("%ymm")) return std::nullopt;
  const auto number = number_in(name.substr(4));
  if (!number || static_cast<std::size_t>(*number) >= vector_registers) return std::nullopt;
  return static_cast<std::size_t>(*number);
}

bool overwrites(const Instruction& i) {
  if (i.name.starts_with("movlp") || i.name.starts_with("movhp")) return false;
  for (const std::string_view begin :
       {"mov", "lea", "cvt", "set", "popcnt", "lzcnt", "tzcnt", "bsf", "bsr", "sqrt", "pshuf", "pextr"}) {
    if (i.name.starts_with(begin)) return true;
  }
  return is_any_of(i.name, {"imul"}) && i.operands.size() == 3;
}

bool leaves_flags(const Instruction& i) {
  for (const std::string_view begin :
       {"mov", "lea", "cvt", "set", "cmov", "not", "push", "pop", "p", "xchg", "nop", "bswap"}) {
    if (i.name.starts_with(begin)) return i.name != "ptest" && !i.name.starts_with("popcnt");
  }
  return i.name.ends_with("ss") || i.name.ends_with("sd") || i.name.ends_with("ps") || i.name.ends_with("pd")
             ? !i.name.starts_with("comis") && !i.name.starts_with("ucomis")
             : false;
}

bool reads_flags(const Instruction& i) {
  return i.name.starts_with("cmov") || i.name.starts_with("set") ||
         is_any_of(i.name, {"adc", "sbb", "rcl", "rcr"});
}

bool has_same_operand_twice(const Instruction& i) {
  const auto& o = i.operands;
  return o.size() == 2 && o[0].text == o[1].text && o[0].kind == o[1].kind && o[0].kind != Operand::memory;
}

bool makes_zero(const Instruction& i) {
  return has_same_operand_twice(i) &&
         (is_any_of(i.name, {"xor", "sub"}) || i.name.starts_with("pxor") || i.name.starts_with("xorp"));
}

}  // namespace simulator::x86
