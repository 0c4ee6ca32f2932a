// SPDX-License-Identifier: MIT
#include "simulator/assembly/inlined_hooks.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/assembly/hook_calls.hpp"
#include "simulator/assembly/x86_assembly.hpp"
#include "simulator/fiber.hpp"
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
    } else if (call.kind == HookCall::index) {
      put("movl\tsimulator_launch_indices+{}(%rip), %eax", call.offset);
    } else if (call.kind == HookCall::thread_index) {
      put("movq\t{}, %rax", of_recording(offsetof(Recording, thread)));
      put("movzwl\t{}(%rax), %eax", call.offset);
    } else if (call.kind == HookCall::barrier) {
      // Others return to their kernel's code before this one does: none is to be expected (fiber.hpp).
      put("leaq\t{}, %rax\n\tpushq\t%rax\n\tjmp\t_ZN9simulator13block_barrierEv@PLT", end_address());
    } else if (call.kind == HookCall::exit) {
      put_exit();
    } else if (call.kind == HookCall::entry) {
      put("nop");
      entry_before_ = end_address();
    } else if (call.goes_with_next && blocks_before_.size() < most_with_next) {
      // It has a place of its own all the same, by which its event is known.
      put("nop");
      blocks_before_.push_back(end_address());
    } else {
      put_event(call);
      blocks_before_.clear();
      entry_before_.clear();
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

  // The row ahead, into %rcx. Each row hangs on the one before it, so a processor would wait for one after
  // the other. Which row this hook's last call has made is known at once: mostly that one is ahead, and the
  // processor goes on with it while it finds out whether it is. (In a loop there is a row for each turn.)
  void put_guess() {
    const std::string ahead = of_recording(offsetof(Recording, ahead));
    put("movq\t{}(%rip), %rcx\n\tcmpq\t%rcx, {}\n\tjne\t{}\n{}:", guess(), ahead, wrong(), guessed());
    called_ += fmt::format("{}:\n\tmovq\t{}, %rcx\n\tjmp\t{}\n", wrong(), ahead, guessed());
    called_ += fmt::format(
        "\t.pushsection\tsimulator_rows,\"aw\",@nobits\n\t.balign\t8\n{}:\n\t.skip\t8\n\t.popsection\n",
        guess());
  }

  // The row to which the one in %rcx leads, into a register. Mostly it lies right behind it in memory: in a
  // loop, where no hook guesses which row is ahead, a processor goes on with that one while it finds out
  // whether it is.
  void put_next_row(const HookCall& hook, std::size_t member, std::string_view to, std::size_t number) {
    if (!hook.in_loop) return put("movq\t{}(%rcx), {}", member, to);
    put("leaq\t{}(%rcx), %r11\n\tcmpq\t%r11, {}(%rcx)\n\tjne\t{}", sizeof(Row), member, elsewhere(number));
    put("movq\t%r11, {}\n{}:", to, stepped(number));
    called_ +=
        fmt::format("{}:\n\tmovq\t{}(%rcx), {}\n\tjmp\t{}\n", elsewhere(number), member, to, stepped(number));
  }

  // The row of the last event, or, if others are recorded with it, of the first of them.
  void put_next_guess() {
    called_ += fmt::format("\tmovq\t{}, %rcx\n", of_recording(offsetof(Recording, ahead)));
    for (std::size_t i = 0; i <= blocks_before_.size(); ++i)
      called_ += fmt::format("\tmovq\t{}(%rcx), %rcx\n{}", offsetof(Row, previous),
                             i < blocks_before_.size() ? "\ttestq\t%rcx, %rcx\n\tje\t2f\n" : "");
    called_ += fmt::format("\tmovq\t%rcx, {}(%rip)\n2:\n", guess());
  }

  // Flags and the registers that a called function may change are nobody's here.
  void put_exit() {
    put("movl\t{}, %eax", of_recording(offsetof(Recording, depth)));
    put("subl\t$1, %eax");
    put("cmpl\t${}, %eax", row_key::deepest);
    put("jae\t{}", call());
    put("movl\t%eax, {}", of_recording(offsetof(Recording, depth)));
    put("movabsq\t${}, %rax", row_key::one_call);
    put("addq\t%rax, {}", of_recording(offsetof(Recording, base)));
    put("addq\t%rax, {}", of_recording(offsetof(Recording, returns_base)));
    called_ += fmt::format("{}:\n\tcall\t__tsan_func_exit@PLT\n\tjmp\t{}\n", call(), end());
  }

  // What the events of a function's first basic block have in their rows is put into %r9, and by how much
  // other keys grow there into %r10. Where its frame lies too low it has no room on the stack. (What is
  // called too deep has no row that could be joined: its key would be less than 0.)
  void put_entry() {
    put("movq\tsimulator_own_stack+{}(%rip), %rax", offsetof(Range, begin));
    put("subq\t%rsp, %rax\n\taddq\t${}, %rax", FiberStack::reserve_bytes);
    put("cmpq\t${}, %rax\n\tjb\t{}", FiberStack::bytes, call());
    put("movabsq\t${}, %r10", -static_cast<std::int64_t>(row_key::one_call));
    put("movq\t{}, %r9\n\taddq\t%r10, %r9", of_recording(offsetof(Recording, returns_base)));
  }
  void put_deeper() {
    put("movq\t%r9, {}", of_recording(offsetof(Recording, returns_base)));
    put("addq\t%r10, {}", of_recording(offsetof(Recording, base)));
    put("addl\t$1, {}", of_recording(offsetof(Recording, depth)));
  }

  // The row ahead is another event's, mostly a basic block's in a branch that the lane has not taken: it
  // passes by that one, and joins the next. (Behind the last row of all comes the first: that is none of a
  // block.)
  void put_passing_by() {
    called_ += fmt::format("{}:\n\tmovq\t{}, %rcx\n", other_row(), of_recording(offsetof(Recording, ahead)));
    called_ += fmt::format("\tmovl\t{}(%rcx), %r8d\n\tandl\t${}, %r8d\n\tcmpl\t${}, %r8d\n\tjne\t{}\n",
                           offsetof(Row, key), row_key::kind_bits, row_key::basic_block, call());
    called_ += fmt::format("\tmovq\t{}(%rcx), %r11\n", offsetof(Row, next));
    for (std::size_t i = 0; i < blocks_before_.size(); ++i)
      called_ += fmt::format("\tmovq\t{}(%r11), %r11\n", offsetof(Row, follower));
    called_ += fmt::format("\tcmpq\t%rax, {}(%r11)\n\tjne\t{}\n", offsetof(Row, returns_to), call());
    called_ += fmt::format("\tmovl\t{}, %r8d\n\torl\t%r8d, {}(%rcx)\n\tmovq\t%r11, %rcx\n\tjmp\t{}\n",
                           of_recording(offsetof(Recording, bit)), offsetof(Row, skipped), joined());
  }

  // What the lane does where it joins the row ahead of it.
  void put_event(const HookCall& hook) {
    const bool accesses = hook.kind != HookCall::block, adds = hook.kind == HookCall::atomic_add;
    const bool enters = !entry_before_.empty();
    if (enters) put_entry();
    put("leaq\t{}, %rax", end_address());
    put("addq\t{}, %rax", enters ? "%r9" : of_recording(offsetof(Recording, returns_base)));
    hook.in_loop ? put("movq\t{}, %rcx", of_recording(offsetof(Recording, ahead))) : put_guess();
    for (std::size_t i = 0; i < blocks_before_.size(); ++i)
      put_next_row(hook, offsetof(Row, follower), "%rcx", i);
    put("cmpq\t%rax, {}(%rcx)", offsetof(Row, returns_to));
    put("jne\t{}\n{}:", other_row(), joined());
    put_passing_by();
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
    put("js\t{}\n{}:", call_unspent(), is_spent());
    if (enters) put_deeper();
    if (accesses) {
      put("movl\t{}, %r8d", of_recording(offsetof(Recording, lane)));
      put("movq\t{}(%rcx), %rax", offsetof(Row, operands));
      put("movq\t{}, {}(%rax,%r8,8)", address, offsetof(Operands, address));
    }
    put_next_row(hook, offsetof(Row, next), "%rax", blocks_before_.size());
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
    const std::string budget = of_recording(offsetof(Recording, budget));
    called_ += call_unspent() + ":\n";
    if (hook.kind != HookCall::load)
      called_ += fmt::format("\tcmpl\t${}, {}\n\tjge\t{}\n", Budget::none_left, budget, is_spent());
    called_ += fmt::format("\taddl\t${}, {}\n{}:\n", spent, budget, call());
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
    if (!hook.in_loop) put_next_guess();
    called_ += fmt::format("\tjmp\t{}\n", end());
    if (hook.kind != HookCall::load || blocks_before_.empty()) return;
    called_ += call_of_blocks() + ":\n";
    call_blocks({});
    called_ += fmt::format("\tjmp\t{}\n", end());
  }

  // The registers are kept.
  void call_blocks(const std::vector<std::string_view>& registers) {
    if (blocks_before_.empty() && entry_before_.empty()) return;
    const bool is_odd = registers.size() % 2 != 0;
    for (const std::string_view one : registers) called_ += fmt::format("\tpushq\t{}\n", one);
    if (is_odd) called_ += "\tsubq\t$8, %rsp\n";
    if (!entry_before_.empty())
      called_ += fmt::format("\tleaq\t{}, %rdi\n\tcall\tsimulator_enter_function@PLT\n", entry_before_);
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
  // (A name that the object file keeps: object_rules.hpp)
  std::string guess() const { return fmt::format("simulator_row.{}", hook_); }
  std::string wrong() const { return fmt::format(".Lsimulator_wrong{}", hook_); }
  std::string guessed() const { return fmt::format(".Lsimulator_guessed{}", hook_); }
  std::string elsewhere(std::size_t number) const {
    return fmt::format(".Lsimulator_elsewhere{}_{}", hook_, number);
  }
  std::string stepped(std::size_t number) const {
    return fmt::format(".Lsimulator_stepped{}_{}", hook_, number);
  }
  std::string other_row() const { return fmt::format(".Lsimulator_other{}", hook_); }
  std::string joined() const { return fmt::format(".Lsimulator_joined{}", hook_); }
  std::string call() const { return fmt::format(".Lsimulator_call{}", hook_); }
  std::string is_spent() const { return fmt::format(".Lsimulator_spent{}", hook_); }
  std::string call_unspent() const { return fmt::format(".Lsimulator_unspent{}", hook_); }
  std::string call_of_blocks() const { return fmt::format(".Lsimulator_blocks_of{}", hook_); }

  std::string text_, called_;               // the latter: of the function so far
  std::vector<std::string> blocks_before_;  // that are recorded with the next hook: where their hooks end
  std::string entry_before_;                // of a function, likewise; empty: none
  int hook_ = 0;
};

}  // namespace

std::string with_inlined_hooks(const std::string& assembly) { return InlinedHooks().of(assembly); }

}  // namespace simulator
