// SPDX-License-Identifier: MIT
// Which registers and words of the frame differ between the lanes (value_flow.hpp): here a branch is open
// that lanes take apart, and what is written in a loop that lanes leave apart differs in the loop, too (nvcc
// does not reduce there). Functions of the unit that are not inlined get what all their calls pass together.
#include "simulator/assembly/uniform_places.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/assembly/value_flow.hpp"
#include "simulator/assembly/x86_assembly.hpp"
#include "simulator/cuda/warp.hpp"

namespace simulator {

namespace {

using namespace x86;

// `varying`: differs between lanes; `local`: an address of a lane's own variables, where each finds its own.
using Bits = unsigned;
constexpr Bits uniform = 0, varying = 1, local = 2;

struct LaneValue {
  Bits bits = varying;
  std::optional<std::int64_t> number = {};

  bool operator==(const LaneValue&) const = default;
};

LaneValue only(Bits bits) { return {.bits = bits}; }

constexpr std::array argument_registers{rdi, rsi, rdx, rcx, r8, r9};

struct Function : FunctionCode {
  // What all calls pass together, in argument_registers; none: nobody calls it.
  std::optional<std::array<Bits, argument_registers.size()>> arguments = {};
  Bits arguments_on_stack = uniform;
  Bits result = uniform;
  std::set<std::size_t> uniform_atomics = {};  // numbers of lines
};

std::string_view without_suffix(std::string_view name) { return name.substr(0, name.find('@')); }

constexpr std::string_view atomic = "_ZN9simulator14perform_atomicI",
                           uniform_atomic = "_ZN9simulator22perform_uniform_atomicI";

class LaneFlow : public ValueFlow<LaneFlow, LaneValue> {
 public:
  // `functions`: of the unit, to which what calls pass is added.
  LaneFlow(Function& function, std::map<std::string, Function, std::less<>>& functions)
      : ValueFlow(function), function_(function), functions_(functions) {}

  // Whether what calls pass to other functions, or the result, has changed.
  bool run() {
    changed_ = false;
    State entry;
    entry.general[rsp] = {.value = only(local), .in_frame = 0};
    for (std::size_t a = 0; a < argument_registers.size(); ++a)
      entry.general[argument_registers[a]].value = only((*function_.arguments)[a]);
    ValueFlow::run(entry);
    return changed_;
  }

  // --- the lattice (value_flow.hpp)

  static LaneValue unknown(Origin) { return {}; }
  static LaneValue join(const std::vector<LaneValue>& ways, Origin) {
    LaneValue result = ways.front();
    for (const LaneValue& way : ways) {
      result.bits |= way.bits;
      if (way.number != result.number) result.number.reset();
    }
    return result;
  }
  static LaneValue open(const LaneValue& value, Origin) {
    return {.bits = value.bits | varying, .number = value.number};
  }
  static LaneValue zero() { return {.bits = uniform, .number = 0}; }
  static LaneValue frame_address() { return only(local); }
  static LaneValue part(const LaneValue& value) { return only(value.bits); }
  static bool is_open(const LaneValue& value) { return (value.bits & varying) != 0; }
  static bool opens_loop(BlockNumber, const Region&) { return true; }

  static LaneValue immediate(const Operand& operand) {
    return {.bits = uniform,
            .number = operand.symbol.empty() ? std::optional(operand.constant) : std::nullopt};
  }

  LaneValue address(const Operand& operand, Origin) const { return only(bits_of_address(operand)); }

  // What lies at one place is the same for all, if the place is not each lane's own.
  LaneValue loaded(const Operand& operand, std::optional<std::int64_t> slot, Origin) const {
    if (slot) return only(*slot > 0 ? function_.arguments_on_stack : varying);
    return only(bits_of_address(operand) == uniform ? uniform : varying);
  }

  static LaneValue combined(const std::vector<LaneValue>& values, Origin) {
    Bits bits = uniform;
    for (const LaneValue& value : values) bits |= value.bits;
    return only(bits);
  }

