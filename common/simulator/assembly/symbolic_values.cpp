// SPDX-License-Identifier: MIT
#include "simulator/assembly/symbolic_values.hpp"

#include <algorithm>
#include <utility>

#include "simulator/assembly/instrumentation_calls.hpp"

namespace simulator::x86 {

void SymbolicValues::begin_function() {
  at_label_.clear();
  gives_up_ = false;
}

void SymbolicValues::begin_round() {
  known_ = {};
  for (SymbolicValue& value : known_.values) value = unknown();
  known_.values[rsp] = symbol("%entry");
  reported_.clear();
  changed_ = false;
  reached_ = true;
}

SymbolicValue SymbolicValues::unknown() { return {0, {{++last_unknown_, 1}}}; }

SymbolicValue SymbolicValues::symbol(const std::string& name) {
  const auto [at, added] = numbers_.try_emplace(name, 0);
  if (added) at->second = -static_cast<int>(numbers_.size());
  return {0, {{at->second, 1}}};
}

bool SymbolicValues::is_of_symbols(const SymbolicValue& value) {
  return std::all_of(value.unknowns.begin(), value.unknowns.end(),
                     [](const auto& part) { return part.first < 0; });
}

void SymbolicValues::forget() {
  for (SymbolicValue& value : known_.values) value = unknown();
  known_.slots.clear();
  reported_.clear();
}

SymbolicValues::Known SymbolicValues::of_symbols(const Known& known) {
  Known part;
  for (std::size_t r = 0; r < registers; ++r)
    part.values[r] = is_of_symbols(known.values[r]) ? known.values[r] : unknown();
  for (const auto& [at, value] : known.slots) {
    if (is_of_symbols(at) && is_of_symbols(value)) part.slots[at] = value;
  }
  return part;
}

// A way to the label.
void SymbolicValues::join(const std::string& label) {
  const auto at = at_label_.find(label);
  if (at == at_label_.end()) {
    at_label_[label] = of_symbols(known_);
    changed_ = true;
    return;
  }
  Known& known = at->second;
  for (std::size_t r = 0; r < registers; ++r) {
    if (known.values[r] == known_.values[r] || !is_of_symbols(known.values[r])) continue;
    known.values[r] = unknown();
    changed_ = true;
  }
  const std::size_t erased = std::erase_if(known.slots, [&](const auto& slot) {
    const auto other = known_.slots.find(slot.first);
    return other == known_.slots.end() || other->second != slot.second;
  });
  if (erased > 0) changed_ = true;
}

void SymbolicValues::come_to(const std::string& label) {
  const bool by_table = symbols_.addresses.contains(label);
  if (!by_table && !symbols_.jumped_to.contains(label)) return;
  reported_.clear();
  if (by_table || gives_up_) {
    reached_ = true;
    return forget();
  }
  if (reached_) join(label);
  const auto at = at_label_.find(label);
  reached_ = at != at_label_.end();
  if (reached_) {
    known_ = at->second;
  } else {
    forget();
  }
}

SymbolicValue SymbolicValues::address_of(const Operand& operand) {
  SymbolicValue value{operand.constant, {}};
  if (!operand.symbol.empty()) value.add(symbol(operand.symbol));
  if (operand.of_thread) value.add(symbol("%fs"));
  if (operand.base) value.add(known_.values[*operand.base]);
  if (operand.index) value.add(known_.values[*operand.index], operand.scale);
  return value;
}

SymbolicValue SymbolicValues::value_of(const Operand& operand) {
  if (operand.kind == Operand::immediate) {
    SymbolicValue value{operand.constant, {}};
    if (!operand.symbol.empty()) value.add(symbol(operand.symbol));
    return value;
  }
  if (operand.kind == Operand::general && operand.reg.bytes == 8) return known_.values[operand.reg.number];
  if (operand.kind != Operand::memory) return unknown();
  if (operand.of_thread && operand.symbol.empty() && operand.constant == 0 && !operand.base)
    return symbol("%fs");
  if (!operand.is_of_frame()) return unknown();
  const auto [slot, added] = known_.slots.try_emplace(address_of(operand));
  if (added) slot->second = unknown();
  return slot->second;
}

void SymbolicValues::set(const Operand& operand, SymbolicValue value, int bytes) {
  if (operand.kind == Operand::general) {
    const bool whole =
        operand.reg.bytes == 8 || (operand.reg.bytes == 4 && value.unknowns.empty() && value.constant >= 0);
    known_.values[operand.reg.number] = whole ? std::move(value) : unknown();
  } else if (operand.is_of_frame()) {
    const SymbolicValue at = address_of(operand);
    std::erase_if(known_.slots, [&](const auto& slot) {
      if (slot.first.unknowns != at.unknowns) return true;
      const std::int64_t distance = slot.first.constant - at.constant;
      return distance > -8 && distance < bytes;
    });
    if (bytes == 8) known_.slots[at] = std::move(value);
  } else if (operand.kind == Operand::memory) {
    known_.slots.clear();
  }
}

void SymbolicValues::follow(const Instruction& i, std::size_t line) {
  const auto& o = i.operands;
  const int bytes = bytes_of(i);
  if (is_call(i.name)) return follow_call(i, line);
  if (is_any_jump(i.name)) {
    if (!i.indirect && o.size() == 1) join(o[0].symbol);
    if (i.name.starts_with("jmp")) reached_ = false;
  } else if (is_return(i.name) || i.name == "ud2") {
    reached_ = false;
  } else if (is_any_of(i.name, {"push"})) {
    const SymbolicValue value = o.empty() ? unknown() : value_of(o[0]);
    known_.values[rsp].constant -= 8;
    known_.slots[known_.values[rsp]] = value;
  } else if (is_any_of(i.name, {"pop"})) {
    const auto slot = known_.slots.find(known_.values[rsp]);
    const SymbolicValue value = slot != known_.slots.end() ? slot->second : unknown();
    known_.values[rsp].constant += 8;
    if (o.size() == 1) set(o[0], value, 8);
  } else if (is_any_of(i.name, {"lea"}) && o.size() == 2 && o[0].kind == Operand::memory) {
    set(o[1], address_of(o[0]), 8);
  } else if ((is_any_of(i.name, {"mov"}) || i.name == "movabsq") && o.size() == 2) {
    set(o[1], value_of(o[0]), bytes);
  } else if (is_any_of(i.name, {"add", "sub"}) && o.size() == 2 && o[1].kind == Operand::general) {
    SymbolicValue value = value_of(o[1]);
    value.add(value_of(o[0]), is_any_of(i.name, {"add"}) ? 1 : -1);
    set(o[1], std::move(value), 8);
  } else if (is_any_of(i.name, {"shl", "sal"}) && o.size() == 2 && o[0].kind == Operand::immediate &&
             o[0].constant >= 0 && o[0].constant < 32) {
    SymbolicValue value;
    value.add(value_of(o[1]), std::int64_t{1} << o[0].constant);
    set(o[1], std::move(value), bytes);
  } else if (writes_rax_and_rdx(i)) {
    known_.values[rax] = known_.values[rdx] = unknown();
  } else if (writes_hidden_registers(i)) {
    forget();
  } else if (writes_last(i)) {
    set(o.back(), unknown(), bytes);
  }
}

void SymbolicValues::follow_call(const Instruction& i, std::size_t line) {
  const std::string name = i.indirect || i.operands.empty() ? "" : i.operands[0].symbol;
  if (const auto hook = hook_named(name)) {
    const SymbolicValue& second = known_.values[rsi];
    const std::int64_t bytes = hook->bytes > 0           ? hook->bytes
                               : second.unknowns.empty() ? std::max<std::int64_t>(second.constant, 0)
                                                         : 0;
    reported_.push_back({known_.values[rdi], bytes, hook->writes, line, reported_.size()});
  }
  for (const Register r : {rax, rcx, rdx, rsi, rdi, r8, r9, r10, r11}) known_.values[r] = unknown();
  const bool is_of_unit = symbols_.defined.contains(name.substr(0, name.find('@')));
  if (leaves_frame_alone(name) || (only_computes(name) && !is_of_unit)) return;
  known_.slots.clear();
  reported_.clear();
  // A function of the unit's own may have changed them on its part of the stack.
  if (!i.indirect && !is_of_unit) return;
  for (const Register r : {rbx, r12, r13, r14, r15}) known_.values[r] = unknown();
}

bool SymbolicValues::is_reported(const Operand& operand, int bytes, bool writes) {
  const SymbolicValue address = address_of(operand);
  return std::any_of(reported_.begin(), reported_.end(), [&](const ReportedAccess& access) {
    const std::int64_t distance = address.constant - access.address.constant;
    return address.unknowns == access.address.unknowns && distance >= 0 && distance + bytes <= access.bytes &&
           (access.writes || !writes);
  });
}

}  // namespace simulator::x86
