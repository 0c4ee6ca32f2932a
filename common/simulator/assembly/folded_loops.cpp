// SPDX-License-Identifier: MIT
#include "simulator/assembly/folded_loops.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "simulator/assembly/control_flow.hpp"
#include "simulator/assembly/instrumentation_calls.hpp"
#include "simulator/assembly/loop_pragmas.hpp"

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
  // A register that is loaded last may have held other values before.
  const auto is_fixed = [&](const Operand& value) {
    if (value.kind == Operand::immediate) return true;
    const std::vector<std::size_t> lines = writes(value);
    return !place_of(value).empty() && (lines.empty() || is_loaded_again(lines.back()));
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

// A loop from one line to another with a branch back behind it.
struct Loop {
  std::size_t begin, end, compares;  // `end`: the branch, which goes by what `compares` finds
  std::vector<std::size_t> counter;  // what moves its counter on
  std::vector<std::size_t> entries;
};

template <class Function>
void for_each_instruction(const std::vector<CodeLine>& code, const Loop& loop, Function function) {
  for (std::size_t n = loop.begin; n <= loop.end; ++n) {
    if (code[n].instruction) function(n, *code[n].instruction);
  }
}

// Whether it is one basic block, and does nothing with memory but load and store.
bool only_loads_and_stores(const std::vector<CodeLine>& code, const Loop& loop) {
  unsigned entries = 0, accesses = 0;
  bool does = true;
  for_each_instruction(code, loop, [&](std::size_t n, const Instruction& i) {
    if (is_any_jump(i.name)) does &= n == loop.end;
    if (!is_call(i.name)) return;
    const std::string callee = i.operands.empty() ? "" : i.operands[0].symbol;
    const bool is_access = hook_named(callee) && begins_with(callee, {"__tsan_read", "__tsan_write"});
    entries += reports_block(i);
    accesses += is_access;
    does &= is_access || reports_block(i);
  });
  return does && entries == 1 && accesses > 0;
}

// By how much the counter moves on in each turn.
std::int64_t step_of(const std::vector<CodeLine>& code, const Loop& loop) {
  std::int64_t step = 0;
  for (const std::size_t n : loop.counter) {
    const Instruction& i = *code[n].instruction;
    step += is_any_of(i.name, {"sub"}) ? -i.operands[0].constant : i.operands[0].constant;
  }
  return step < 0 ? -step : step;
}

// The largest access by way of a register alone, which then is a pointer; 0: there is none.
std::int64_t bytes_behind(const std::vector<CodeLine>& code, const Loop& loop, Register pointer) {
  std::int64_t bytes = 0;
  for_each_instruction(code, loop, [&](std::size_t, const Instruction& i) {
    for (const Operand& operand : i.operands) {
      if (operand.kind == Operand::memory && operand.base == pointer && !operand.index &&
          !i.name.starts_with("lea"))
        bytes = std::max<std::int64_t>(bytes, bytes_of(i));
    }
  });
  return bytes;
}

bool is_of_vectors(const Instruction& i) {
  return std::ranges::any_of(i.operands, [](const Operand& one) { return one.text.starts_with("%xmm"); });
}

// Whether an integer that the loop goes on with in each turn begins as a constant.
bool begins_with_constant(const std::vector<CodeLine>& code, const Loop& loop) {
  std::set<std::string> seen, vectors;
  std::vector<Operand> goes_on;  // is read before it is written
  for_each_instruction(code, loop, [&](std::size_t, const Instruction& i) {
    for (const Operand& operand : i.operands) {
      const std::string place = place_of(operand);
      if (place.empty()) continue;
      const bool only_writes = &operand == &i.operands.back() && begins_with(i.name, {"mov", "lea"});
      if (is_of_vectors(i)) vectors.insert(place);
      if (seen.insert(place).second && !only_writes) goes_on.push_back(operand);
    }
  });
  return std::ranges::any_of(goes_on, [&](const Operand& one) {
    const std::string place = place_of(one);
    bool is_written = false;
    for_each_instruction(code, loop, [&](std::size_t, const Instruction& i) {
      is_written |= writes_last(i) && place_of(i.operands.back()) == place;
    });
    return is_written && !vectors.contains(place) && !loop.entries.empty() &&
           std::ranges::all_of(loop.entries,
                               [&](std::size_t entry) { return is_constant_at(code, entry, one); });
  });
}

// A counter without sign that goes on by more than one may step over the end, and begin anew: how many turns
// that makes nobody works out, unless the end is a constant and there may be many. What the compiler of the
// simulator compares for being equal it has worked out.
Unrolling unrolling_of(const std::vector<CodeLine>& code, const Loop& loop) {
  constexpr std::int64_t few_turns = 16;
  if (!only_loads_and_stores(code, loop)) return Unrolling::none;
  const Operand& counter = code[loop.counter.front()].instruction->operands.back();
  const std::int64_t step = step_of(code, loop), element = counter.kind == Operand::general
                                                               ? bytes_behind(code, loop, counter.reg.number)
                                                               : 0;
  const bool is_unsigned =
      is_in(code[loop.end].instruction->name, " jb jbe ja jae jnb jnbe jna jnae jc jnc ");
  const Operand& end = code[loop.compares].instruction->operands.front();
  const bool is_constant = end.kind == Operand::immediate && end.symbol.empty();
  const std::int64_t beyond =
      is_in(code[loop.end].instruction->name, " jbe jna ") ? end.constant + 1 : end.constant;
  const bool has_few_turns = is_constant && beyond < few_turns * step;
  const unsigned asked = code[loop.end].turns_as_one;
  if (is_unsigned && step > std::max<std::int64_t>(element, 1) && (has_few_turns || !is_constant)) {
    // A second turn that only a counter of zero makes is an `if`.
    return asked > 0 || (is_constant && beyond == step + 1) ? Unrolling::none : Unrolling::by_rest;
  }
  if (asked > 0 && asked != 4) return Unrolling::none;
  const bool is_wide = asked > 0 || has_few_turns ||
                       (element == 0 && counter.kind == Operand::general && counter.reg.bytes == 8);
  if (begins_with_constant(code, loop)) return is_wide ? Unrolling::counted_wide : Unrolling::counted;
  return is_wide ? Unrolling::counted_wide_first : Unrolling::counted_first;
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
    if (begin == labels.end() || code[n].turns_as_one == 1) continue;
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
      const Unrolling unrolling = unrolling_of(code, {begin->second, n, *compares, folded, entries});
      folded.push_back(*compares);
      folded.push_back(n);
      if (has_one_end(code, labels, begin->second, n)) {
        for (std::size_t at = begin->second; at <= n; ++at)
          code[at].is_counted = true, code[at].unrolling = unrolling;
      }
    }
    for (const std::size_t at : folded) code[at].folds = true;
  }
}

}  // namespace

std::vector<CodeLine> code_with_folded_loops(const std::vector<std::string_view>& lines) {
  std::vector<CodeLine> code(lines.size());
  const std::map<std::size_t, unsigned> of_loops = jumps_of_loops_with_pragma(lines);
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
    if (const auto of_loop = of_loops.find(n); of_loop != of_loops.end()) one.turns_as_one = of_loop->second;
    if (const auto label = label_in(line)) one.label = *label;
    if (is_code(line)) one.instruction = instruction_in(line);
    function.push_back(std::move(one));
  }
  end_function(lines.size());
  return code;
}

}  // namespace simulator::x86
