// SPDX-License-Identifier: MIT
#include "simulator/assembly/guarded_assembly.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "simulator/assembly/instrumentation_calls.hpp"
#include "simulator/assembly/symbolic_values.hpp"
#include "simulator/assembly/unit_symbols.hpp"
#include "simulator/assembly/x86_assembly.hpp"

namespace simulator {

namespace {

using namespace x86;

class Guards {
 public:
  Guards(const std::string& text, const std::vector<std::string>& trusted)
      : trusted_(mangled_prefixes(trusted)), lines_(lines_of(text)), symbols_(symbols_of(lines_, trusted_)) {}

  GuardedAssembly all() {
    for (line_ = 0; line_ < lines_.size();) {
      const auto label = label_in(trimmed(lines_[line_]));
      if (in_code_ && label && symbols_.functions.contains(*label)) {
        put_function(*label);
      } else {
        const std::string_view line = trimmed(lines_[line_]);
        if (is_section(line)) in_code_ = is_code_section(line);
        put(lines_[line_++]);
      }
    }
    put_tables();
    return std::move(result_);
  }

 private:
  void put(std::string_view line) {
    if (emits_) (result_.text += line) += '\n';
  }

  bool is_of_harness(std::string_view name) const { return begins_with_any(name, trusted_); }

  // --- a function

  void put_function(const std::string& name) {
    const std::size_t begin = line_++;
    while (line_ < lines_.size() && !trimmed(lines_[line_]).starts_with(".size")) {
      const auto label = label_in(trimmed(lines_[line_]));
      if (label && symbols_.functions.contains(*label)) break;
      ++line_;
    }
    const std::size_t end = line_;
    if (is_of_harness(name)) {
      for (std::size_t i = begin; i < end; ++i) put(lines_[i]);
      return;
    }
    frame_bytes_ = bytes_of_frame(begin, end);
    const bool is_in_parts = name.find(".cold") != name.npos || symbols_.functions.contains(name + ".cold");
    spare_register_ = is_in_parts ? std::string_view{} : spare_register_in(begin, end);
    values_.begin_function();
    emits_ = false;
    constexpr int most_rounds = 30;
    int round = 0;
    do {
      remembered_.clear();
      follow_function(begin, end, true);
    } while (values_.has_changed() && ++round < most_rounds);
    if (values_.has_changed()) {
      values_.give_up();
      remembered_.clear();
      follow_function(begin, end, true);
    }
    emits_ = true;
    // The rest of a function, which lies elsewhere, is jumped to.
    follow_function(begin, end, name.find(".cold") != name.npos);
  }

  void follow_function(std::size_t begin, std::size_t end, bool entered) {
    values_.begin_round();
    for (line_ = begin; line_ < end; ++line_) {
      const std::string_view line = trimmed(lines_[line_]);
      replaced_ = false;
      if (const auto label = label_in(line)) {
        values_.come_to(*label);
      } else if (is_code(line)) {
        if (!entered) put("\tcall\tsimulator_enter");
        entered = true;
        judge(line);
      }
      if (!replaced_) put(lines_[line_]);
    }
  }

  // The most that the function takes off the stack's pointer at once.
  std::int64_t bytes_of_frame(std::size_t begin, std::size_t end) const {
    std::int64_t bytes = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const std::string_view line = trimmed(lines_[i]);
      const auto instruction = line.starts_with("sub") ? instruction_in(line) : std::nullopt;
      if (instruction && instruction->operands.size() == 2 && instruction->operands[1].is_reg(rsp) &&
          instruction->operands[0].kind == Operand::immediate)
        bytes = std::max(bytes, instruction->operands[0].constant);
    }
    return bytes;
  }

  // --- checks

  // What lies at a fixed place in the function's own part of the stack, or is the compiler's own.
  bool is_harmless(const Operand& operand, bool writes) const {
    constexpr std::int64_t step = 65536;  // the zone below a stack that nothing may touch (fiber.hpp)
    constexpr std::int64_t of_literal = 4096, of_entry = 16;
    if (operand.is_of_frame()) {
      if (*operand.base == rsp) return operand.constant >= 0 && operand.constant < frame_bytes_;
      return operand.constant >= -step && operand.constant < (writes ? 0 : of_entry);
    }
    if (writes || operand.base || operand.index) return false;
    if (operand.symbol.empty()) return operand.of_thread && operand.constant >= 0 && operand.constant <= 40;
    if (operand.symbol.find("@GOT") != std::string::npos ||
        operand.symbol.find("@gottpoff") != std::string::npos)
      return operand.constant == 0;
    return operand.symbol.starts_with(".L") && operand.constant >= 0 && operand.constant < of_literal;
  }

