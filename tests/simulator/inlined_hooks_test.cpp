// SPDX-License-Identifier: MIT
// Hooks that lab-guard puts in place of calls. (That they record what the called functions would, each test
// of a kernel tells.)
#include "simulator/assembly/inlined_hooks.hpp"

#include <doctest/doctest.h>

#include <string>

#include "assembly.hpp"
#include "simulator/recorder.hpp"

namespace {

std::string inlined(const std::string& body) {
  return simulator::with_inlined_hooks(assembly::function("f", body));
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

bool is_inlined(const std::string& hook) {
  const std::string text = inlined("\tcall\t" + hook + "\n\tret\n");
  return !has(text, hook) && has(text, "simulator_recording");
}

}  // namespace

TEST_CASE("basic blocks and plain loads of a power of two need no call") {
  CHECK(is_inlined("__sanitizer_cov_trace_pc"));
  CHECK(is_inlined("__sanitizer_cov_trace_pc@PLT"));
  for (const std::string bytes : {"1", "2", "4", "8", "16"})
    CHECK(is_inlined("__tsan_read" + bytes + "@PLT"));
}

TEST_CASE("other hooks stay calls") {
  for (const std::string hook : {"__tsan_write4", "__tsan_read_range", "__tsan_read_write4", "__tsan_read32",
                                 "__tsan_volatile_read4", "__tsan_unaligned_read4", "__tsan_func_entry"}) {
    const std::string call = "\tcall\t" + hook + "@PLT\n\tret\n";
    CHECK(inlined(call) == assembly::function("f", call));
  }
}

TEST_CASE("what is called instead stands behind the function, and is told where the hook ends") {
  const std::string text = inlined("\tcall\t__tsan_read4@PLT\n\tmovl\t(%rdi), %eax\n\tret\n");
  const std::size_t end = text.find(".Lsimulator_hook0:\n\tmovl\t(%rdi), %eax\n\tret\n"),
                    call = text.find("leaq\t.Lsimulator_hook0(%rip), %rsi\n\tcall\tsimulator_load4@PLT\n"),
                    back = text.find("\tjmp\t.Lsimulator_hook0\n\t.size\tf");
  CHECK(end < call);
  CHECK(call < back);
  CHECK(back != std::string::npos);
}

namespace {

const std::string enters = "\tcall\t__sanitizer_cov_trace_pc@PLT\n", loads = "\tcall\t__tsan_read4@PLT\n",
                  adds_to_word = "\tcall\t_ZN9simulator14perform_atomicIjEET_jPS1_S1_S1_@PLT\n";

// Of hooks that ask on their own which row is ahead.
std::size_t hooks_in(const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find("addq\tsimulator_recording", at)) != text.npos; ++at) ++count;
  return count;
}

}  // namespace

TEST_CASE("additions for all threads need no call, whose choice is known") {
  const auto is_inlined_behind = [](const std::string& before) {
    return !has(inlined(before + adds_to_word + "\tret\n"), adds_to_word);
  };
  const std::string adds = "\tmovl\t$65536, %edi\n", adds_one = "\tmovl\t$65792, %edi\n";
  CHECK(is_inlined_behind(adds));
  CHECK(is_inlined_behind(adds_one + "\tmovl\t%eax, %edx\n"));
  CHECK_FALSE(is_inlined_behind("\tmovl\t$65537, %edi\n"));  // a subtraction
  CHECK_FALSE(is_inlined_behind("\tmovl\t$0, %edi\n"));      // for the block alone
  CHECK_FALSE(is_inlined_behind(adds + ".L2:\n"));
  CHECK_FALSE(is_inlined_behind(adds + "\tmovl\t%eax, %edi\n"));
  CHECK_FALSE(is_inlined_behind(adds + "\tcall\tg\n"));
  CHECK(has(inlined(adds + adds_to_word), "testl\t%edx, %edx"));
  CHECK_FALSE(has(inlined(adds_one + adds_to_word), "testl\t%edx, %edx"));
}

TEST_CASE("a basic block is recorded with what follows it on every way") {
  const std::string between = ".LVL4:\n\t.loc 1 2\n\tmovq\t%rbx, %rdi\n";
  const std::string text = inlined(enters + between + loads + "\tret\n");
  CHECK(hooks_in(text) == 1);
  CHECK(has(text, "\tnop\n.Lsimulator_hook0:\n" + between + "\tleaq\t.Lsimulator_hook1(%rip), %rax\n"));
  CHECK(has(text,
            "\tpushq\t%rdi\n\tsubq\t$8, %rsp\n\tleaq\t.Lsimulator_hook0(%rip), %rdi\n"
            "\tcall\tsimulator_enter_block@PLT\n\taddq\t$8, %rsp\n\tpopq\t%rdi\n"
            "\tleaq\t.Lsimulator_hook1(%rip), %rsi\n\tcall\tsimulator_load4@PLT\n"));
  CHECK(hooks_in(inlined(enters + enters + "\tmovl\t$65536, %edi\n" + adds_to_word)) == 1);
  for (const std::string apart : {".L3:\n", ".LBB0_3:\n", "\tjne\t.L3\n", "\tcall\tg\n", "\tidivl\t%ecx\n"})
    CHECK(hooks_in(inlined(enters + apart + loads)) == 2);
  CHECK(hooks_in(inlined(loads + loads)) == 2);
}

