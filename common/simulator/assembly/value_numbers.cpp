// SPDX-License-Identifier: MIT
#include "simulator/assembly/value_numbers.hpp"

#include <functional>

#include "simulator/assembly/value_flow.hpp"

namespace simulator::x86 {

namespace {

std::uint64_t drawn(std::uint64_t from) {
  std::uint64_t z = from + 0x9e3779b97f4a7c15u;  // SplitMix64's steps
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// The lowest so many bits of a value.
std::uint64_t lowest_bits(std::uint64_t number, std::int64_t mask) {
  return number_drawn_from({1, number, static_cast<std::uint64_t>(mask)});
}

// Of a value that is brought to another place, in whole or in part.
std::uint64_t moved(const Operand& from, std::uint64_t number) {
  constexpr std::int64_t byte = 0xff, half = 0xffff;
  if (from.kind != Operand::general || from.reg.bytes > 2) return number;
  if (from.reg.bytes == 2) return lowest_bits(number, half);
  constexpr std::uint64_t of_second_byte = 2;
  return from.text.ends_with('h') ? number_drawn_from({of_second_byte, number}) : lowest_bits(number, byte);
}

}  // namespace

std::uint64_t number_drawn_from(std::initializer_list<std::uint64_t> numbers) {
  std::uint64_t result = numbers.size();
  for (const std::uint64_t number : numbers) result = drawn(result ^ drawn(number));
  return result;
}

std::uint64_t number_of(const Instruction& i, std::span<const std::uint64_t> read, std::uint64_t flags) {
  const auto& o = i.operands;
  constexpr std::int64_t bits = 64;
  const bool by_number = o.size() >= 2 && o[0].kind == Operand::immediate && o[0].symbol.empty();
  const bool takes_two = o.size() == 2 && read.size() == 2;
  if (takes_two && is_any_of(i.name, {"add"})) return read[0] + read[1];
  if (takes_two && is_any_of(i.name, {"sub"})) return read[1] - read[0];
  if (read.size() == 1 && is_any_of(i.name, {"inc"})) return read[0] + 1;
  if (read.size() == 1 && is_any_of(i.name, {"dec"})) return read[0] - 1;
  if (read.size() == 1 && is_any_of(i.name, {"neg"})) return -read[0];
  if (read.size() == 1 && begins_with(i.name, {"movz", "movs", "movd", "movq"})) return moved(o[0], read[0]);
  if (by_number && read.size() >= 2) {
    const std::int64_t constant = o[0].constant;
    if (is_any_of(i.name, {"sal", "shl"}) && constant < bits) return read[1] << constant;
    if (is_any_of(i.name, {"imul"})) return read[1] * static_cast<std::uint64_t>(constant);
    if (is_any_of(i.name, {"and"})) return lowest_bits(read[1], constant);
  }
  std::uint64_t result =
      number_drawn_from({std::hash<std::string>{}(i.name), reads_flags(i) ? flags : 0, read.size()});
  for (const std::uint64_t number : read) result = number_drawn_from({result, number});
  return result;
}

}  // namespace simulator::x86