  void judge(std::string_view line) {
    const auto instruction = instruction_in(line);
    if (!instruction) throw std::runtime_error(fmt::format("line {}: {}", line_ + 1, line));
    const Instruction& i = *instruction;
    if (is_return(i.name)) {
      put("\tcall\tsimulator_leave");
    } else if (is_call(i.name) && remembered_.contains(line_)) {
      remember(i);
    } else if (i.indirect) {
      check_target(i);
    } else if (is_string_operation(i)) {
      check_strings(i);
    } else if (!touches_nothing(i.name) && !is_call(i.name) && !is_any_jump(i.name)) {
      const bool exchanges = i.name.starts_with("xchg") || i.name.starts_with("xadd");
      for (const Operand& operand : i.operands) {
        if (operand.kind != Operand::memory) continue;
        const bool writes = exchanges || (writes_last(i) && &operand == &i.operands.back());
        const int bytes = bytes_of(i);
        if (!is_harmless(operand, writes) && !values_.is_reported(operand, bytes, writes))
          check(operand, bytes, writes);
      }
    }
    values_.follow(i, line_);
  }

  void check(const Operand& operand, int bytes, bool writes) {
    if (emits_) ++result_.accesses;
    int power = 1;
    while (power < bytes) power *= 2;
    std::uint32_t candidates = 0;
    for (const ReportedAccess& access : values_.reported()) {
      if ((writes && !access.writes) || access.number + most_remembered < values_.reported().size()) continue;
      candidates |= 1u << access.number % most_remembered;
      if (!emits_) remembered_.insert(access.line);
    }
    const bool in_short = !operand.of_thread && flags_are_free();
    if (in_short && !spare_register_.empty()) put_short_check(spare_register_, operand.text, power);
    put("\tmovq\t%rdi, simulator_saved_rdi(%rip)");
    put("\tleaq\t" + operand.text + ", %rdi");
    if (candidates != 0) put(fmt::format("\tmovl\t${}, simulator_candidates(%rip)", candidates));
    if (in_short && spare_register_.empty()) {
      put("\tpushq\t%rax");
      put_short_check("%rax", "(%rdi)", power, "\tpopq\t%rax\n");
    }
    put(fmt::format("\tcall\tsimulator_check_{}_{}{}{}", operand.of_thread ? "thread" : "own",
                    writes ? "write" : "read", candidates != 0 ? "_behind" : "", power));
    const std::string checked = fmt::format(".Lsimulator_checked{}:", line_);
    if (in_short && spare_register_.empty()) put(checked);
    put("\tmovq\tsimulator_saved_rdi(%rip), %rdi");
    if (in_short && !spare_register_.empty()) put(checked);
  }

  // Nearly always it is the thread's own memory: then nothing is called. `restore`: what leaves flags alone.
  void put_short_check(std::string_view reg, std::string_view address, int bytes,
                       std::string_view restore = {}) {
    put(fmt::format("\tleaq\t{}, {}\n\tsubq\tsimulator_own_stack(%rip), {}", address, reg, reg));
    put(fmt::format(
        "\taddq\t${}, {}\n\tcmpq\tsimulator_own_stack+8(%rip), {}\n{}\tjbe\t.Lsimulator_checked{}", bytes,
        reg, reg, restore, line_));
  }

  // One that the function leaves alone, and that nobody keeps over a call: empty if there is none.
  std::string_view spare_register_in(std::size_t begin, std::size_t end) const {
    for (const std::string_view reg : {"%r11", "%r10"}) {
      const bool is_used = std::any_of(lines_.begin() + static_cast<std::ptrdiff_t>(begin),
                                       lines_.begin() + static_cast<std::ptrdiff_t>(end),
                                       [&](std::string_view line) { return line.find(reg) != line.npos; });
      if (!is_used) return reg;
    }
    return {};
  }

  // Whether nothing reads the flags, from this line on, that instructions before it have set. (To keep them
  // takes a processor longer than all the rest of a check.)
  bool flags_are_free() const {
    for (std::size_t n = line_; n < lines_.size(); ++n) {
      const std::string_view line = trimmed(lines_[n]);
      if (line.starts_with(".size")) break;
      if (label_in(line) || !is_code(line)) continue;
      const auto i = instruction_in(line);
      if (!i || is_any_jump(i->name)) break;
      if (is_call(i->name) || is_return(i->name) ||
          is_any_of(i->name, {"add", "sub", "cmp", "test", "and", "or", "xor", "neg", "imul"}))
        return true;
      if (!begins_with(i->name, {"mov", "lea", "push", "pop"})) break;
    }
    return false;
  }

