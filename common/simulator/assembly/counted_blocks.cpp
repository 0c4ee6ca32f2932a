// SPDX-License-Identifier: MIT
#include "simulator/assembly/counted_blocks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "simulator/assembly/control_flow.hpp"
#include "simulator/assembly/instrumentation_calls.hpp"
#include "simulator/assembly/known_values.hpp"
#include "simulator/assembly/short_branches.hpp"
#include "simulator/assembly/x86_assembly.hpp"

namespace simulator {

namespace {

using namespace x86;

constexpr std::string_view entered = "__sanitizer_cov_trace_pc";

struct Counts {
  unsigned arithmetic = 0, branches = 0, divisions = 0;
  bool is_unrolled = false;
  bool is_unrolled_in_part = false;
  bool goes_on = false;  // no branch of a GPU's code leads to where it begins
};

bool begins_with(std::string_view name, std::initializer_list<std::string_view> beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view one) { return name.starts_with(one); });
}

bool is_of_stack(const Operand& operand) { return operand.is_reg(rsp) || operand.is_reg(rbp); }

// --- x86-64

// Whether it only brings a value to another place, or a thread's stack to another height.
bool moves_only(const Instruction& i) {
  if (begins_with(i.name, {"mov", "push", "pop", "cqt", "clt", "cwt", "cbt", "leave", "nop", "endbr", "ret",
                           "ud2", "hlt"}))
    return true;
  const bool is_xor = is_any_of(i.name, {"xor", "pxor", "xorps", "xorpd"});
  if (is_xor && i.operands.size() == 2 && i.operands[0].text == i.operands[1].text) return true;  // a zero
  return !i.operands.empty() && is_of_stack(i.operands.back());
}

// An address of a variable at a fixed place is a constant; one of shared memory, which is thread-local
// here, has 32 bits.
unsigned of_address(const Operand& from) {
  if (from.by_place || from.is_of_frame()) return 0;
  const bool is_shared =
      from.symbol.find("tpoff") != std::string::npos || from.text.find("tpoff") != std::string::npos;
  if (is_shared) return from.index ? 1 : 0;
  return 2;
}

unsigned arithmetic_of(const Instruction& i) {
  if (i.operands.empty() || is_any_jump(i.name) || is_call(i.name) || moves_only(i)) return 0;
  if (i.name.starts_with("lea")) return i.operands.back().reg.bytes == 8 ? of_address(i.operands.front()) : 1;
  constexpr int wide = 8;
  const bool is_wide = i.operands.back().kind == Operand::general ? i.operands.back().reg.bytes == wide
                                                                  : i.name.ends_with('q');
  return is_wide ? 2 : 1;
}

void count_x86(const Instruction& i, Counts& counts) {
  if (is_call(i.name)) return;
  if (is_any_jump(i.name)) {
    counts.branches += i.name != "jmp" && i.name != "jmpq";
  } else if (is_any_of(i.name, {"div", "idiv"})) {
    ++counts.divisions;
  } else {
    counts.arithmetic += arithmetic_of(i);
  }
}

// --- loops that a compiler knows the turns of

// Where a function keeps a value: a register, or a place of its frame. Empty: elsewhere.
std::string place_of(const Operand& operand) {
  if (operand.kind == Operand::general) return std::to_string(operand.reg.number);
  return operand.is_of_frame() ? operand.text : "";
}

// A line of a function's code.
struct CodeLine {
  std::string label;  // that it is
  std::optional<Instruction> instruction;
  bool folds = false;
  bool is_unrolled_in_part = false;
};

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

bool is_entry(const Instruction& i) {
  return is_call(i.name) && !i.operands.empty() && i.operands[0].symbol.starts_with(entered);
}

// Of a loop: it is one basic block, and calls nothing.
bool is_one_block(const std::vector<CodeLine>& code, std::size_t begin, std::size_t end) {
  unsigned blocks = 0;
  for (std::size_t n = begin; n < end; ++n) {
    const auto& i = code[n].instruction;
    if (!i) continue;
    if (is_any_jump(i->name)) return false;
    if (is_entry(*i))
      ++blocks;
    else if (is_call(i->name) && (i->operands.empty() || !hook_named(i->operands[0].symbol)))
      return false;
  }
  return blocks == 1;
}

// A loop whose turns can be counted is unrolled by a GPU's compiler: what counts it goes. If it begins and
// ends with constants, what is computed of its counter alone is known as well; else it is unrolled in part.
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
    if (folded.empty() || folded.back() != n) {
      folded = counts_through(code, begin->second, *compares);
      if (folded.empty()) continue;
      if (is_one_block(code, begin->second, n)) {
        for (std::size_t at = begin->second; at <= n; ++at) code[at].is_unrolled_in_part = true;
      }
      folded.push_back(*compares);
      folded.push_back(n);
    }
    for (const std::size_t at : folded) code[at].folds = true;
  }
}

// --- blocks that a GPU's compiler does not have

// How many instructions a GPU has for it.
unsigned of_instruction(const Instruction& i) {
  constexpr unsigned of_division = 18;
  return is_any_of(i.name, {"div", "idiv"}) ? of_division : arithmetic_of(i);
}

