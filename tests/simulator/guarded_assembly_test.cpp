// SPDX-License-Identifier: MIT
#include "simulator/assembly/guarded_assembly.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

// A function of these instructions.
std::string function(const std::string& body) {
  return "\t.text\n\t.type\tf, @function\nf:\n\tpushq\t%rbp\n\tmovq\t%rsp, %rbp\n\tsubq\t$88, %rsp\n" + body +
         "\tleave\n\tret\n\t.size\tf, .-f\n";
}

int accesses_in(const std::string& body) { return simulator::guarded(function(body)).accesses; }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("accesses that the instrumentation sees, and those to variables at fixed places, need no check") {
  // through a register, and through a copy of it on the stack
  CHECK(accesses_in("\tmovq\t%rbx, %rdi\n\tcall\t__tsan_read4@PLT\n\tmovl\t(%rbx), %eax\n") == 0);
  CHECK(accesses_in("\tleaq\t(%r14,%rbx,4), %r13\n\tmovq\t%r13, -40(%rbp)\n\tmovq\t%r13, %rdi\n"
                    "\tcall\t__tsan_write4@PLT\n\tmovq\t-40(%rbp), %rax\n\tmovl\t%ebx, (%rax)\n") == 0);
  // a shared array, whose place is worked out before the loop
  CHECK(
      accesses_in("\tmovq\t%fs:0, %rax\n\tleaq\tcounts@tpoff(%rax), %r13\n.L3:\n\tleaq\t(%r13,%r12,4), %rdi\n"
                  "\tcall\t__tsan_write4@PLT\n\tmovl\t$0, %fs:counts@tpoff(,%r12,4)\n\tjne\t.L3\n") == 0);
  // with a division in between, and where a sign is extended
  CHECK(accesses_in("\tmovq\t%rbx, %rdi\n\tcall\t__tsan_write4@PLT\n\tmovl\t%r13d, %eax\n\tcltd\n"
                    "\tidivl\t%r12d\n\tcltq\n\tmovl\t%eax, (%rbx)\n") == 0);
  // with a call in between of what only computes; not so if it may do more
  const auto across = [](const std::string& name) {
    return "\tmovq\t%rbx, %rdi\n\tcall\t__tsan_read4@PLT\n\tcall\t" + name + "\n\taddl\t(%rbx), %eax\n";
  };
  for (const char* name : {"__popcountdi2@PLT", "_Z8__umulhijj@PLT", "_ZN9simulator12thread_indexEj@PLT"})
    CHECK(accesses_in(across(name)) == 0);
  for (const char* name : {"free@PLT", "_ZN9simulator13block_barrierENS_16BarrierReductionEb@PLT", "f"})
    CHECK(accesses_in(across(name)) == 1);
  // conversions: so many bytes are read, whatever comes of them
  const std::string seen = "\tmovq\t%rbx, %rdi\n\tcall\t__tsan_read4@PLT\n",
                    seen_long = "\tmovq\t%rbx, %rdi\n\tcall\t__tsan_read8@PLT\n";
  CHECK(accesses_in(seen + "\tcvttss2siq\t(%rbx), %rax\n") == 0);
  CHECK(accesses_in(seen + "\tcvtss2sd\t(%rbx), %xmm0\n") == 0);
  CHECK(accesses_in(seen + "\tcvtsi2ssl\t(%rbx), %xmm0\n") == 0);
  CHECK(accesses_in(seen + "\tcvttsd2siq\t(%rbx), %rax\n") == 1);
  CHECK(accesses_in(seen + "\tcvtsi2sdq\t(%rbx), %xmm0\n") == 1);
  CHECK(accesses_in(seen_long + "\tcvttsd2sil\t(%rbx), %eax\n") == 0);
  CHECK(accesses_in(seen_long + "\tcvtsi2ssq\t(%rbx), %xmm0\n") == 0);
  CHECK(accesses_in("\tmovl\t%eax, -72(%rbp)\n\tmovq\t8(%rbp), %rdi\n\tmovss\t.LC0(%rip), %xmm0\n") == 0);
  CHECK(accesses_in("\tleaq\t-72(%rbp,%rax,4), %rcx\n\tnopw\t0(%rax,%rax)\n") == 0);
}

