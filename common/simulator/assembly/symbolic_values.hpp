// SPDX-License-Identifier: MIT
// What the registers and the stack of a function hold, as far as it can be told from its assembly for x86-64:
// each value is a sum of a constant and of symbols, and so are the addresses that the instrumentation has
// reported. The function is followed line by line, again and again until nothing changes: what is known at a
// label follows from what is known where it is jumped to, and the other way round. (An abstract
// interpretation.)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simulator/assembly/unit_symbols.hpp"
#include "simulator/assembly/x86_assembly.hpp"

namespace simulator::x86 {

// A value as far as it is known: a constant and so many times each unknown. Unknowns with a number below 0
// are symbols, which stand for the same everywhere in the function.
struct SymbolicValue {
  std::int64_t constant = 0;
  std::map<int, std::int64_t> unknowns = {};

  SymbolicValue& add(const SymbolicValue& other, std::int64_t times = 1) {
    constant += times * other.constant;
    for (const auto& [unknown, count] : other.unknowns) {
      if ((unknowns[unknown] += times * count) == 0) unknowns.erase(unknown);
    }
    return *this;
  }
  bool operator==(const SymbolicValue&) const = default;
  auto operator<=>(const SymbolicValue&) const = default;
};

// An access that the instrumentation has reported.
struct ReportedAccess {
  SymbolicValue address;
  std::int64_t bytes;
  bool writes;
  std::size_t line;    // of the call
  std::size_t number;  // since the last label or call
};

class SymbolicValues {
 public:
  explicit SymbolicValues(const UnitSymbols& symbols) : symbols_(symbols) {}

  void begin_function();
  // Goes through the function's lines once more.
  void begin_round();
  // Whether this round has changed what is known at a label.
  bool has_changed() const { return changed_; }
  // Too many rounds: nothing is known at labels in the rounds to come of this function.
  void give_up() { gives_up_ = true; }

  void come_to(const std::string& label);
  void follow(const Instruction& i, std::size_t line);

  SymbolicValue address_of(const Operand& operand);
  // Those that are known here, the oldest first.
  const std::vector<ReportedAccess>& reported() const { return reported_; }
  bool is_reported(const Operand& operand, int bytes, bool writes);

 private:
  // What is known at a place in a function. Values across jumps are made of symbols alone, which are the same
  // on every way there.
  struct Known {
    std::array<SymbolicValue, registers> values;
    std::map<SymbolicValue, SymbolicValue> slots;  // words of the function's part of the stack, by address
  };

  SymbolicValue unknown();
  SymbolicValue symbol(const std::string& name);
  static bool is_of_symbols(const SymbolicValue& value);
  void forget();
  Known of_symbols(const Known& known);
  void join(const std::string& label);
  SymbolicValue value_of(const Operand& operand);
  void set(const Operand& operand, SymbolicValue value, int bytes);
  void follow_call(const Instruction& i, std::size_t line);

  const UnitSymbols& symbols_;
  std::map<std::string, int> numbers_;  // of symbols
  int last_unknown_ = 0;
  Known known_;
  std::vector<ReportedAccess> reported_;
  std::map<std::string, Known> at_label_;
  bool changed_ = false, gives_up_ = false;
  bool reached_ = true;  // whether a way leads to the line
};

}  // namespace simulator::x86
