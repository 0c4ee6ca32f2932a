// SPDX-License-Identifier: MIT
#include "simulator/guarded_assembly.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "simulator/x86_assembly.hpp"

namespace simulator {

namespace {

using namespace x86;

// --- values

// A value as far as it is known: a constant and so many times each unknown.
struct Value {
  std::int64_t constant = 0;
  std::map<int, std::int64_t> unknowns = {};

  Value& add(const Value& other, std::int64_t times = 1) {
    constant += times * other.constant;
    for (const auto& [unknown, count] : other.unknowns) {
      if ((unknowns[unknown] += times * count) == 0) unknowns.erase(unknown);
    }
    return *this;
  }
  bool operator==(const Value&) const = default;
  auto operator<=>(const Value&) const = default;
};

// --- the compiler's own checks

struct Hook {
  int bytes;  // 0: in the second argument
  bool reads, writes;
};

std::optional<Hook> hook_named(std::string_view name) {
  if (const std::size_t at = name.find('@'); at != name.npos) name = name.substr(0, at);
  if (!name.starts_with("__tsan_")) return std::nullopt;
  name.remove_prefix(7);
  for (const std::string_view word : {"unaligned_", "volatile_"}) {
    if (name.starts_with(word)) name.remove_prefix(word.size());
  }
  if (name == "vptr_update") return Hook{8, true, true};
  if (name == "vptr_read") return Hook{8, true, false};
  if (name == "read_range") return Hook{0, true, false};
  if (name == "write_range") return Hook{0, true, true};
  for (const std::string_view word : {"read_write", "read", "write"}) {
    if (!name.starts_with(word)) continue;
    const auto bytes = number_in(name.substr(word.size()));
    if (bytes) return Hook{static_cast<int>(*bytes), true, word != "read"};
  }
  return std::nullopt;
}

// Calls of the instrumentation that leave the caller's variables alone.
bool leaves_frame_alone(std::string_view name) {
  return hook_named(name) || name.starts_with("__tsan_func_") || name.starts_with("__sanitizer_cov_");
}

// Functions that only compute, so that the compiler may move an access from its hook to behind a call of
// them: arithmetic that the processor lacks (__popcountdi2), CUDA's intrinsics (_Z8__umulhijj), and where a
// thread is.
bool only_computes(std::string_view name) {
  name = name.substr(0, name.find('@'));
  if (name.starts_with("_ZN9simulator") && (name.ends_with("_indexEj") || name.ends_with("_extentEj")))
    return true;
  if (name.starts_with("_Z")) {
    const std::size_t behind_length = name.find_first_not_of("0123456789", 2);
    return behind_length > 2 && name.substr(std::min(behind_length, name.size())).starts_with("__");
  }
  constexpr std::array of_compiler{"si2", "di2", "ti2", "di3", "ti3", "tf2", "tf3"};
  return name.starts_with("__") &&
         std::ranges::any_of(of_compiler, [&](const char* end) { return name.ends_with(end); });
}

// --- the whole

// What is known at a place in a function. Values across jumps are made of symbols alone, which are the same
// on every way there.
struct Known {
  std::array<Value, registers> values;
  std::map<Value, Value> slots;  // words of the function's part of the stack, by address
};

class Guards {
 public:
  Guards(const std::string& text, const std::vector<std::string>& trusted)
      : trusted_(mangled_prefixes(trusted)), lines_(lines_of(text)) {}

