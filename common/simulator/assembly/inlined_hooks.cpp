// SPDX-License-Identifier: MIT
#include "simulator/assembly/inlined_hooks.hpp"

#include <fmt/core.h>

#include <bit>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "simulator/assembly/x86_assembly.hpp"
#include "simulator/recorder.hpp"

namespace simulator {

namespace {

using namespace x86;

// A part of what recorder.hpp keeps about the running lane.
std::string of_recording(std::size_t offset) { return fmt::format("simulator_recording+{}(%rip)", offset); }

// The bytes that a load reports; 0: it is a basic block.
std::optional<unsigned> hook_called_in(std::string_view line) {
  constexpr std::string_view call = "call", load = "__tsan_read";
  if (!line.starts_with(call)) return std::nullopt;
  line = trimmed(line.substr(call.size()));
  line = line.substr(0, line.find('@'));
  if (line == "__sanitizer_cov_trace_pc") return 0;
  if (!line.starts_with(load)) return std::nullopt;
  const auto bytes = number_in(line.substr(load.size()));
  constexpr unsigned most_bytes = 16;
  if (!bytes || *bytes < 1 || *bytes > most_bytes || !std::has_single_bit(static_cast<unsigned>(*bytes)))
    return std::nullopt;
  return static_cast<unsigned>(*bytes);
}

class InlinedHooks {
 public:
  std::string of(const std::string& assembly) {
    text_.reserve(2 * assembly.size());
    for (const std::string_view raw : lines_of(assembly)) {
      const std::string_view line = trimmed(raw);
      if (const auto bytes = hook_called_in(line)) {
        put_hook(*bytes);
        continue;
      }
      // Behind the last instruction of a function, or of a part of it.
      if (line == ".cfi_endproc" || line.starts_with(".size")) text_ += std::exchange(calls_, {});
      (text_ += raw) += '\n';
    }
    if (!calls_.empty()) throw std::runtime_error("a function has no end");
    return std::move(text_);
  }

 private:
  // %rdi: the address of a load.
  void put_hook(unsigned bytes) {
    const bool loads = bytes > 0;
    const std::size_t lanes = offsetof(Row, access) + offsetof(WarpAccess, lanes);
    put("leaq\t{}, %rax", end_address());
    put("addq\t{}, %rax", of_recording(offsetof(Recording, returns_base)));
    put("movq\t{}, %rcx", of_recording(offsetof(Recording, ahead)));
    put("cmpq\t%rax, {}(%rcx)", offsetof(Row, returns_to));
    put("jne\t{}", call());
    if (loads) {
      put("movq\t%rdi, %rax");
      put("subq\t{}(%rcx), %rax", offsetof(Row, within) + offsetof(Range, begin));
      put("cmpq\t{}(%rcx), %rax", offsetof(Row, within) + offsetof(Range, bytes));
      put("jae\t{}", call());
      if (bytes > 1) put("testb\t${}, %dil\n\tjne\t{}", bytes - 1, call());
    }
    const std::int32_t spent = loads ? Budget::event : Budget::block;
    put("subl\t${}, {}", spent, of_recording(offsetof(Recording, budget)));
    put("js\t{}", call_unspent());
    put("movl\t{}, %edx", of_recording(offsetof(Recording, bit)));
    put("orl\t%edx, {}(%rcx)", lanes);
    if (loads) {
      put("movq\t{}(%rcx), %rax", offsetof(Row, operands));
      put("movl\t{}, %edx", of_recording(offsetof(Recording, lane)));
      put("movq\t%rdi, {}(%rax,%rdx,8)", offsetof(Operands, address));
    }
    put("movq\t{}(%rcx), %rcx", offsetof(Row, next));
    put("movq\t%rcx, {}", of_recording(offsetof(Recording, ahead)));
    text_ += end() + ":\n";
    put_call(bytes, spent);
    ++hook_;
  }

  void put_call(unsigned bytes, std::int32_t spent) {
    calls_ += fmt::format("{}:\n\taddl\t${}, {}\n{}:\n", call_unspent(), spent,
                          of_recording(offsetof(Recording, budget)), call());
    if (bytes == 0) {
      calls_ += fmt::format("\tleaq\t{0}, %rdi\n\tcall\tsimulator_enter_block@PLT\n\tjmp\t{1}\n",
                            end_address(), end());
      return;
    }
    // Local memory is not recorded.
    if (bytes > 1) calls_ += fmt::format("\ttestb\t${}, %dil\n\tjne\t1f\n", bytes - 1);
    calls_ += fmt::format(
        "\tmovq\t%rdi, %rax\n\tsubq\tsimulator_own_stack+{0}(%rip), %rax\n\taddq\t${1}, %rax\n"
        "\tcmpq\tsimulator_own_stack+{2}(%rip), %rax\n\tjbe\t{3}\n"
        "1:\n\tleaq\t{4}, %rsi\n\tcall\tsimulator_load{1}@PLT\n\tjmp\t{3}\n",
        offsetof(Range, begin), bytes, offsetof(Range, bytes), end(), end_address());
  }

  template <class... Values>
  void put(fmt::format_string<Values...> line, Values&&... values) {
    ((text_ += '\t') += fmt::format(line, std::forward<Values>(values)...)) += '\n';
  }

  std::string end() const { return fmt::format(".Lsimulator_hook{}", hook_); }
  std::string end_address() const { return end() + "(%rip)"; }
  std::string call() const { return fmt::format(".Lsimulator_call{}", hook_); }
  std::string call_unspent() const { return fmt::format(".Lsimulator_unspent{}", hook_); }

  std::string text_, calls_;  // the latter: of the function so far
  int hook_ = 0;
};

}  // namespace

std::string with_inlined_hooks(const std::string& assembly) { return InlinedHooks().of(assembly); }

}  // namespace simulator