TEST_CASE("a function is entered with its first basic block, where that is reported next") {
  const std::string entry = "\tcall\t__tsan_func_entry@PLT\n", between = "\tmovq\t%rbx, %rdi\n";
  const std::string text = inlined(entry + between + enters + "\tret\n");
  CHECK_FALSE(has(text, entry));
  CHECK(has(text, "\tleaq\t.Lsimulator_hook1(%rip), %rax\n\taddq\t%r9, %rax\n"));
  CHECK(has(text,
            "\tleaq\t.Lsimulator_hook0(%rip), %rdi\n\tcall\tsimulator_enter_function@PLT\n"
            "\tleaq\t.Lsimulator_hook1(%rip), %rdi\n\tcall\tsimulator_enter_block@PLT\n"));
  CHECK(has(inlined(enters + entry + "\tret\n"), entry));
  CHECK(has(inlined(entry + loads + "\tret\n"), entry));
  CHECK(has(inlined(entry + ".L3:\n" + enters + "\tret\n"), entry));
  const std::string exit = inlined("\tcall\t__tsan_func_exit@PLT\n\tret\n");
  CHECK(has(exit, ".Lsimulator_hook0:\n\tret\n.Lsimulator_call0:\n\tcall\t__tsan_func_exit@PLT\n"));
}

TEST_CASE("a hook guesses which row is ahead, unless it stands in a loop") {
  const auto guesses = [](const std::string& body) { return has(inlined(body), "simulator_rows"); };
  CHECK(guesses(enters + "\tret\n"));
  CHECK(guesses(".L3:\n\tjne\t.L3\n" + enters + "\tjne\t.L4\n.L4:\n\tret\n"));
  CHECK_FALSE(guesses(".L3:\n" + enters + "\tjne\t.L3\n\tret\n"));
}

TEST_CASE("in a loop a hook guesses that the next row lies right behind the one that it joins") {
  const auto guesses = [](const std::string& body) { return has(inlined(body), ".Lsimulator_stepped0_0:"); };
  CHECK_FALSE(guesses(enters + "\tret\n"));
  CHECK(guesses(".L3:\n" + enters + "\tjne\t.L3\n\tret\n"));
}

TEST_CASE("of a load that is most likely of the function's own memory it is asked first whether it is") {
  const auto asks_first = [](const std::string& before) {
    return hooks_in(inlined(before + "\tmovq\t%rbx, %rdi\n" + loads)) == 0;
  };
  CHECK(asks_first("\tleaq\t-56(%rbp), %rbx\n"));
  CHECK(asks_first("\tleaq\t-56(%rbp), %rbx\n.L3:\n\taddq\t$1, %rbx\n"));
  CHECK_FALSE(asks_first("\tleaq\t-56(%rbp), %rbx\n\tmovq\t%rax, %rbx\n"));
  CHECK_FALSE(asks_first("\tleaq\t-56(%rax), %rbx\n"));
}

TEST_CASE("a hook without room for what is called is refused") {
  CHECK_THROWS_WITH(simulator::with_inlined_hooks("f:\n\tcall\t__tsan_read4\n\tret\n"),
                    "a function has no end");
}

TEST_CASE("a budget takes an event and a basic block at once, down to the last events that are kept back") {
  simulator::Budget budget;
  budget.begin(simulator::turn);
  CHECK(budget.left() == simulator::most_ahead);
  CHECK(budget.fuel() == simulator::turn);
  for (int i = 0; i < simulator::most_ahead - simulator::kept_behind_load; ++i)
    budget.number -= i % 2 == 0 ? simulator::Budget::block : simulator::Budget::event;
  CHECK(budget.left() == simulator::kept_behind_load);
  CHECK(budget.fuel() == simulator::turn - 60);
  CHECK(budget.number >= 0);
  CHECK(budget.number - simulator::Budget::event < 0);
  budget.number -= simulator::Budget::block;
  CHECK(budget.left() == simulator::kept_behind_load - 1);
  CHECK(budget.number >= simulator::Budget::none_left);
  budget.set_fuel(1);
  CHECK(budget.fuel() == 1);
  CHECK(budget.left() == simulator::kept_behind_load - 1);
}
