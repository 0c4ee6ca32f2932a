// SPDX-License-Identifier: MIT
#include "model/counted_loops.hpp"

#include <algorithm>
#include <cstdint>

namespace model {

namespace {

// Of an instruction with one operand that is a number; both the registers of a thread and those of a warp.
unsigned form(const Instruction& one) { return one.low & 0xfff; }
constexpr unsigned add = 0x810, add_two = 0x836, add_uniform = 0x890, compare = 0x80c,
                   compare_uniform = 0x88c;

unsigned result(const Instruction& one) { return one.low >> 16 & 255; }
unsigned first_operand(const Instruction& one) { return one.low >> 24 & 255; }
unsigned second_operand(const Instruction& one) { return one.low >> 32 & 255; }
unsigned third_operand(const Instruction& one) { return one.high & 255; }
std::uint32_t number(const Instruction& one) { return static_cast<std::uint32_t>(one.low >> 32); }
bool is_zero(unsigned register_) { return register_ == 255; }

// The number that the instruction puts into its register; nullopt: it does something else.
std::optional<std::uint32_t> constant(const Instruction& one) {
  constexpr unsigned multiply = 0x224, multiply_number = 0x424, multiply_halves = 0x431,
                     multiply_halves_before = 0x435, move = 0x802, move_register = 0x202,
                     move_uniform = 0x882, move_zero = 0x805;
  switch (form(one)) {
    case multiply:  // 0 * x + y, how the compiler moves registers
      if (is_zero(first_operand(one)) && is_zero(third_operand(one))) return 0;
      return std::nullopt;
    case multiply_number:
    case multiply_halves:
    case multiply_halves_before:
      if (is_zero(first_operand(one))) return number(one);
      return std::nullopt;
    case move_register:
      if (is_zero(second_operand(one))) return 0;
      return std::nullopt;
    case move:
    case move_uniform:
      return number(one);
    case move_zero:
      return 0;
    default:
      return std::nullopt;
  }
}

// A comparison of two numbers of 32 bits, as the instruction writes it.
bool holds(const Instruction& comparison, std::uint32_t a, std::uint32_t b) {
  enum { less = 1, equal, at_most, more, unequal, at_least };
  const bool is_signed = (comparison.high >> 9 & 1) != 0;
  const std::int64_t x = is_signed ? static_cast<std::int32_t>(a) : std::int64_t{a},
                     y = is_signed ? static_cast<std::int32_t>(b) : std::int64_t{b};
  switch (comparison.high >> 12 & 7) {
    case less:
      return x < y;
    case equal:
      return x == y;
    case at_most:
      return x <= y;
    case more:
      return x > y;
    case unequal:
      return x != y;
    case at_least:
      return x >= y;
    default:
      return false;
  }
}

}  // namespace

std::optional<double> turns_of_loop(const std::vector<Instruction>& code, std::size_t head,
                                    std::size_t branch) {
  if (head >= branch) return std::nullopt;
  const auto begin = code.begin() + static_cast<std::ptrdiff_t>(head),
             end = code.begin() + static_cast<std::ptrdiff_t>(branch);
  const auto goes_elsewhere = [](const Instruction& one) {
    using namespace opcode;
    const unsigned operation = one.operation();
    return operation == bra || operation == brx || operation == exit || operation == ret ||
           operation == bssy || operation == bsync || kind_of(one);
  };
  if (std::any_of(begin, end, goes_elsewhere)) return std::nullopt;
  // The branch is taken under a predicate that a comparison of the counter with a number has set.
  const unsigned predicate = code[branch].low >> 12 & 7;
  const bool is_negated = (code[branch].low >> 15 & 1) != 0;
  if (predicate == Instruction::always) return std::nullopt;
  auto comparison = end;
  for (auto at = begin; at != end; ++at) {
    if ((form(*at) == compare || form(*at) == compare_uniform) && (at->high >> 17 & 7) == predicate)
      comparison = at;
  }
  if (comparison == end) return std::nullopt;
  const unsigned counter = first_operand(*comparison);
  const bool is_uniform = form(*comparison) == compare_uniform;
  const auto changes = [&](const Instruction& one) {
    const bool adds = is_uniform ? form(one) == add_uniform : form(one) == add || form(one) == add_two;
    return adds && result(one) == counter && first_operand(one) == counter;
  };
  const auto addition = std::find_if(begin, end, changes);
  if (addition == end || std::any_of(addition + 1, end, changes)) return std::nullopt;
  std::optional<std::uint32_t> value;
  for (auto at = begin; at != code.begin() && !value;) {
    --at;
    if (result(*at) != counter || kind_of(*at) || goes_elsewhere(*at)) continue;
    value = constant(*at);
    if (!value) return std::nullopt;
  }
  if (!value) return std::nullopt;
  constexpr unsigned most_turns = 1 << 20;
  for (unsigned turn = 1; turn <= most_turns; ++turn) {
    const std::uint32_t before = *value;
    *value += number(*addition);
    if (holds(*comparison, comparison < addition ? before : *value, number(*comparison)) == is_negated)
      return turn;
  }
  return std::nullopt;
}

}  // namespace model