// Lines that begin a block.
struct BlockLines {
  std::set<std::size_t> going_on = {};  // to which no branch of a GPU's code leads
  std::set<std::size_t> unrolled = {};  // of a loop whose turns are known
};

BlockLines find_block_lines(const std::vector<std::string_view>& lines) {
  BlockLines found;
  for (const auto& [name, function] : functions_in(lines)) {
    if (!function.readable) continue;
    const KnownCode known = known_code(function);
    std::vector<unsigned> arithmetic(function.lines.size());
    for (std::size_t i = 0; i < function.lines.size(); ++i)
      arithmetic[i] = known.folds[i] ? 0 : of_instruction(function.lines[i].instruction);
    const Branches branches = branches_of(function, known, arithmetic);
    bool is_border = true;
    for (std::size_t i = 0; i < function.lines.size(); ++i) {
      if (branches.begins_block[i]) is_border = branches.is_border[i];
      if (!is_entry(function.lines[i].instruction)) continue;
      if (!is_border) found.going_on.insert(function.lines[i].number);
      if (known.is_unrolled[i]) found.unrolled.insert(function.lines[i].number);
      is_border = false;
    }
  }
  return found;
}

// --- AArch64

void count_arm(std::string_view line, Counts& counts) {
  const std::string_view name = line.substr(0, line.find_first_of(" \t"));
  const std::string_view operands = trimmed(line.substr(name.size()));
  if (name == "sdiv" || name == "udiv") {
    ++counts.divisions;
  } else if (begins_with(name, {"b.", "cbz", "cbnz", "tbz", "tbnz"})) {
    ++counts.branches;
  } else if (!begins_with(name, {"b", "ret", "mov", "ldr", "ldp", "ldu", "str", "stp", "stu", "adr", "sxt",
                                 "uxt", "nop", "mrs"}) ||
             begins_with(name, {"bic", "bfi", "bfx"})) {
    if (operands.starts_with("sp,")) return;
    counts.arithmetic += operands.starts_with('x') ? 2 : 1;
  }
}

bool is_entry(std::string_view line) {
  return line.find(entered) != line.npos && !line.starts_with('.') && !line.starts_with('#');
}

bool is_for_arm(const std::vector<std::string_view>& lines) {
  return std::ranges::any_of(lines, [](std::string_view line) {
    line = trimmed(line);
    return is_entry(line) && line.starts_with("bl");
  });
}

// What each line is, and of each function which instructions a compiler works out by itself.
void read_code(const std::vector<std::string_view>& lines, std::vector<CodeLine>& code) {
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
}

}  // namespace

std::string with_counted_blocks(const std::string& assembly) {
  if (assembly.find(entered) == assembly.npos) return assembly;
  const std::vector<std::string_view> lines = lines_of(assembly);
  const bool arm = is_for_arm(lines);
  std::vector<CodeLine> code(lines.size());
  if (!arm) read_code(lines, code);
  const BlockLines found = arm ? BlockLines{} : find_block_lines(lines);
  std::vector<Counts> blocks;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const std::string_view line = trimmed(lines[n]);
    if (is_entry(line) || function_declared_in(line)) {
      // what comes before the first one is nobody's
      blocks.push_back({.is_unrolled = found.unrolled.contains(n),
                        .is_unrolled_in_part = code[n].is_unrolled_in_part && !found.unrolled.contains(n),
                        .goes_on = found.going_on.contains(n)});
    } else if (!blocks.empty() && is_code(line)) {
      if (arm) count_arm(line, blocks.back());
      if (code[n].instruction && !code[n].folds) count_x86(*code[n].instruction, blocks.back());
    }
  }
  std::string text;
  text.reserve(assembly.size() + 160 * blocks.size());
  std::size_t block = 0;
  for (const std::string_view raw : lines) {
    (text += raw) += '\n';
    const std::string_view line = trimmed(raw);
    if (function_declared_in(line)) ++block;
    if (!is_entry(line)) continue;
    const Counts& counts = blocks[block++];
    constexpr unsigned most = 0xffff, most_branches = 0x7f, in_part_bit = 0x80, most_divisions = 0x3f,
                       goes_on_bit = 0x40, unrolled_bit = 0x80;
    // "?": of the group of the function, if it has one, for then both go or stay
    text += fmt::format(
        ".Lsimulator_block{0}:\n\t.pushsection simulator_blocks,\"a?\",%progbits\n\t.balign 4\n"
        "\t.long .Lsimulator_block{0}-.\n\t.2byte {1}\n\t.byte {2}, {3}\n\t.popsection\n",
        block, std::min(counts.arithmetic, most),
        std::min(counts.branches, most_branches) | (counts.is_unrolled_in_part ? in_part_bit : 0),
        std::min(counts.divisions, most_divisions) | (counts.goes_on ? goes_on_bit : 0) |
            (counts.is_unrolled ? unrolled_bit : 0));
  }
  return text;
}

}  // namespace simulator
