// SPDX-License-Identifier: MIT
#include "simulator/assembly/inlined_hooks.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/assembly/hook_calls.hpp"
#include "simulator/assembly/x86_assembly.hpp"
#include "simulator/recorder.hpp"

namespace simulator {

namespace {

// A part of what recorder.hpp keeps about the running lane, or about all.
std::string of_recording(std::size_t offset) { return fmt::format("simulator_recording+{}(%rip)", offset); }
std::string of_progress(std::size_t offset) { return fmt::format("simulator_progress+{}(%rip)", offset); }

class InlinedHooks {
 public:
  std::string of(const std::string& assembly) {
    text_.reserve(2 * assembly.size());
    const std::vector<std::string_view> lines = x86::lines_of(assembly);
    const auto calls = hook_calls_in(lines);
    for (std::size_t n = 0; n < lines.size(); ++n) {
      if (const auto call = calls.find(n); call != calls.end()) {
        put_hook(call->second);
        continue;
      }
      // Behind the last instruction of a function, or of a part of it.
      const std::string_view line = x86::trimmed(lines[n]);
      if (line == ".cfi_endproc" || line.starts_with(".size")) text_ += std::exchange(called_, {});
      (text_ += lines[n]) += '\n';
    }
    if (!called_.empty()) throw std::runtime_error("a function has no end");
    return std::move(text_);
  }

 private:
  static constexpr std::size_t most_with_next = 4;

  void put_hook(const HookCall& call) {
    if (call.kind == HookCall::own_load) {
      put_own_load(call.bytes);
    } else if (call.goes_with_next && blocks_before_.size() < most_with_next) {
      // It has a place of its own all the same, by which its event is known.
      put("nop");
      blocks_before_.push_back(end_address());
    } else {
      put_event(call);
      blocks_before_.clear();
    }
    text_ += end() + ":\n";
    ++hook_;
  }

  void put_own_load(unsigned bytes) {
    put_whether_own(text_, bytes);
    put("ja\t{}", call());
    called_ += fmt::format("{}:\n\tleaq\t{}, %rsi\n\tcall\tsimulator_load{}@PLT\n\tjmp\t{}\n", call(),
                           end_address(), bytes, end());
  }

  // What the lane does where it joins the row ahead of it.
  void put_event(const HookCall& hook) {
    const bool accesses = hook.kind != HookCall::block, adds = hook.kind == HookCall::atomic_add;
    put("leaq\t{}, %rax", end_address());
    put("addq\t{}, %rax", of_recording(offsetof(Recording, returns_base)));
    put("movq\t{}, %rcx", of_recording(offsetof(Recording, ahead)));
    for (std::size_t i = 0; i < blocks_before_.size(); ++i)
      put("movq\t{}(%rcx), %rcx", offsetof(Row, follower));
    put("cmpq\t%rax, {}(%rcx)", offsetof(Row, returns_to));
    put("jne\t{}", call());
    const std::string_view address = adds ? "%rsi" : "%rdi", lowest_byte = adds ? "%sil" : "%dil";
    if (accesses) {
      put("movq\t{}, %rax", address);
      put("subq\t{}(%rcx), %rax", offsetof(Row, within) + offsetof(Range, begin));
      put("cmpq\t{}(%rcx), %rax", offsetof(Row, within) + offsetof(Range, bytes));
      put("jae\t{}", call());
      if (hook.bytes > 1) put("testb\t${}, {}\n\tjne\t{}", hook.bytes - 1, lowest_byte, call());
    }
    if (adds && hook.may_add_zero) put("testl\t%edx, %edx\n\tje\t{}", call());
    if (adds) {
      put("movl\t{}, %eax", of_recording(offsetof(Recording, done)));
      put("orl\t{}, %eax", of_recording(offsetof(Recording, synchronizing)));
      put("jne\t{}", call());
    }
    const std::int32_t spent = static_cast<std::int32_t>(blocks_before_.size()) * Budget::block +
                               (accesses ? Budget::event : Budget::block);
    put("subl\t${}, {}", spent, of_recording(offsetof(Recording, budget)));
    put("js\t{}", call_unspent());
    if (accesses) {
      put("movl\t{}, %r8d", of_recording(offsetof(Recording, lane)));
      put("movq\t{}(%rcx), %rax", offsetof(Row, operands));
      put("movq\t{}, {}(%rax,%r8,8)", address, offsetof(Operands, address));
    }
    put("movq\t{}(%rcx), %rax", offsetof(Row, next));
    put("movq\t%rax, {}", of_recording(offsetof(Recording, ahead)));
    if (adds) put_addition();
    put_call(hook, spent);
  }

