// SPDX-License-Identifier: MIT
#include "simulator/assembly/hook_calls.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "simulator/assembly/x86_assembly.hpp"
#include "simulator/cuda/atomics.hpp"
#include "simulator/launch_indices.hpp"
#include "simulator/machine.hpp"

namespace simulator {

namespace {

using namespace x86;
using Lines = std::vector<std::string_view>;

// A label to which nothing jumps, for a debugger or for lists of ours. (g++ marks scopes with .LBB and a
// number, where clang has .LBB, a number, _ and another one for code.)
bool is_mark(std::string_view line) {
  constexpr std::array marks{".LVL", ".LBI", ".LBE", ".Ltmp", ".Lsimulator_block", ".Lsimulator_access"};
  if (std::ranges::any_of(marks, [&](const char* mark) { return line.starts_with(mark); })) return true;
  return line.starts_with(".LBB") && line.find('_') == line.npos;
}

bool is_label(std::string_view line) { return label_in(line).has_value(); }

// What the assembler makes no code of.
bool says_nothing(std::string_view line) {
  if (line.empty() || line.front() == '#') return true;
  return is_label(line) ? is_mark(line) : line.front() == '.' && !line.starts_with(".cfi_endproc");
}

std::string_view called_in(std::string_view line) {
  constexpr std::string_view call = "call";
  if (!line.starts_with(call)) return {};
  line.remove_prefix(line.starts_with("callq") ? call.size() + 1 : call.size());
  line = trimmed(line);
  return line.substr(0, line.find_first_of("@ \t"));
}

// The constant that is in %edi at this line; nullopt: it may be another one.
std::optional<std::int64_t> choice_at(const Lines& lines, std::size_t n) {
  while (n-- > 0) {
    const std::string_view line = trimmed(lines[n]);
    if (says_nothing(line)) continue;
    const auto i = is_label(line) ? std::nullopt : instruction_in(line);
    if (!i || is_call(i->name) || is_any_jump(i->name) || writes_hidden_registers(*i)) return std::nullopt;
    if (i->operands.empty() || !i->operands.back().is_reg(rdi)) continue;
    const bool is_constant = is_any_of(i->name, {"mov"}) && i->operands[0].kind == Operand::immediate &&
                             i->operands[0].symbol.empty();
    return is_constant ? std::optional(i->operands[0].constant) : std::nullopt;
  }
  return std::nullopt;
}

// The register of which the address in %rdi is made, in the few lines before.
std::optional<std::pair<Register, std::size_t>> base_of_address(const Lines& lines, std::size_t n) {
  for (int rest = 8; rest > 0 && n-- > 0;) {
    const std::string_view line = trimmed(lines[n]);
    if (says_nothing(line)) continue;
    --rest;
    const auto i = is_label(line) ? std::nullopt : instruction_in(line);
    if (!i || is_call(i->name)) return std::nullopt;
    if (i->operands.size() != 2 || !i->operands[1].is_reg(rdi)) continue;
    const Operand& from = i->operands[0];
    if (from.kind == Operand::general) return std::pair{from.reg.number, n};
    if (touches_nothing(i->name) && from.base) return std::pair{*from.base, n};
    return std::nullopt;
  }
  return std::nullopt;
}

// Whether the address is counted up from a place in the function's own part of the stack, by what stands in
// front of it. (That may be on another way through the function: it only tells what to look at first.)
bool is_most_likely_own(const Lines& lines, std::size_t call) {
  const auto base = base_of_address(lines, call);
  if (!base) return false;
  for (std::size_t n = base->second; n-- > 0;) {
    const std::string_view line = trimmed(lines[n]);
    if (says_nothing(line)) continue;
    if (is_label(line)) {
      if (line.front() == '.') continue;
      return false;
    }
    const auto i = instruction_in(line);
    if (!i) return false;
    if (i->operands.size() != 2 || !i->operands[1].is_reg(base->first) || !writes_last(*i)) continue;
    if (is_any_of(i->name, {"add", "sub"}) && i->operands[0].kind == Operand::immediate) continue;
    return touches_nothing(i->name) && i->operands[0].is_of_frame();
  }
  return false;
}

std::optional<HookCall> load_called(std::string_view name) {
  constexpr std::string_view load = "__tsan_read";
  if (!name.starts_with(load)) return std::nullopt;
  const auto bytes = number_in(name.substr(load.size()));
  constexpr unsigned most_bytes = 16;
  if (!bytes || *bytes < 1 || *bytes > most_bytes || !std::has_single_bit(static_cast<unsigned>(*bytes)))
    return std::nullopt;
  return HookCall{.kind = HookCall::load, .bytes = static_cast<unsigned>(*bytes)};
}

std::optional<HookCall> index_called_at(std::string_view name, const Lines& lines, std::size_t n) {
  constexpr std::array indices{
      std::pair{"_ZN9simulator11block_indexEj", offsetof(LaunchIndices, block)},
      std::pair{"_ZN9simulator12block_extentEj", offsetof(LaunchIndices, block_extent)},
      std::pair{"_ZN9simulator11grid_extentEj", offsetof(LaunchIndices, grid_extent)}};
  for (const auto& [function, offset] : indices) {
    if (name != function) continue;
    const auto axis = choice_at(lines, n);
    if (!axis || *axis < 0 || *axis > 2) return std::nullopt;
    return HookCall{.kind = HookCall::index,
                    .offset = offset + static_cast<std::size_t>(*axis) * sizeof(unsigned)};
  }
  return std::nullopt;
}

std::optional<HookCall> thread_index_called_at(std::string_view name, const Lines& lines, std::size_t n) {
  if (name != "_ZN9simulator12thread_indexEj") return std::nullopt;
  const auto axis = choice_at(lines, n);
  if (!axis || *axis < 0 || *axis > 2) return std::nullopt;
  return HookCall{
      .kind = HookCall::thread_index,
      .offset = offsetof(Thread, coordinates) + static_cast<std::size_t>(*axis) * sizeof(std::uint16_t)};
}

std::optional<HookCall> hook_called_at(const Lines& lines, std::size_t n) {
  const std::string_view name = called_in(trimmed(lines[n]));
  if (name == "__sanitizer_cov_trace_pc") return HookCall{.kind = HookCall::block};
  if (name == "__tsan_func_entry") return HookCall{.kind = HookCall::entry};
  if (name == "__tsan_func_exit") return HookCall{.kind = HookCall::exit};
  if (auto load = load_called(name)) {
    if (is_most_likely_own(lines, n)) load->kind = HookCall::own_load;
    return load;
  }
  if (name == "_ZN9simulator14perform_atomicIjEET_jPS1_S1_S1_" ||
      name == "_ZN9simulator14perform_atomicIiEET_jPS1_S1_S1_") {
    const auto choice = choice_at(lines, n);
    const bool adds_one = choice == choice_of(AtomicOperation::add, AtomicForm::adds_one);
    if (adds_one || choice == choice_of(AtomicOperation::add, AtomicForm::usual))
      return HookCall{.kind = HookCall::atomic_add, .bytes = 4, .may_add_zero = !adds_one};
  }
  if (name == "_ZN9simulator13block_barrierEv") return HookCall{.kind = HookCall::barrier};
  if (const auto index = thread_index_called_at(name, lines, n)) return index;
  return index_called_at(name, lines, n);
}

// Whether it leads on to the next line, whatever happens.
bool leads_on(std::string_view line) {
  const auto i = instruction_in(line);
  return i && !is_call(i->name) && !is_any_jump(i->name) && !is_return(i->name) &&
         !is_any_of(i->name, {"div", "idiv", "ud2"});
}

// Whether one can be recorded together with the next.
bool goes_with(HookCall::Kind kind, HookCall::Kind next) {
  if (kind == HookCall::entry) return next == HookCall::block;
  return next == HookCall::block || next == HookCall::load || next == HookCall::atomic_add;
}

// Those between a place that is jumped back to and the jump.
void mark_loops(const Lines& lines, std::map<std::size_t, HookCall>& calls) {
  std::unordered_map<std::string, std::size_t> labels;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const std::string_view line = trimmed(lines[n]);
    if (auto label = label_in(line)) labels[std::move(*label)] = n;
    const auto i = line.starts_with('j') ? instruction_in(line) : std::nullopt;
    if (!i || i->operands.size() != 1) continue;
    const auto target = labels.find(i->operands[0].symbol);
    if (target == labels.end()) continue;
    for (auto call = calls.lower_bound(target->second); call != calls.end() && call->first < n; ++call)
      call->second.in_loop = true;
  }
}

}  // namespace

std::map<std::size_t, HookCall> hook_calls_in(const Lines& lines) {
  std::map<std::size_t, HookCall> calls;
  HookCall* before = nullptr;  // from which every way leads here
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const std::string_view line = trimmed(lines[n]);
    if (says_nothing(line)) continue;
    const auto call = hook_called_at(lines, n);
    if (!call) {
      if (before && (is_label(line) || !leads_on(line))) before = nullptr;
      continue;
    }
    if (call->kind == HookCall::index || call->kind == HookCall::thread_index) {
      calls[n] = *call;
      continue;
    }
    if (before) before->goes_with_next = goes_with(before->kind, call->kind);
    HookCall& known = calls[n] = *call;
    before = known.kind == HookCall::block || known.kind == HookCall::entry ? &known : nullptr;
  }
  std::erase_if(calls, [](const auto& call) {
    return call.second.kind == HookCall::entry && !call.second.goes_with_next;
  });
  mark_loops(lines, calls);
  return calls;
}

}  // namespace simulator