  // What the instrumentation sees is kept, because a check asks whether it was this. (By a push and a pop:
  // other threads may run meanwhile.)
  void remember(const Instruction& i) {
    const Hook hook = hook_named(i.operands[0].symbol).value();
    const std::size_t at = values_.reported().size() % most_remembered * 16;
    const std::string seen = fmt::format("simulator_seen+{}(%rip)", at),
                      bytes = fmt::format("simulator_seen+{}(%rip)", at + 8);
    replaced_ = true;
    put("\tpushq\t%rdi\n\tpushq\t%rsi");
    put(lines_[line_]);
    put("\tpopq\t" + bytes + "\n\tpopq\t" + seen);
    if (hook.bytes > 0) put(fmt::format("\tmovq\t${}, {}", hook.bytes, bytes));
  }

  // %rcx times so many bytes to %rdi and, of copies, from %rsi.
  void check_strings(const Instruction& i) {
    const bool copies = is_any_of(i.name, {"movs"}), fills = is_any_of(i.name, {"stos"});
    if ((!copies && !fills) || (!i.prefix.empty() && i.prefix != "rep"))
      throw std::runtime_error(fmt::format("line {}: {} {}", line_ + 1, i.prefix, i.name));
    if (emits_) ++result_.accesses;
    const char size = i.name.back();
    put(fmt::format("\tcall\tsimulator_check_{}{}{}", i.prefix.empty() ? "one_" : "",
                    copies ? "copy" : "fill",
                    size == 'b'   ? 1
                    : size == 'w' ? 2
                    : size == 'l' ? 4
                                  : 8));
  }

  // Calls and jumps to a place that is computed.
  void check_target(const Instruction& i) {
    const Operand& operand = i.operands.at(0);
    // What a table of a `switch` holds is looked at before it is jumped to.
    const bool is_table = operand.symbol.starts_with(".L");
    if (operand.kind == Operand::memory && !is_table && !is_harmless(operand, false) &&
        !values_.is_reported(operand, 8, false))
      check(operand, 8, false);
    if (emits_) ++result_.targets;
    replaced_ = true;
    put("\tmovq\t%r11, simulator_saved_r11(%rip)");
    put("\tmovq\t" + (operand.of_thread ? "%fs:" + operand.text : operand.text) + ", %r11");
    put(is_call(i.name) ? "\tcall\tsimulator_check_call" : "\tcall\tsimulator_check_jump");
    put("\tmovq\t%r11, simulator_target(%rip)");
    put("\tmovq\tsimulator_saved_r11(%rip), %r11");
    put(is_call(i.name) ? "\tcall\t*simulator_target(%rip)" : "\tjmp\t*simulator_target(%rip)");
  }

  // What may be called and jumped to through a pointer.
  void put_tables() {
    std::string calls, jumps;
    for (const std::string& name : symbols_.addresses) {
      // 1f and 0f stand in the note with which -fcf-protection marks a file.
      if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front()))) continue;
      if (is_of_harness(name) || name.starts_with("_ZT") || name.starts_with("_GLOBAL_")) continue;
      const bool is_own = symbols_.defined.contains(name);
      const bool is_function = symbols_.functions.contains(name);
      if (symbols_.code_labels.contains(name) && name.starts_with(".L")) {
        jumps += "\t.quad\t" + name + "\n";
      } else if (!name.starts_with('.') && (is_function || !is_own)) {
        calls += "\t.quad\t" + name + "\n";
      }
    }
    put("\t.section\tsimulator_calls,\"aw\",@progbits\n\t.p2align\t3\n" + calls +
        "\t.section\tsimulator_jumps,\"aw\",@progbits\n\t.p2align\t3\n" + jumps + "\t.text");
  }

  std::vector<std::string> trusted_;  // how their functions' mangled names begin
  std::vector<std::string_view> lines_;
  UnitSymbols symbols_;
  SymbolicValues values_{symbols_};
  std::size_t line_ = 0;
  GuardedAssembly result_;
  bool emits_ = true, replaced_ = false;
  static constexpr std::size_t most_remembered = 8;
  std::set<std::size_t> remembered_;  // lines with calls of the instrumentation
  bool in_code_ = true;
  std::int64_t frame_bytes_ = 0;
  std::string_view spare_register_;
};

}  // namespace

GuardedAssembly guarded(const std::string& assembly, const std::vector<std::string>& trusted) {
  return Guards(assembly, trusted).all();
}

}  // namespace simulator