  LaneValue computed(const Instruction& i, Origin origin) {
    const auto& o = i.operands;
    Bits bits = uniform;
    for (std::size_t n = 0; n + 1 < o.size(); ++n) bits |= read(o[n], origin).value.bits;
    if (!overwrites(i)) bits |= read(o.back(), origin).value.bits;
    if (reads_flags(i)) {
      if (is_any_of(i.name, {"sbb"}) && has_same_operand_twice(i)) bits = uniform;
      bits |= state().flags.bits;
    }
    return only(bits);
  }

  void begin() { function_.uniform_atomics.clear(); }
  void follows(const FunctionLine&) {}

  void follow_call(const FunctionLine& line) {
    const Instruction& i = line.instruction;
    const std::string_view name =
        i.indirect || i.operands.empty() ? std::string_view() : without_suffix(i.operands[0].symbol);
    if (collects() && name.starts_with(atomic) && value_of(rsi).bits == uniform)
      function_.uniform_atomics.insert(line.number);
    Bits result = result_of_call(name);
    if (const auto called = functions_.find(name); called != functions_.end()) {
      if (collects()) pass(called->second);
      result = called->second.arguments ? called->second.result : uniform;
    }
    forget_scratch_registers(line_index(line));
    write(rax, only(result));
    write(rdx, only(result));
    state().vectors[0] = only(result);
  }

  void follow_return() {
    if (!collects()) return;
    const Bits result = function_.result | value_of(rax).bits | value_of(rdx).bits;
    changed_ |= std::exchange(function_.result, result) != result;
  }

 private:
  Bits bits_of_address(const Operand& operand) const {
    Bits bits = uniform;
    if (operand.base) bits |= value_of(*operand.base).bits;
    if (operand.index) bits |= value_of(*operand.index).bits;
    return bits;
  }

  void pass(Function& called) {
    if (!called.arguments) {
      called.arguments.emplace();
      called.arguments->fill(uniform);
      called.arguments_on_stack = varying;
      changed_ = true;
    }
    for (std::size_t a = 0; a < argument_registers.size(); ++a) {
      const Bits bits = (*called.arguments)[a] | value_of(argument_registers[a]).bits;
      changed_ |= std::exchange((*called.arguments)[a], bits) != bits;
    }
  }

  // Of functions that are not the unit's.
  Bits result_of_call(std::string_view name) const {
    const auto bits_of = [&](Register r) { return value_of(r).bits; };
    constexpr std::string_view ours = "_ZN9simulator";
    if (name == "__tls_get_addr") return uniform;
    if (!name.starts_with(ours)) return varying;
    name.remove_prefix(ours.size());
    const auto is = [&](std::string_view mangled) { return name.starts_with(mangled); };
    if (is("11block_index") || is("12block_extent") || is("11grid_extent") || is("13block_barrier"))
      return uniform;
    if (is("11load_vectorI")) return bits_of(rdi) == uniform ? uniform : varying;
    if (is("13shared_offset") || is("14shared_address")) return bits_of(rdi);
    if (is("14warp_operation")) return result_of_operation();
    return varying;
  }

  Bits result_of_operation() const {
    const auto& operation = value_of(rdi).number;
    if (!operation) return varying;
    switch (static_cast<WarpOperation>(*operation)) {
      case WarpOperation::shuffle: {
        // width: all lanes read from the same one
        const bool of_all = value_of(r8).number == 32;
        return of_all && value_of(rcx).bits == uniform ? uniform : varying;
      }
      case WarpOperation::shuffle_up:
      case WarpOperation::shuffle_down:
      case WarpOperation::shuffle_xor:
      case WarpOperation::match_any:
      case WarpOperation::match_all:
        return varying;
      default:
        return uniform;
    }
  }

  Function& function_;
  std::map<std::string, Function, std::less<>>& functions_;
  bool changed_ = false;
};

// --- the unit

class Unit {
 public:
  Unit(const std::string& assembly, const std::vector<std::string>& trusted)
      : lines_(lines_of(assembly)), trusted_(mangled_prefixes(trusted)) {
    read();
  }