  void put_addition() {
    put("movq\t%rcx, {}", of_recording(offsetof(Recording, last_atomic)));
    put("movq\t{}, %rax", of_progress(offsetof(Progress, clock)));
    put("movq\t%rax, {}", of_progress(offsetof(Progress, changed_at)));
    put("movb\t$0, {}", of_progress(offsetof(Progress, round_is_idle)));
    put("movl\t(%rsi), %eax\n\taddl\t%eax, %edx\n\tmovl\t%edx, (%rsi)");
  }

  // What stands behind the function, for all other cases.
  void put_call(const HookCall& hook, std::int32_t spent) {
    called_ += fmt::format("{}:\n\taddl\t${}, {}\n{}:\n", call_unspent(), spent,
                           of_recording(offsetof(Recording, budget)), call());
    if (hook.kind == HookCall::load) {
      // Local memory is not recorded.
      if (hook.bytes > 1) called_ += fmt::format("\ttestb\t${}, %dil\n\tjne\t1f\n", hook.bytes - 1);
      put_whether_own(called_, hook.bytes);
      called_ += fmt::format("\tjbe\t{}\n1:\n", blocks_before_.empty() ? end() : call_of_blocks());
      call_blocks({"%rdi"});
      called_ += fmt::format("\tleaq\t{}, %rsi\n\tcall\tsimulator_load{}@PLT\n", end_address(), hook.bytes);
    } else if (hook.kind == HookCall::atomic_add) {
      call_blocks({"%rdi", "%rsi", "%rdx"});
      called_ += fmt::format("\tleaq\t{}, %rcx\n\tcall\tsimulator_add@PLT\n", end_address());
    } else {
      call_blocks({});
      called_ += fmt::format("\tleaq\t{}, %rdi\n\tcall\tsimulator_enter_block@PLT\n", end_address());
    }
    called_ += fmt::format("\tjmp\t{}\n", end());
    if (hook.kind != HookCall::load || blocks_before_.empty()) return;
    called_ += call_of_blocks() + ":\n";
    call_blocks({});
    called_ += fmt::format("\tjmp\t{}\n", end());
  }

  // The registers are kept.
  void call_blocks(const std::vector<std::string_view>& registers) {
    if (blocks_before_.empty()) return;
    const bool is_odd = registers.size() % 2 != 0;
    for (const std::string_view one : registers) called_ += fmt::format("\tpushq\t{}\n", one);
    if (is_odd) called_ += "\tsubq\t$8, %rsp\n";
    for (const std::string& block : blocks_before_)
      called_ += fmt::format("\tleaq\t{}, %rdi\n\tcall\tsimulator_enter_block@PLT\n", block);
    if (is_odd) called_ += "\taddq\t$8, %rsp\n";
    for (std::size_t i = registers.size(); i-- > 0;) called_ += fmt::format("\tpopq\t{}\n", registers[i]);
  }

  // Whether so many bytes at %rdi are the thread's own: then it is not above.
  static void put_whether_own(std::string& text, unsigned bytes) {
    text += fmt::format(
        "\tmovq\t%rdi, %rax\n\tsubq\tsimulator_own_stack+{}(%rip), %rax\n\taddq\t${}, %rax\n"
        "\tcmpq\tsimulator_own_stack+{}(%rip), %rax\n",
        offsetof(Range, begin), bytes, offsetof(Range, bytes));
  }

  template <class... Values>
  void put(fmt::format_string<Values...> line, Values&&... values) {
    ((text_ += '\t') += fmt::format(line, std::forward<Values>(values)...)) += '\n';
  }

  std::string end() const { return fmt::format(".Lsimulator_hook{}", hook_); }
  std::string end_address() const { return end() + "(%rip)"; }
  std::string call() const { return fmt::format(".Lsimulator_call{}", hook_); }
  std::string call_unspent() const { return fmt::format(".Lsimulator_unspent{}", hook_); }
  std::string call_of_blocks() const { return fmt::format(".Lsimulator_blocks_of{}", hook_); }

  std::string text_, called_;               // the latter: of the function so far
  std::vector<std::string> blocks_before_;  // that are recorded with the next hook: where their hooks end
  int hook_ = 0;
};

}  // namespace

std::string with_inlined_hooks(const std::string& assembly) { return InlinedHooks().of(assembly); }

}  // namespace simulator
