// SPDX-License-Identifier: MIT
#include "simulator/assembly/folded_loops.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "simulator/assembly/control_flow.hpp"

namespace simulator::x86 {

namespace {

// Where a function keeps a value: a register, or a place of its frame. Empty: elsewhere.
std::string place_of(const Operand& operand) {
  if (operand.kind == Operand::general) return std::to_string(operand.reg.number);
  return operand.is_of_frame() ? operand.text : "";
}

using KnownPlaces = std::set<std::string>;  // places whose values are known while the code is compiled

void forget_what_calls_change(KnownPlaces& known) {
  for (const Register one : {rax, rcx, rdx, rsi, rdi, r8, r9, r10, r11}) known.erase(std::to_string(one));
}

bool is_known(const Operand& operand, const KnownPlaces& known) {
  if (operand.kind == Operand::immediate) return operand.symbol.empty();
  return known.contains(place_of(operand));
}

// Where the function's frame is, everything in it is at known distances from.
bool is_known_address(const Operand& from, const KnownPlaces& known) {
  const auto holds = [&](const std::optional<Register>& reg) {
    return !reg || *reg == rbp || *reg == rsp || known.contains(std::to_string(*reg));
  };
  return from.symbol.empty() && !from.by_place && holds(from.base) && holds(from.index);
}

// Goes through an instruction: whether what it computes is known, and what is known behind it.
bool folds(const Instruction& i, KnownPlaces& known) {
  static const std::string flags = "flags";
  if (is_call(i.name)) {
    forget_what_calls_change(known);
    return false;
  }
  if (is_any_jump(i.name)) return known.contains(flags);
  if (i.operands.empty()) return false;
  const bool is_address = i.name.starts_with("lea"), is_move = i.name.starts_with("mov"),
             by_flags = begins_with(i.name, {"cmov", "set", "adc", "sbb"});
  bool all_known = !by_flags || known.contains(flags);
  for (std::size_t o = 0; o < i.operands.size(); ++o) {
    const bool is_target = o + 1 == i.operands.size() && writes_last(i);
    if (is_target && (is_address || is_move) && i.operands.size() > 1) continue;
    all_known =
        all_known && (is_address ? is_known_address(i.operands[o], known) : is_known(i.operands[o], known));
  }
  if (writes_hidden_registers(i)) forget_what_calls_change(known), all_known = false;
  if (writes_last(i)) {
    const std::string target = place_of(i.operands.back());
    if (all_known && !target.empty()) known.insert(target);
    if (!all_known) known.erase(target);
  }
  if (!is_move && !is_address && !by_flags) {
    if (all_known) known.insert(flags);
    if (!all_known) known.erase(flags);
  }
  return all_known;
}

bool always_jumps(const Instruction& i) { return i.name == "jmp" || i.name == "jmpq" || is_return(i.name); }

// Where control comes from into a loop: lines whose predecessors in the text lead there. Behind the loop
// these may also be branches back to it.
std::vector<std::size_t> entries_of(const std::vector<CodeLine>& code, std::size_t begin, std::size_t end) {
  std::vector<std::size_t> entries;
  std::size_t before = begin;
  while (before > 0 && !code[before - 1].instruction) --before;
  if (before > 0 && !always_jumps(*code[before - 1].instruction)) entries.push_back(begin);
  for (std::size_t n = 0; n < code.size(); ++n) {
    const auto& i = code[n].instruction;
    if (i && is_any_jump(i->name) && !i->operands.empty() && i->operands[0].symbol == code[begin].label &&
        (n < begin || n > end))
      entries.push_back(n);
  }
  return entries;
}

// An address in the function's frame, or of a variable of the file or of shared memory.
bool is_of_variable(const Operand& address) {
  return address.is_of_frame() || (!address.symbol.empty() && !address.index);
}

// Whether a value was last made a constant in front of a line, or the address of a variable.
bool is_constant_at(const std::vector<CodeLine>& code, std::size_t line, const Operand& value) {
  const std::string place = place_of(value);
  for (std::size_t n = line; n-- > 0 && !place.empty();) {
    const auto& i = code[n].instruction;
    if (!i || i->operands.empty() || !writes_last(*i) || place_of(i->operands.back()) != place) continue;
    if (i->name.starts_with("mov")) return i->operands.front().kind == Operand::immediate;
    if (i->name.starts_with("lea")) return is_of_variable(i->operands.front());
    return is_any_of(i->name, {"xor"}) && i->operands.front().text == i->operands.back().text;
  }
  return false;
}

// What moves on by the same in each turn of an unrolled loop becomes a number in the instructions that use
// it.
bool moves_on(const Instruction& i) {
  return is_any_of(i.name, {"add", "sub"}) && i.operands.size() == 2 &&
         i.operands[0].kind == Operand::immediate && !place_of(i.operands[1]).empty();
}

// The last instruction in front of a branch that decides about it.
std::optional<std::size_t> decides(const std::vector<CodeLine>& code, std::size_t begin, std::size_t branch) {
  for (std::size_t n = branch; n-- > begin;) {
    const auto& i = code[n].instruction;
    if (i && i->operands.size() == 2 && is_any_of(i->name, {"cmp", "sub", "add", "test"})) return n;
  }
  return std::nullopt;
}

// The instructions of a loop that count it through: they move one side of the comparison on by a constant,
// and nothing in the loop changes the other, which each turn may load from the function's frame.
std::vector<std::size_t> counts_through(const std::vector<CodeLine>& code, std::size_t begin,
                                        std::size_t compares) {
  const auto writes = [&](const Operand& value) {
    std::vector<std::size_t> lines;
    const std::string place = place_of(value);
    for (std::size_t n = begin; n <= compares && !place.empty(); ++n) {
      const auto& i = code[n].instruction;
      if (i && writes_last(*i) && place_of(i->operands.back()) == place) lines.push_back(n);
    }
    return lines;
  };
  const auto is_loaded_again = [&](std::size_t n) {
    const Instruction& i = *code[n].instruction;
    return is_any_of(i.name, {"mov"}) && i.operands.front().is_of_frame() &&
           writes(i.operands.front()).empty();
  };
  const auto is_fixed = [&](const Operand& value) {
    return value.kind == Operand::immediate ||
           (!place_of(value).empty() && std::ranges::all_of(writes(value), is_loaded_again));
  };
  const std::vector<Operand>& sides = code[compares].instruction->operands;
  for (const std::size_t side : {0, 1}) {
    const std::vector<std::size_t> counter = writes(sides[side]);
    if (is_fixed(sides[1 - side]) && !counter.empty() &&
        std::ranges::all_of(counter, [&](std::size_t n) { return moves_on(*code[n].instruction); }))
      return counter;
  }
  return {};
}

// Whether no branch leaves the loop but the one at its end, and none in it goes back but those of loops that
// are unrolled: a compiler that does not know the turns unrolls no others.
bool has_one_end(const std::vector<CodeLine>& code, const std::map<std::string, std::size_t>& labels,
                 std::size_t begin, std::size_t end) {
  for (std::size_t n = begin; n < end; ++n) {
    const auto& jump = code[n].instruction;
    if (!jump || !is_any_jump(jump->name) || code[n].folds) continue;
    if (jump->operands.empty() || jump->indirect) return false;
    const std::string& to = jump->operands[0].symbol;
    const auto back = labels.find(to);
    if (back != labels.end() && back->second < n) {
      if (back->second < begin || !code[n].is_unrolled) return false;
      continue;
    }
    const bool stays = std::any_of(code.begin() + static_cast<std::ptrdiff_t>(n),
                                   code.begin() + static_cast<std::ptrdiff_t>(end) + 1,
                                   [&](const CodeLine& line) { return line.label == to; });
    if (!stays) return false;
  }
  return true;
}

// A loop whose turns can be counted is unrolled by a GPU's compiler: what counts it goes. If it begins and
// ends with constants, what is computed of its counter alone is known as well.
void fold_loops(std::vector<CodeLine>& code) {
  std::map<std::string, std::size_t> labels;
  for (std::size_t n = 0; n < code.size(); ++n) {
    if (!code[n].label.empty()) labels[code[n].label] = n;
    const auto& jump = code[n].instruction;
    if (!jump || !is_any_jump(jump->name) || jump->name == "jmp" || jump->operands.empty()) continue;
    const auto begin = labels.find(jump->operands[0].symbol);
    if (begin == labels.end()) continue;
    const auto compares = decides(code, begin->second, n);
    if (!compares) continue;
    const std::vector<std::size_t> entries = entries_of(code, begin->second, n);
    KnownPlaces known;
    for (const Operand& one : code[*compares].instruction->operands) {
      const auto is_constant = [&](std::size_t entry) { return is_constant_at(code, entry, one); };
      const auto comes_back = [&](std::size_t entry) { return entry > n && !is_constant(entry); };
      if (std::ranges::any_of(entries, is_constant) &&
          std::ranges::all_of(entries, [&](std::size_t e) { return is_constant(e) || comes_back(e); }))
        known.insert(place_of(one));
    }
    std::vector<std::size_t> folded;
    for (std::size_t at = begin->second; at <= n; ++at) {
      const auto& instruction = code[at].instruction;
      if (instruction && (folds(*instruction, known) || moves_on(*instruction))) folded.push_back(at);
    }
    if (!folded.empty() && folded.back() == n) {
      for (std::size_t at = begin->second; at <= n; ++at) code[at].is_unrolled = true;
    } else {
      folded = counts_through(code, begin->second, *compares);
      if (folded.empty()) continue;
      folded.push_back(*compares);
      folded.push_back(n);
      if (has_one_end(code, labels, begin->second, n)) {
        for (std::size_t at = begin->second; at <= n; ++at) code[at].is_counted = true;
      }
    }
    for (const std::size_t at : folded) code[at].folds = true;
  }
}

}  // namespace

std::vector<CodeLine> code_with_folded_loops(const std::vector<std::string_view>& lines) {
  std::vector<CodeLine> code(lines.size());
  std::vector<CodeLine> function;
  std::size_t begin = 0;
  const auto end_function = [&](std::size_t end) {
    fold_loops(function);
    for (std::size_t n = begin; n < end; ++n) code[n] = std::move(function[n - begin]);
    function.clear();
    begin = end;
  };
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const std::string_view line = trimmed(lines[n]);
    if (function_declared_in(line)) end_function(n);
    CodeLine one;
    if (const auto label = label_in(line)) one.label = *label;
    if (is_code(line)) one.instruction = instruction_in(line);
    function.push_back(std::move(one));
  }
  end_function(lines.size());
  return code;
}

}  // namespace simulator::x86