  GuardedAssembly all() {
    look_ahead();
    for (line_ = 0; line_ < lines_.size();) {
      const auto label = label_in(trimmed(lines_[line_]));
      if (in_code_ && label && functions_.contains(*label)) {
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
  struct Checked {
    Value address;
    std::int64_t bytes;
    bool writes;
    std::size_t line;
    std::size_t number;  // since the last label or call
  };

  void put(std::string_view line) {
    if (emits_) (result_.text += line) += '\n';
  }

  // --- names

  // Which labels are jumped to, which names are functions, and of which code an address is taken.
  void look_ahead() {
    bool code = true;
    std::string object;
    std::string_view section;
    for (const std::string_view raw : lines_) {
      const std::string_view line = trimmed(raw);
      if (const auto label = label_in(line)) {
        defined_.insert(*label);
        if (code) code_labels_.insert(*label);
        if (!label->starts_with(".L")) object = *label;
      } else if (is_section(line)) {
        code = is_code_section(line);
        section = line;
      } else if (line.starts_with('.')) {
        // clang gives the constants of a function names that begin as labels do.
        if (const auto constant = object_in(line)) object = *constant;
        look_at_directive(line, code || is_of_harness(object), section);
      } else if (code && !line.empty() && !line.starts_with('#')) {
        if (const auto instruction = instruction_in(line)) look_at(*instruction, is_of_harness(object));
      }
    }
  }

  static std::optional<std::string> object_in(std::string_view line) {
    constexpr std::string_view type = ".type";
    if (!line.starts_with(type) || line.find("@object") == line.npos) return std::nullopt;
    const std::string_view rest = trimmed(line.substr(type.size()));
    return std::string(rest.substr(0, rest.find(',')));
  }

  void look_at_directive(std::string_view line, bool silent, std::string_view section) {
    const std::size_t blank = line.find_first_of(" \t");
    if (blank == line.npos) return;
    const std::string_view name = line.substr(0, blank), rest = trimmed(line.substr(blank));
    const std::string first(rest.substr(0, rest.find(',')));
    if (const auto function = function_declared_in(line)) functions_.insert(*function);
    if (name == ".comm" || name == ".lcomm" || name == ".set") defined_.insert(first);
    if (name == ".set" && first != rest) aliases_.insert(first);
    // What describes the exercise is the harness's, and calls nothing through a check.
    const bool is_list = name == ".quad" || name == ".long" || name == ".uleb128";
    if (silent || !is_list || section.find(".debug") != section.npos ||
        section.find(".eh_frame") != section.npos || section.find("_array") != section.npos)
      return;
    for (const std::string_view item : split(rest)) {
      const std::size_t end = item.find_first_of("+-");
      if (end != 0) note_address(trimmed(item.substr(0, end)));
    }
  }

  void look_at(const Instruction& i, bool silent) {
    const bool direct = (is_call(i.name) || is_any_jump(i.name)) && !i.indirect;
    for (const Operand& operand : i.operands) {
      if (operand.symbol.empty()) continue;
      if (direct) {
        jumped_to_.insert(operand.symbol);
      } else if (!silent) {
        note_address(operand.symbol);
      }
    }
  }

  void note_address(std::string_view name) {
    const std::size_t at = name.find('@');
    // a shared array's distance is no address
    if (at != name.npos && name.find("GOTPCREL") == name.npos && name.find("PLT") == name.npos) return;
    addresses_.insert(std::string(name.substr(0, at)));
  }

  static bool is_section(std::string_view line) {
    return line.starts_with(".section") || line == ".text" || line == ".data" || line == ".bss" ||
           line.starts_with(".text\t");
  }
  static bool is_code_section(std::string_view line) {
    return line.starts_with(".text") || line.find("\"ax") != line.npos || line.find(".text") != line.npos;
  }

  bool is_of_harness(std::string_view name) const { return begins_with_any(name, trusted_); }

  // --- a function

  void put_function(const std::string& name) {
    const std::size_t begin = line_++;
    while (line_ < lines_.size() && !trimmed(lines_[line_]).starts_with(".size")) {
      const auto label = label_in(trimmed(lines_[line_]));
      if (label && functions_.contains(*label)) break;
      ++line_;
    }
    const std::size_t end = line_;
    if (is_of_harness(name)) {
      for (std::size_t i = begin; i < end; ++i) put(lines_[i]);
      return;
    }
    frame_bytes_ = bytes_of_frame(begin, end);
    at_label_.clear();
    // What is known at a label follows from what is known where it is jumped to, and the other way round.
    emits_ = false;
    constexpr int most_rounds = 30;
    int round = 0;
    do {
      changed_ = false;
      remembered_.clear();
      follow_function(begin, end, true);
    } while (changed_ && ++round < most_rounds);
    if (changed_) {
      gives_up_ = true;
      remembered_.clear();
      follow_function(begin, end, true);
    }
    emits_ = true;
    // The rest of a function, which lies elsewhere, is jumped to.
    follow_function(begin, end, name.find(".cold") != name.npos);
    gives_up_ = false;
  }

  void follow_function(std::size_t begin, std::size_t end, bool entered) {
    known_ = {};
    for (Value& value : known_.values) value = unknown();
    known_.values[rsp] = symbol("%entry");
    checked_.clear();
    reached_ = true;
    for (line_ = begin; line_ < end; ++line_) {
      const std::string_view line = trimmed(lines_[line_]);
      replaced_ = false;
      if (const auto label = label_in(line)) {
        come_to(*label);
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

  // --- what is known

  Value unknown() { return {0, {{++last_unknown_, 1}}}; }

  Value symbol(const std::string& name) {
    const auto [at, added] = symbols_.try_emplace(name, 0);
    if (added) at->second = -static_cast<int>(symbols_.size());
    return {0, {{at->second, 1}}};
  }

  static bool is_of_symbols(const Value& value) {
    return std::all_of(value.unknowns.begin(), value.unknowns.end(),
                       [](const auto& part) { return part.first < 0; });
  }

  void forget() {
    for (Value& value : known_.values) value = unknown();
    known_.slots.clear();
    checked_.clear();
  }

  Known of_symbols(const Known& known) {
    Known part;
    for (std::size_t r = 0; r < registers; ++r)
      part.values[r] = is_of_symbols(known.values[r]) ? known.values[r] : unknown();
    for (const auto& [at, value] : known.slots) {
      if (is_of_symbols(at) && is_of_symbols(value)) part.slots[at] = value;
    }
    return part;
  }

  // A way to the label.
  void join(const std::string& label) {
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

  void come_to(const std::string& label) {
    const bool by_table = addresses_.contains(label);
    if (!by_table && !jumped_to_.contains(label)) return;
    checked_.clear();
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

  Value address_of(const Operand& operand) {
    Value value{operand.constant, {}};
    if (!operand.symbol.empty()) value.add(symbol(operand.symbol));
    if (operand.of_thread) value.add(symbol("%fs"));
    if (operand.base) value.add(known_.values[*operand.base]);
    if (operand.index) value.add(known_.values[*operand.index], operand.scale);
    return value;
  }

  Value value_of(const Operand& operand) {
    if (operand.kind == Operand::immediate) {
      Value value{operand.constant, {}};
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

  void set(const Operand& operand, Value value, int bytes) {
    if (operand.kind == Operand::general) {
      const bool whole =
          operand.reg.bytes == 8 || (operand.reg.bytes == 4 && value.unknowns.empty() && value.constant >= 0);
      known_.values[operand.reg.number] = whole ? std::move(value) : unknown();
    } else if (operand.is_of_frame()) {
      const Value at = address_of(operand);
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

  void follow(const Instruction& i) {
    const auto& o = i.operands;
    const int bytes = bytes_of(i);
    if (is_call(i.name)) return follow_call(i);
    if (is_any_jump(i.name)) {
      if (!i.indirect && o.size() == 1) join(o[0].symbol);
      if (i.name.starts_with("jmp")) reached_ = false;
    } else if (is_return(i.name) || i.name == "ud2") {
      reached_ = false;
    } else if (is_any_of(i.name, {"push"})) {
      const Value value = o.empty() ? unknown() : value_of(o[0]);
      known_.values[rsp].constant -= 8;
      known_.slots[known_.values[rsp]] = value;
    } else if (is_any_of(i.name, {"pop"})) {
      const auto slot = known_.slots.find(known_.values[rsp]);
      const Value value = slot != known_.slots.end() ? slot->second : unknown();
      known_.values[rsp].constant += 8;
      if (o.size() == 1) set(o[0], value, 8);
    } else if (is_any_of(i.name, {"lea"}) && o.size() == 2 && o[0].kind == Operand::memory) {
      set(o[1], address_of(o[0]), 8);
    } else if ((is_any_of(i.name, {"mov"}) || i.name == "movabsq") && o.size() == 2) {
      set(o[1], value_of(o[0]), bytes);
    } else if (is_any_of(i.name, {"add", "sub"}) && o.size() == 2 && o[1].kind == Operand::general) {
      Value value = value_of(o[1]);
      value.add(value_of(o[0]), is_any_of(i.name, {"add"}) ? 1 : -1);
      set(o[1], std::move(value), 8);
    } else if (is_any_of(i.name, {"shl", "sal"}) && o.size() == 2 && o[0].kind == Operand::immediate &&
               o[0].constant >= 0 && o[0].constant < 32) {
      Value value;
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

  void follow_call(const Instruction& i) {
    const std::string name = i.indirect || i.operands.empty() ? "" : i.operands[0].symbol;
    if (const auto hook = hook_named(name)) {
      const Value& second = known_.values[rsi];
      const std::int64_t bytes = hook->bytes > 0           ? hook->bytes
                                 : second.unknowns.empty() ? std::max<std::int64_t>(second.constant, 0)
                                                           : 0;
      checked_.push_back({known_.values[rdi], bytes, hook->writes, line_, checked_.size()});
    }
    for (const Register r : {rax, rcx, rdx, rsi, rdi, r8, r9, r10, r11}) known_.values[r] = unknown();
    const bool is_of_unit = defined_.contains(name.substr(0, name.find('@')));
    if (leaves_frame_alone(name) || (only_computes(name) && !is_of_unit)) return;
    known_.slots.clear();
    checked_.clear();
    // A function of the unit's own may have changed them on its part of the stack.
    if (!i.indirect && !is_of_unit) return;
    for (const Register r : {rbx, r12, r13, r14, r15}) known_.values[r] = unknown();
  }

  // --- checks

  bool is_checked(const Operand& operand, int bytes, bool writes) {
    const Value address = address_of(operand);
    return std::any_of(checked_.begin(), checked_.end(), [&](const Checked& checked) {
      const std::int64_t distance = address.constant - checked.address.constant;
      return address.unknowns == checked.address.unknowns && distance >= 0 &&
             distance + bytes <= checked.bytes && (checked.writes || !writes);
    });
  }

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
        if (!is_harmless(operand, writes) && !is_checked(operand, bytes, writes))
          check(operand, bytes, writes);
      }
    }
    follow(i);
  }

  void check(const Operand& operand, int bytes, bool writes) {
    if (emits_) ++result_.accesses;
    int power = 1;
    while (power < bytes) power *= 2;
    std::uint32_t candidates = 0;
    for (const Checked& checked : checked_) {
      if ((writes && !checked.writes) || checked.number + most_remembered < checked_.size()) continue;
      candidates |= 1u << checked.number % most_remembered;
      if (!emits_) remembered_.insert(checked.line);
    }
    put("\tmovq\t%rdi, simulator_saved_rdi(%rip)");
    put("\tleaq\t" + operand.text + ", %rdi");
    if (candidates != 0) put(fmt::format("\tmovl\t${}, simulator_candidates(%rip)", candidates));
    put(fmt::format("\tcall\tsimulator_check_{}_{}{}{}", operand.of_thread ? "thread" : "own",
                    writes ? "write" : "read", candidates != 0 ? "_behind" : "", power));
    put("\tmovq\tsimulator_saved_rdi(%rip), %rdi");
  }

  // What the instrumentation sees is kept, because a check asks whether it was this. (By a push and a pop:
  // other threads may run meanwhile.)
  void remember(const Instruction& i) {
    const Hook hook = hook_named(i.operands[0].symbol).value();
    const std::size_t at = checked_.size() % most_remembered * 16;
    const std::string seen = fmt::format("simulator_seen+{}(%rip)", at),
                      bytes = fmt::format("simulator_seen+{}(%rip)", at + 8);
    replaced_ = true;
    put("\tpushq\t%rdi\n\tpushq\t%rsi");
    put(lines_[line_]);
    put("\tpopq\t" + bytes + "\n\tpopq\t" + seen);
    if (hook.bytes > 0) put(fmt::format("\tmovq\t${}, {}", hook.bytes, bytes));
    if (emits_) result_.remembers = true;
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
        !is_checked(operand, 8, false))
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
    for (const std::string& name : addresses_) {
      // 1f and 0f stand in the note with which -fcf-protection marks a file.
      if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front()))) continue;
      if (is_of_harness(name) || name.starts_with("_ZT") || name.starts_with("_GLOBAL_")) continue;
      const bool is_own = defined_.contains(name);
      const bool is_function = functions_.contains(name);
      if (code_labels_.contains(name) && name.starts_with(".L")) {
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
  std::size_t line_ = 0;
  GuardedAssembly result_;
  bool emits_ = true, replaced_ = false;
  static constexpr std::size_t most_remembered = 8;
  std::set<std::size_t> remembered_;  // lines with calls of the instrumentation
  std::set<std::string> functions_, aliases_, defined_, code_labels_, jumped_to_, addresses_;
  bool in_code_ = true;
  std::int64_t frame_bytes_ = 0;
  int last_unknown_ = 0;
  std::map<std::string, int> symbols_;
  Known known_;
  std::vector<Checked> checked_;
  std::map<std::string, Known> at_label_;
  bool changed_ = false, gives_up_ = false, reached_ = true;
};

}  // namespace

GuardedAssembly guarded(const std::string& assembly, const std::vector<std::string>& trusted) {
  return Guards(assembly, trusted).all();
}

}  // namespace simulator