TEST_CASE("other accesses are checked") {
  const auto element = simulator::guarded(function("\taddl\t$1, -112(%rbp,%rax,4)\n"));
  CHECK(element.accesses == 1);
  CHECK(contains(element.text, "\tmovq\t%rdi, simulator_saved_rdi(%rip)\n\tleaq\t-112(%rbp,%rax,4), %rdi\n"));
  CHECK(contains(element.text,
                 "\tcall\tsimulator_check_own_write4\n\tmovq\tsimulator_saved_rdi(%rip), %rdi\n"
                 ".Lsimulator_checked6:\n\taddl\t$1, -112(%rbp,%rax,4)\n"));
  // beyond the function's own part of the stack
  CHECK(accesses_in("\tmovl\t%eax, 4000(%rbp)\n") == 1);
  CHECK(accesses_in("\tmovl\t%eax, -4000000(%rbp)\n") == 1);
  CHECK(accesses_in("\tmovl\t%eax, 96(%rsp)\n") == 1);
  CHECK(accesses_in("\tmovl\t%eax, counts(%rip)\n") == 1);
  CHECK(accesses_in("\tmovl\t.LC0+100000(%rip), %eax\n") == 1);
  CHECK(accesses_in("\trep stosq\n") == 1);
  CHECK(accesses_in("\txchgl\t(%rbx), %eax\n") == 1);
}

TEST_CASE("a check asks at once whether the memory is the thread's own, where no flags have to be kept") {
  const auto is_short = [](const std::string& behind) {
    const auto checked = simulator::guarded(function("\tmovl\t%eax, -112(%rbp,%rax,4)\n" + behind));
    CHECK(checked.accesses == 1);
    return contains(checked.text,
                    "\tleaq\t-112(%rbp,%rax,4), %r11\n\tsubq\tsimulator_own_stack(%rip), %r11\n"
                    "\taddq\t$4, %r11\n\tcmpq\tsimulator_own_stack+8(%rip), %r11\n"
                    "\tjbe\t.Lsimulator_checked");
  };
  CHECK(is_short("\tmovq\t%rax, %rbx\n.L4:\n\taddq\t$1, %rbx\n\tjne\t.L4\n"));
  CHECK(is_short("\tcall\tf\n"));
  CHECK(is_short("\tret\n"));
  CHECK_FALSE(is_short("\tjne\t.L4\n.L4:\n"));
  CHECK_FALSE(is_short("\tsetne\t%al\n\taddq\t$1, %rbx\n"));
  CHECK_FALSE(is_short("\tincl\t%ebx\n\tret\n"));  // one flag stays
  CHECK_FALSE(is_short("\tnop\n"));
}

TEST_CASE("such a check takes a register that the function leaves alone, or keeps one") {
  const auto checked = [](const std::string& other_registers) {
    return simulator::guarded(function(other_registers + "\tmovl\t%eax, -112(%rbp,%rax,4)\n\tret\n")).text;
  };
  CHECK(contains(checked("\tmovl\t%eax, %r11d\n"), "\tleaq\t-112(%rbp,%rax,4), %r10\n"));
  CHECK(contains(checked("\tmovl\t%r10d, %r11d\n"),
                 "\tpushq\t%rax\n\tleaq\t(%rdi), %rax\n\tsubq\tsimulator_own_stack(%rip), %rax\n"
                 "\taddq\t$4, %rax\n\tcmpq\tsimulator_own_stack+8(%rip), %rax\n\tpopq\t%rax\n"
                 "\tjbe\t.Lsimulator_checked"));
}

TEST_CASE("what the instrumentation has seen of another address, kind or size is no excuse") {
  const std::string seen = "\tmovq\t%rbx, %rdi\n\tcall\t__tsan_read4@PLT\n";
  CHECK(accesses_in(seen + "\tmovl\t%eax, (%rbx)\n") == 1);
  CHECK(accesses_in(seen + "\tmovl\t4(%rbx), %eax\n") == 1);
  CHECK(accesses_in(seen + "\tmovq\t(%rbx), %rax\n") == 1);
  CHECK(accesses_in(seen + "\tmovq\t%r12, %rbx\n\tmovl\t(%rbx), %eax\n") == 1);
  CHECK(accesses_in(seen + "\tcall\tg@PLT\n\tmovl\t(%rbx), %eax\n") == 1);
  CHECK(accesses_in(seen + ".L2:\n\tmovl\t(%rbx), %eax\n\tjne\t.L2\n") == 1);
  // a register's copy on the stack may have been changed by a store that leads anywhere
  CHECK(accesses_in("\tmovq\t%rbx, -40(%rbp)\n" + seen +
                    "\tmovl\t%eax, -72(%rbp,%rax,4)\n\tmovq\t-40(%rbp), %rcx\n\tmovl\t(%rcx), %eax\n") == 2);
}

TEST_CASE("where two ways meet, only what is the same on both is known") {
  const std::string one = "\tleaq\tcounts(%rip), %r13\n\tjne\t.L5\n",
                    other = "\tleaq\tothers(%rip), %r13\n.L5:\n",
                    use = "\tleaq\tcounts(%rip), %rdi\n\tcall\t__tsan_write4@PLT\n\tmovl\t$0, (%r13)\n";
  CHECK(accesses_in(one + ".L5:\n" + use) == 0);
  CHECK(accesses_in(one + other + use) == 1);
}

