// SPDX-License-Identifier: MIT
#include "simulator/assembly/counted_blocks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/assembly/control_flow.hpp"
#include "simulator/assembly/folded_loops.hpp"
#include "simulator/assembly/gpu_functions.hpp"
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
  bool has_known_turns = false;
  bool goes_on = false;    // no branch of a GPU's code leads to where it begins
  bool is_chosen = false;  // and none of the code before what is short is put under a predicate
  bool is_counted = false, jumps = false, is_way = false;
  Unrolling unrolling = Unrolling::none;
};

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

unsigned called_instructions(const Instruction& call) {
  return call.operands.empty() ? 0 : gpu_instructions_of(call.operands[0].symbol);
}

void count_x86(const Instruction& i, Counts& counts) {
  if (is_call(i.name)) {
    counts.arithmetic += called_instructions(i);
    return;
  }
  if (is_any_jump(i.name)) {
    counts.branches += i.name != "jmp" && i.name != "jmpq";
  } else if (is_any_of(i.name, {"div", "idiv"})) {
    ++counts.divisions;
  } else {
    counts.arithmetic += arithmetic_of(i);
  }
}

// --- blocks that a GPU's compiler does not have

// How many instructions a GPU has for it.
unsigned of_instruction(const Instruction& i) {
  constexpr unsigned of_division = 18;
  if (is_call(i.name)) return called_instructions(i);
  return is_any_of(i.name, {"div", "idiv"}) ? of_division : arithmetic_of(i);
}

// The lines that begin a block to which no branch of a GPU's code leads, or of a loop whose turns are known;
// those whose results are known, and so on.
struct KnownLines {
  std::set<std::size_t> go_on, chosen, fold, jump, way, unrolled, known_turns;
};

KnownLines known_lines(const std::vector<std::string_view>& lines) {
  KnownLines found;
  for (const auto& [name, function] : functions_in(lines)) {
    if (!function.readable) continue;
    const KnownCode known = known_code(function);
    std::vector<unsigned> arithmetic(function.lines.size());
    for (std::size_t i = 0; i < function.lines.size(); ++i)
      arithmetic[i] = known.folds[i] ? 0 : of_instruction(function.lines[i].instruction);
    const Branches branches = branches_of(function, known, arithmetic, ShortBody::predicated),
                   choices = branches_of(function, known, arithmetic, ShortBody::chosen);
    bool is_border = true, is_border_of_choices = true;
    bool is_way = false;
    std::size_t entry = 0;
    for (std::size_t i = 0; i < function.lines.size(); ++i) {
      const Instruction& instruction = function.lines[i].instruction;
      is_way = is_way || function.jumped_to_by_table.contains(i);
      if (reports_block(instruction)) {
        entry = function.lines[i].number;
        if (std::exchange(is_way, false)) found.way.insert(entry);
      }
      if (is_any_jump(instruction.name) && instruction.indirect) found.jump.insert(entry);
      if (branches.begins_block[i]) {
        is_border = branches.is_border[i];
        is_border_of_choices = choices.is_border[i];
      }
      if (known.folds[i]) found.fold.insert(function.lines[i].number);
      if (!reports_block(function.lines[i].instruction)) continue;
      if (!is_border) found.go_on.insert(function.lines[i].number);
      if (!is_border_of_choices) found.chosen.insert(function.lines[i].number);
      if (known.is_unrolled[i]) found.unrolled.insert(function.lines[i].number);
      if (known.has_known_turns[i]) found.known_turns.insert(function.lines[i].number);
      is_border = is_border_of_choices = false;
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

}  // namespace

std::string with_counted_blocks(const std::string& assembly) {
  if (assembly.find(entered) == assembly.npos) return assembly;
  const std::vector<std::string_view> lines = lines_of(assembly);
  const bool arm = is_for_arm(lines);
  const std::vector<CodeLine> code =
      arm ? std::vector<CodeLine>(lines.size()) : code_with_folded_loops(lines);
  const KnownLines known = arm ? KnownLines{} : known_lines(lines);
  std::vector<Counts> blocks;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const std::string_view line = trimmed(lines[n]);
    if (is_entry(line) || function_declared_in(line)) {
      // what comes before the first one is nobody's
      blocks.push_back({.is_unrolled = known.unrolled.contains(n),
                        .has_known_turns = known.known_turns.contains(n),
                        .goes_on = known.go_on.contains(n),
                        .is_chosen = known.chosen.contains(n),
                        .is_counted = code[n].is_counted && !known.unrolled.contains(n),
                        .jumps = known.jump.contains(n),
                        .is_way = known.way.contains(n),
                        .unrolling = known.unrolled.contains(n) ? Unrolling::none : code[n].unrolling});
    } else if (!blocks.empty() && is_code(line)) {
      if (arm) count_arm(line, blocks.back());
      if (code[n].instruction && !code[n].folds && !known.fold.contains(n))
        count_x86(*code[n].instruction, blocks.back());
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
    constexpr unsigned most = 0x7fff, known_turns_bit = 0x8000, most_branches = 0x0f, unrolling_shift = 4,
                       chosen_bit = 0x80, most_divisions = 0x07, counted_bit = 0x08, jumps_bit = 0x10,
                       way_bit = 0x20, goes_on_bit = 0x40, unrolled_bit = 0x80;
    // "?": of the group of the function, if it has one, for then both go or stay
    text += fmt::format(
        ".Lsimulator_block{0}:\n\t.pushsection simulator_blocks,\"a?\",%progbits\n\t.balign 4\n"
        "\t.long .Lsimulator_block{0}-.\n\t.2byte {1}\n\t.byte {2}, {3}\n\t.popsection\n",
        block, std::min(counts.arithmetic, most) | (counts.has_known_turns ? known_turns_bit : 0),
        std::min(counts.branches, most_branches) |
            static_cast<unsigned>(counts.unrolling) << unrolling_shift | (counts.is_chosen ? chosen_bit : 0),
        std::min(counts.divisions, most_divisions) | (counts.is_counted ? counted_bit : 0) |
            (counts.jumps ? jumps_bit : 0) | (counts.is_way ? way_bit : 0) |
            (counts.goes_on ? goes_on_bit : 0) | (counts.is_unrolled ? unrolled_bit : 0));
  }
  return text;
}

}  // namespace simulator
