// SPDX-License-Identifier: MIT
#include "model/counted_loops.hpp"

#include <algorithm>
#include <cstdint>

namespace model {

namespace {

// What it is and what its operands are: here registers and a number. (Loops that count in the registers that
// a warp's lanes share are left alone: nvcc was not seen to write such as have no access.)
unsigned form(const Instruction& one) { return one.low & 0xfff; }
constexpr unsigned add = 0x810, add_two = 0x836, compare = 0x80c;

unsigned result(const Instruction& one) { return one.low >> 16 & 255; }
unsigned first_operand(const Instruction& one) { return one.low >> 24 & 255; }
unsigned second_operand(const Instruction& one) { return one.low >> 32 & 255; }
unsigned third_operand(const Instruction& one) { return one.high & 255; }
std::uint32_t number(const Instruction& one) { return static_cast<std::uint32_t>(one.low >> 32); }
bool is_zero(unsigned register_) { return register_ == 255; }

// The number that the instruction puts into its register; nullopt: it does something else.
std::optional<std::uint32_t> constant(const Instruction& one) {
  constexpr unsigned multiply = 0x224, multiply_number = 0x424, multiply_halves = 0x431,
                     multiply_halves_before = 0x435, move = 0x802, move_register = 0x202, move_zero = 0x805;
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

bool goes_elsewhere(const Instruction& one) {
  using namespace opcode;
  const unsigned operation = one.operation();
  return operation == bra || operation == brx || operation == exit || operation == ret || operation == bssy ||
         operation == bsync;
}

// What the register holds in front of the loop, if the last instruction there that writes it puts a number
// into it.
std::optional<std::uint32_t> first_value(const std::vector<Instruction>& code, std::size_t head,
                                         unsigned register_) {
  for (std::size_t at = head; at-- > 0;) {
    if (result(code[at]) == register_ && !kind_of(code[at]) && !goes_elsewhere(code[at]))
      return constant(code[at]);
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> turns_of_loop(const std::vector<Instruction>& code, std::size_t head,
                                    std::size_t branch) {
  if (head >= branch) return std::nullopt;
  const auto begin = code.begin() + static_cast<std::ptrdiff_t>(head),
             end = code.begin() + static_cast<std::ptrdiff_t>(branch);
  if (std::any_of(begin, end, [](const Instruction& one) { return goes_elsewhere(one) || kind_of(one); }))
    return std::nullopt;
  // The branch is taken under a predicate that a comparison of the counter with a number has set.
  const unsigned predicate = code[branch].low >> 12 & 7;
  const bool is_negated = (code[branch].low >> 15 & 1) != 0;
  if (predicate == Instruction::always) return std::nullopt;
  auto comparison = end;
  for (auto at = begin; at != end; ++at) {
    if (form(*at) == compare && (at->high >> 17 & 7) == predicate) comparison = at;
  }
  if (comparison == end) return std::nullopt;
  const unsigned counter = first_operand(*comparison);
  const auto grows = [&](const Instruction& one) {
    return (form(one) == add || form(one) == add_two) && result(one) == counter &&
           first_operand(one) == counter;
  };
  const auto addition = std::find_if(begin, end, grows);
  const auto writes = [&](const Instruction& one) { return form(one) != compare && result(one) == counter; };
  if (addition == end || std::count_if(begin, end, writes) != 1) return std::nullopt;
  auto value = first_value(code, head, counter);
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