TEST_CASE("what cannot be told apart is asked for while the program runs") {
  const auto sorting = simulator::guarded(
      function(".L2:\n\tmovq\t%rbx, %rdi\n\tcall\t__tsan_write4@PLT\n\tmovl\t%eax, 4(%r14)\n\tjne\t.L2\n"));
  CHECK(contains(sorting.text,
                 "\tpushq\t%rdi\n\tpushq\t%rsi\n\tcall\t__tsan_write4@PLT\n"
                 "\tpopq\tsimulator_seen+8(%rip)\n\tpopq\tsimulator_seen+0(%rip)\n"
                 "\tmovq\t$4, simulator_seen+8(%rip)\n"));
  CHECK(contains(sorting.text,
                 "\tmovl\t$1, simulator_candidates(%rip)\n\tcall\tsimulator_check_own_write_behind4\n"));
}

TEST_CASE(
    "functions are entered and left with a check, and pointers lead to functions whose address is taken") {
  const auto text =
      simulator::guarded(function("\tleaq\tg(%rip), %rax\n\tcall\t*%rax\n\tjmp\t*.L9(,%rax,8)\n.L4:\n") +
                         "\t.type\tg, @function\ng:\n\tret\n\t.size\tg, .-g\n"
                         "\t.section\t.rodata\n.L9:\n\t.quad\t.L4\n");
  CHECK(text.targets == 2);
  CHECK(contains(text.text, "f:\n\tcall\tsimulator_enter\n\tpushq\t%rbp\n"));
  CHECK(contains(text.text, "\tleave\n\tcall\tsimulator_leave\n\tret\n"));
  CHECK(contains(text.text, "\tmovq\t%rax, %r11\n\tcall\tsimulator_check_call\n"));
  CHECK_FALSE(contains(text.text, "\tcall\t*%rax\n"));
  CHECK(contains(text.text,
                 "\t.section\tsimulator_calls,\"aw\",@progbits\n\t.p2align\t3\n\t.quad\tg\n"
                 "\t.section\tsimulator_jumps,\"aw\",@progbits\n\t.p2align\t3\n\t.quad\t.L4\n"));
}

TEST_CASE("the harness's functions get no checks, and cannot be called through a pointer") {
  const std::string harness =
      "\t.type\t_ZN3abc1fEv, @function\n_ZN3abc1fEv:\n\tmovl\t(%rax), %eax\n\tret\n\t.size\t_ZN3abc1fEv, "
      ".-_ZN3abc1fEv\n";
  const std::string unit = function("\tleaq\t_ZN3abc1fEv(%rip), %rax\n") + harness;
  const auto known = simulator::guarded(unit, {"x", "abc"}), unknown = simulator::guarded(unit, {"ab"});
  CHECK(contains(known.text, harness));
  CHECK_FALSE(contains(known.text, "\t.quad\t_ZN3abc1fEv\n"));
  CHECK_FALSE(contains(unknown.text, harness));
  CHECK(contains(unknown.text, "\t.quad\t_ZN3abc1fEv\n"));
}

TEST_CASE("a function may be called through a constant of the unit's whose name begins as a label does") {
  const auto text = simulator::guarded(
      function("\tcall\t*%rax\n") +
          "\t.type\t_ZN3abc4dataE,@object\n\t.section\t.data\n_ZN3abc4dataE:\n\t.quad\th\n" +
          "\t.type\t.L__const.f.table,@object\n.L__const.f.table:\n\t.quad\tg\n\t.text\n" +
          "\t.type\tg, @function\ng:\n\tret\n\t.size\tg, .-g\n\t.type\th, @function\nh:\n\tret\n\t.size\th, "
          ".-h\n",
      {"abc"});
  CHECK(contains(text.text,
                 "\t.section\tsimulator_calls,\"aw\",@progbits\n\t.p2align\t3\n\t.quad\tg\n\t.section"));
}

TEST_CASE("the labels of the note with which compilers mark a file are no places to go to") {
  const auto text =
      simulator::guarded(function("") +
                         "\t.section\t.note.gnu.property,\"a\"\n\t.long\t1f - 0f\n\t.long\t4f - 1f\n"
                         "0:\n\t.string\t\"GNU\"\n1:\n4:\n");
  CHECK(contains(text.text,
                 "\t.section\tsimulator_calls,\"aw\",@progbits\n\t.p2align\t3\n"
                 "\t.section\tsimulator_jumps,\"aw\",@progbits\n\t.p2align\t3\n\t.text"));
}

TEST_CASE("what it cannot read is an error, not left as it is") {
  CHECK_THROWS_WITH(simulator::guarded(function("\tmovl\t%gs:(%rax), %eax\n")),
                    "line 7: movl\t%gs:(%rax), %eax");
  CHECK_THROWS(simulator::guarded(function("\tlodsb\n")));
}