  std::set<std::size_t> uniform_atomics() {
    // Each is followed again until what functions pass to each other stays the same: it only grows.
    std::map<std::string, LaneFlow> flows;
    for (bool changed = true; changed;) {
      changed = false;
      for (auto& [name, function] : functions_) {
        if (!function.arguments || !function.readable) continue;
        changed |= flows.try_emplace(name, function, functions_).first->second.run();
      }
    }
    std::set<std::size_t> all;
    for (const auto& [name, function] : functions_)
      all.insert(function.uniform_atomics.begin(), function.uniform_atomics.end());
    return all;
  }

  const std::vector<std::string_view>& lines() const { return lines_; }

 private:
  void read() {
    for (const std::string_view line : lines_) {
      if (const auto name = function_declared_in(trimmed(line))) functions_.try_emplace(*name);
    }
    Function* current = nullptr;
    bool of_harness = false, describes = false;
    std::set<std::string, std::less<>> places;  // in tables, those of a `switch` among them
    for (std::size_t n = 0; n < lines_.size(); ++n) {
      const std::string_view line = trimmed(lines_[n]);
      if (const auto label = label_in(line)) {
        if (const auto found = functions_.find(*label); found != functions_.end()) {
          current = &found->second;
          of_harness = begins_with_any(*label, trusted_);
        } else if (current) {
          current->labels[*label] = current->lines.size();
        }
      } else if (line.starts_with(".size")) {
        current = nullptr;
      } else if (line.starts_with(".section") || line == ".text") {
        describes = line.find(".debug") != line.npos;
      } else if (!describes && (line.starts_with(".quad") || line.starts_with(".long"))) {
        const std::string_view items = trimmed(line.substr(std::string_view(".quad").size()));
        const std::string name(items.substr(0, items.find('-')));
        // Who calls what a table holds, and with what, is not known.
        note_taken(name, varying);
        places.insert(name);
      } else if (current && is_code(line)) {
        read_instruction(*current, n, of_harness);
      }
    }
    for (auto& [name, function] : functions_) {
      for (const auto& [label, at] : function.labels) {
        if (places.contains(label) && at < function.lines.size()) function.jumped_to_by_table.insert(at);
      }
    }
  }

  void read_instruction(Function& function, std::size_t number, bool of_harness) {
    auto instruction = instruction_in(trimmed(lines_[number]));
    if (!instruction) {
      function.readable = false;
      return;
    }
    const bool goes_there = is_call(instruction->name) || is_any_jump(instruction->name);
    for (const Operand& operand : instruction->operands) {
      if (!goes_there) note_taken(without_suffix(operand.symbol), of_harness ? uniform : varying);
    }
    function.lines.push_back({number, std::move(*instruction)});
  }

  // The address of a function, which is called with arguments of this kind.
  void note_taken(std::string_view name, Bits bits) {
    const auto found = functions_.find(name);
    if (found == functions_.end()) return;
    auto& arguments = found->second.arguments;
    if (!arguments) arguments.emplace().fill(uniform);
    for (Bits& argument : *arguments) argument |= bits;
    found->second.arguments_on_stack |= bits;
  }

  std::vector<std::string_view> lines_;
  std::vector<std::string> trusted_;
  std::map<std::string, Function, std::less<>> functions_;
};

}  // namespace

std::string with_uniform_atomics(const std::string& assembly, const std::vector<std::string>& trusted) {
  if (assembly.find(atomic) == assembly.npos) return assembly;
  Unit unit(assembly, trusted);
  const std::set<std::size_t> places = unit.uniform_atomics();
  if (places.empty()) return assembly;
  std::string text;
  text.reserve(assembly.size());
  for (std::size_t n = 0; n < unit.lines().size(); ++n) {
    const std::string_view line = unit.lines()[n];
    const std::size_t at = places.contains(n) ? line.find(atomic) : line.npos;
    if (at == line.npos) {
      text += line;
    } else {
      ((text += line.substr(0, at)) += uniform_atomic) += line.substr(at + atomic.size());
    }
    text += '\n';
  }
  return text;
}

}  // namespace simulator
