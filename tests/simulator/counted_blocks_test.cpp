// SPDX-License-Identifier: MIT
// What is counted of basic blocks in assembly, as lab-guard writes it into the object file.
#include "simulator/assembly/counted_blocks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include "assembly.hpp"

namespace {

using assembly::function;

const std::string entered = "\tcall\t__sanitizer_cov_trace_pc@PLT\n";

// "arithmetic branches divisions" for each block, in their order, and what else is said of it.
std::string counts(const std::string& assembly) {
  const std::string text = simulator::with_counted_blocks(assembly), numbers = "\t.2byte ",
                    bytes = "\t.byte ";
  std::string all;
  for (std::size_t at = text.find(numbers); at != std::string::npos; at = text.find(numbers, at + 1)) {
    const std::size_t begin = at + numbers.size(), end = text.find('\n', begin),
                      second = end + 1 + bytes.size(), second_end = text.find('\n', second);
    constexpr unsigned long known_turns_bit = 0x8000;
    const unsigned long arithmetic = std::stoul(text.substr(begin, end - begin));
    const bool has_known_turns = (arithmetic & known_turns_bit) != 0;
    std::string line =
        std::to_string(arithmetic % known_turns_bit) + " " + text.substr(second, second_end - second);
    constexpr unsigned long unrolled_bit = 128, way_bit = 32, jumps_bit = 16, counted_bit = 8,
                            branches_bits = 16, unrolling_bits = 8;
    constexpr std::array unrollings = {"",
                                       " by rest",
                                       " in sixteens",
                                       " in sixteens behind the rest",
                                       " in fours",
                                       " in fours behind the rest"};
    const std::size_t branches = line.find(' ') + 1, comma = line.find(',');
    const unsigned long second_byte = std::stoul(line.substr(branches));
    line.replace(branches, comma + 1 - branches, std::to_string(second_byte % branches_bits));
    const std::size_t last = line.rfind(' ') + 1;
    const unsigned long bits = std::stoul(line.substr(last));
    line = line.substr(0, last) + std::to_string(bits % counted_bit) +
           ((bits & unrolled_bit) != 0 ? " unrolled"
            : has_known_turns          ? " known turns"
                                       : "") +
           ((bits & counted_bit) != 0 ? " counted" : "") +
           unrollings.at(second_byte / branches_bits % unrolling_bits) +
           ((bits & jumps_bit) != 0 ? " jumps" : "") + ((bits & way_bit) != 0 ? " way" : "");
    all += (all.empty() ? "" : "; ") + line;
  }
  return all;
}

std::string counts_of(const std::string& body) { return counts(function("f", body + "\tret\n")); }

// "|" for each block that a branch of a GPU's code leads to, or where its ways meet, ":" for each that goes
// on because what is short is put under a predicate, and "." for any other that goes on.
std::string all_borders_of(const std::string& body) {
  const std::string text = simulator::with_counted_blocks(function("f", body + "\tret\n")),
                    bytes = "\t.byte ";
  std::string all;
  for (std::size_t at = text.find(bytes); at != std::string::npos; at = text.find(bytes, at + 1)) {
    constexpr unsigned long goes_on_bit = 64, chosen_bit = 128;
    const bool goes_on = (std::stoul(text.substr(text.find(',', at) + 1)) & goes_on_bit) != 0,
               is_chosen = (std::stoul(text.substr(at + bytes.size())) & chosen_bit) != 0;
    all += is_chosen ? '.' : goes_on ? ':' : '|';
  }
  return all;
}

// The same, whyever it goes on.
std::string borders_of(const std::string& body) {
  std::string all = all_borders_of(body);
  std::ranges::replace(all, ':', '.');
  return all;
}

}  // namespace

TEST_CASE("each block has an entry behind the call that begins it, in the group of its function") {
  const std::string text = simulator::with_counted_blocks(function("f", entered + "\taddl\t%eax, %ebx\n"));
  CHECK(text.find(entered + ".Lsimulator_block2:\n\t.pushsection simulator_blocks,\"a?\",%progbits\n"
                            "\t.balign 4\n\t.long .Lsimulator_block2-.\n\t.2byte 1\n\t.byte 0, 0\n"
                            "\t.popsection\n\taddl\t%eax, %ebx\n") != std::string::npos);
  CHECK(simulator::with_counted_blocks("\tret\n") == "\tret\n");
}

TEST_CASE("arithmetic counts, on 64 bits twice; moves, calls, zeros and the stack do not") {
  CHECK(counts_of(entered + "\taddl\t%eax, %ebx\n\tshrq\t$3, %rcx\n") == "3 0 0");
  CHECK(counts_of(entered +
                  "\tmovl\t%eax, %ebx\n\tmovzbl\t(%rdi), %eax\n\tcltq\n\tpushq\t%rbx\n\txorl\t%eax, %eax\n"
                  "\tsubq\t$64, %rsp\n\tcall\tg\n\tnop\n") == "0 0 0");
  CHECK(counts_of(entered + "\tcmpl\t$3, %eax\n\tjne\t.L9\n\tjmp\t.L8\n") == "1 1 0");
  CHECK(counts_of(entered + "\tcltd\n\tidivl\t%ecx\n") == "0 0 1");
}

TEST_CASE("an address counts as what a GPU has to compute of it") {
  CHECK(counts_of(entered + "\tleaq\t(%rax,%rbx,4), %rdi\n") == "2 0 0");
  CHECK(counts_of(entered + "\tleaq\tcounts@tpoff(%rax,%rbx,4), %rdi\n") == "1 0 0");  // shared memory
  CHECK(counts_of(entered +
                  "\tleaq\tcounts@tpoff(%rax), %rdi\n\tleaq\ttable(%rip), %rsi\n\tleaq\t-16(%rbp), %rdx\n") ==
        "0 0 0");
  CHECK(counts_of(entered + "\tleal\t4(%rax,%rbx), %ecx\n") == "1 0 0");
}

TEST_CASE("what stands in front of a function's first block belongs to none") {
  CHECK(counts(function("f", entered + "\taddl\t%eax, %ebx\n") +
               function("g", "\taddl\t%eax, %ebx\n" + entered + "\tsubl\t%eax, %ebx\n")) == "1 0 0; 1 0 0");
}

TEST_CASE("a loop from constant to constant is unrolled, and what follows from its counter is known") {
  const std::string begin = entered + "\tmovl\t$0, %ebx\n.L2:\n" + entered,
                    end = "\taddl\t$1, %ebx\n\tcmpl\t$8, %ebx\n\tjne\t.L2\n";
  const std::string body = "\tleal\t0(,%rbx,8), %ecx\n\tshrl\t%cl, %r12d\n\tandl\t%r12d, %r13d\n";
  CHECK(counts_of(begin + body + end) == "0 0 0; 2 0 0 unrolled");
  // the counter in the function's frame
  CHECK(counts_of("\tpushq\t%rbp\n\tmovq\t%rsp, %rbp\n" + entered + "\tmovl\t$0, -8(%rbp)\n.L2:\n" + entered +
                  "\txorl\t%r12d, %r13d\n\taddl\t$1, -8(%rbp)\n\tcmpl\t$8, -8(%rbp)\n\tjne\t.L2\n") ==
        "0 0 0; 1 0 0 unrolled");
  // a pointer from a local array's beginning to its end, into a loop that is entered from below
  CHECK(counts_of(entered + "\tleaq\t-16(%rbp), %r12\n\tjmp\t.L3\n.L2:\n" + entered +
                  "\txorl\t%r14d, %r13d\n\taddq\t$1, %rbx\n\tcmpq\t%r12, %rbx\n\tjne\t.L2\n\tret\n.L3:\n" +
                  "\tleaq\t-32(%rbp), %rbx\n\tjmp\t.L2\n") == "0 0 0; 1 0 0 unrolled");
  // or from a shared array's
  const auto over_array = [](const std::string& index) {
    return counts_of(entered + "\tmovq\t%fs:0, %rax\n\tleaq\tsums@tpoff(%rax" + index + "), %rbx\n" +
                     "\tleaq\tsums@tpoff+32(%rax), %r12\n.L2:\n" + entered +
                     "\txorl\t%r14d, %r13d\n\taddq\t$4, %rbx\n\tcmpq\t%r12, %rbx\n\tjne\t.L2\n");
  };
  CHECK(over_array("") == "0 0 0; 1 0 0 unrolled");
  CHECK(over_array(",%rdx,4") == "1 0 0; 1 0 0 counted");
}

TEST_CASE(
    "a loop whose turns can be counted is unrolled in part; it loses what counts them, and nothing else") {
  const std::string end = "\taddq\t$1, %rbx\n\tcmpq\t%r12, %rbx\n\tjne\t.L2\n";
  CHECK(counts_of(entered + "\tmovq\t%rdi, %rbx\n.L2:\n" + entered + "\tleal\t0(,%rbx,8), %ecx\n" + end) ==
        "0 0 0; 1 0 0 counted");
  const std::string access = "\tmovq\t%r13, %rdi\n\tcall\t__tsan_read4@PLT\n";
  CHECK(counts_of(entered + "\tmovq\t%rdi, %rbx\n.L2:\n" + entered + access + end) ==
        "0 0 0; 0 0 0 counted in fours behind the rest");
  CHECK(counts_of(entered + ".L2:\n" + entered +
                  "\taddq\t$1, %rbx\n\tmovq\t-8(%rbp), %rax\n\tcmpq\t%rax, %rbx\n\tjne\t.L2\n") ==
        "0 0 0; 0 0 0 counted");
  // its end moves too, or its step is not known
  CHECK(counts_of(entered + ".L2:\n" + entered + "\taddq\t%rax, %r12\n" + end) == "0 0 0; 6 1 0");
  CHECK(counts_of(entered + ".L2:\n" + entered + "\taddq\t%rax, %rbx\n\tcmpq\t%r12, %rbx\n\tjb\t.L2\n") ==
        "0 0 0; 4 1 0");
}

TEST_CASE("what stands under a condition is no part of the unrolled loop's block, if it accesses memory") {
  const std::string begin = entered + "\tmovl\t$0, %ebx\n.L2:\n" + entered +
                            "\ttestl\t%r13d, %r13d\n\tje\t.L3\n" + entered,
                    end = ".L3:\n" + entered + "\taddl\t$1, %ebx\n\tcmpl\t$8, %ebx\n\tjne\t.L2\n";
  CHECK(counts_of(begin + "\tmovl\t%r14d, %r12d\n" + end) ==
        "0 0 0; 1 1 0 unrolled; 0 0 0 unrolled; 0 0 0 unrolled");
  CHECK(counts_of(begin + "\tcall\t__tsan_read4@PLT\n" + end) ==
        "0 0 0; 1 1 0 unrolled; 0 0 0 known turns; 0 0 0 known turns");
}

TEST_CASE("the turns of a loop are known that doubles or halves its counter") {
  const auto loop = [](const std::string& begin, const std::string& step, const std::string& end) {
    return counts_of(entered + "\tmovl\t$" + begin + ", %ebx\n.L2:\n" + entered +
                     "\ttestl\t%r13d, %r13d\n\tje\t.L3\n" + entered + "\tcall\t__tsan_read4@PLT\n.L3:\n" +
                     entered + step + end + "\tjne\t.L2\n");
  };
  const std::string compare = "\tcmpl\t$64, %ebx\n",
                    known = "0 0 0; 1 1 0 unrolled; 0 0 0 known turns; 0 0 0 known turns";
  CHECK(loop("1", "\taddl\t%ebx, %ebx\n", compare) == known);
  CHECK(loop("1", "\tsall\t$2, %ebx\n", compare) == known);
  CHECK(loop("64", "\tshrl\t%ebx\n", "") == known);
  CHECK(loop("1", "\taddl\t%r12d, %ebx\n", compare) == "0 0 0; 1 1 0; 0 0 0; 2 1 0");
}

TEST_CASE("a loop that begins with what the thread has is not known, and a call forgets registers") {
  const std::string end = "\taddl\t$1, %ebx\n\tcmpl\t$8, %ebx\n\tjne\t.L2\n";
  CHECK(counts_of(entered + "\tmovl\t%eax, %ebx\n.L2:\n" + entered + "\tleal\t3(%rbx), %ecx\n" + end) ==
        "0 0 0; 1 0 0 counted");
  CHECK(counts_of(entered + "\tmovl\t$0, %ebx\n.L2:\n" + entered +
                  "\tleal\t3(%rbx), %ecx\n\tcall\tg\n\taddl\t$5, %ecx\n\tmovl\t%ecx, %r12d\n" + end) ==
        "0 0 0; 0 0 0 unrolled");
}

TEST_CASE("an unrolled loop has no blocks of its own, nor has what its counter decides") {
  const std::string enter = "\tpushq\t%rbp\n\tmovq\t%rsp, %rbp\n\tsubq\t$64, %rsp\n",
                    add = "\txorl\t%r14d, %r13d\n", turn = "\taddl\t$1, %ebx\n\tcmpl\t$8, %ebx\n\tjne\t.L2\n";
  CHECK(borders_of(entered + "\tmovl\t$0, %ebx\n.L2:\n" + entered + add + turn + entered) == "|..");
  CHECK(borders_of(entered + "\tmovl\t%edi, %ebx\n.L2:\n" + entered + add + turn + entered) == "|||");
  // from a place in memory to a number of bytes behind, and a break
  CHECK(borders_of(entered + "\tmovq\t%rdi, %rbx\n\tleaq\t4096(%rdi), %r12\n.L2:\n" + entered + add +
                   "\taddq\t$512, %rbx\n\tcmpq\t%r12, %rbx\n\tjne\t.L2\n" + entered) == "|..");
  CHECK(borders_of(entered + "\tmovl\t$0, %ebx\n.L2:\n" + entered + "\tcmpl\t%r13d, (%r14)\n\tje\t.L9\n" +
                   entered + "\tcmpl\t$3, %ebx\n\tja\t.L3\n" + entered + add + ".L3:\n" + entered + turn +
                   ".L9:\n" + entered + "\tcmpl\t$3, %ebx\n\tja\t.L4\n" + entered + "\tcall\tg\n.L4:\n" +
                   entered) == "|.|..|||");
}

TEST_CASE("a loop is counted through whose begin and end another loop moves on by the same") {
  const auto moves_on = [](const std::string& end) {
    return borders_of("\tpushq\t%rbp\n\tmovq\t%rsp, %rbp\n\tsubq\t$64, %rsp\n" + entered +
                      "\tmovq\t%rdi, -8(%rbp)\n\tleaq\t4096(%rdi), %rax\n\tmovq\t%rax, -16(%rbp)\n.L1:\n" +
                      entered + "\tmovq\t-8(%rbp), %rbx\n\tmovq\t-16(%rbp), %r12\n.L2:\n" + entered +
                      "\txorl\t%r14d, %r13d\n\taddq\t$512, %rbx\n\tcmpq\t%r12, %rbx\n\tjne\t.L2\n" + entered +
                      "\taddq\t%r15, -8(%rbp)\n" + end + "\tcmpl\t%r13d, (%r14)\n\tjne\t.L1\n" + entered);
  };
  CHECK(moves_on("\taddq\t%r15, -16(%rbp)\n") == "||..|");
  CHECK(moves_on("") == "|||||");
  CHECK(moves_on("\taddq\t%r14, -16(%rbp)\n") == "|||||");
}

TEST_CASE("a short body without an atomic is under a predicate, and no block") {
  const auto guarded = [](const std::string& body) {
    return borders_of(entered + "\tcmpl\t%eax, %ebx\n\tjnb\t.L2\n" + entered + body + ".L2:\n" + entered);
  };
  const std::string load = "\tcall\t__tsan_read4@PLT\n\tmovl\t(%rdi), %eax\n", add = "\taddl\t%ecx, %eax\n",
                    seven = add + add + add + add + add + add + add,
                    change = "\tcall\t_ZN9simulator14perform_atomicIj@PLT\n";
  CHECK(guarded(load) == "|..");
  CHECK(guarded(change) == "|||");
  CHECK(guarded(seven) == "|..");
  CHECK(guarded(seven + add) == "|||");
  CHECK(guarded("\tcltd\n\tidivl\t%ecx\n") == "|||");
  // what is loaded decides something
  const std::string inner = "\tcmpl\t$3, %eax\n\tja\t.L1\n" + entered + add + ".L1:\n" + entered;
  CHECK(guarded(inner) == "|....");
  CHECK(guarded(load + inner) == "||..|");
  // two ways
  CHECK(borders_of(entered + "\tcmpl\t%eax, %ebx\n\tja\t.L2\n" + entered + add + "\tjmp\t.L3\n.L2:\n" +
                   entered + add + add + ".L3:\n" + entered) == "|...");
  // two conditions, and one branch to the same place
  const auto both = [&](const std::string& second) {
    return borders_of(entered + "\tcmpl\t%eax, %ebx\n\tja\t.L2\n" + entered + second + "\tjs\t.L2\n" +
                      entered + change + ".L2:\n" + entered);
  };
  CHECK(both("\ttestl\t%ecx, %ecx\n") == "|.||");
  CHECK(both(load + "\ttestl\t%eax, %eax\n") == "||||");
}

TEST_CASE("a body that is shorter still, and loads nothing, is worked out for all lanes") {
  const auto guarded = [](const std::string& body) {
    return all_borders_of(entered + "\tcmpl\t%eax, %ebx\n\tjnb\t.L2\n" + entered + body + ".L2:\n" + entered);
  };
  const std::string add = "\taddl\t%ecx, %eax\n", four = add + add + add + add;
  CHECK(guarded(four) == "|..");
  CHECK(guarded(four + add) == "|::");
  CHECK(guarded(four + four) == "|||");
  CHECK(guarded("\tcall\t__tsan_read4@PLT\n\tmovl\t(%rdi), %eax\n") == "|::");
}

TEST_CASE("a call counts where a GPU has instructions for the function") {
  CHECK(counts_of(entered + "\tcall\t_Z11__byte_permjjj@PLT\n") == "1 0 0");
  CHECK(counts_of(entered + "\tcall\t__popcountdi2@PLT\n") == "1 0 0");
  CHECK(counts_of(entered + "\tcall\t_Z9__vcmpeq4jj\n\tcall\t_Z8__vminu2jj\n\tcall\t_Z5__fnsjji\n") ==
        "46 0 0");
  CHECK(counts_of(entered + "\tcall\t_Z4__v4jj.other\n\tcall\t_Z7helper2jj\n\tcall\tmemcpy\n") == "5 0 0");
}

TEST_CASE("what a loop says that goes on by a constant to an unknown end, unless it is left elsewhere") {
  const std::string end = "\taddq\t$32, %rbx\n\tcmpq\t%r12, %rbx\n\tjb\t.L2\n";
  const auto loop = [&](const std::string& body) {
    return counts_of(entered + "\tmovq\t%rdi, %rbx\n.L2:\n" + entered + body + end + ".L9:\n" + entered);
  };
  CHECK(loop("") == "0 0 0; 0 0 0 counted; 0 0 0");
  CHECK(loop("\ttestl\t%eax, %eax\n\tje\t.L3\n" + entered + "\tcall\tg\n.L3:\n" + entered) ==
        "0 0 0; 1 1 0 counted; 0 0 0 counted; 0 0 0 counted; 0 0 0");
  CHECK(loop("\ttestl\t%eax, %eax\n\tje\t.L9\n") == "0 0 0; 1 1 0; 0 0 0");
}

TEST_CASE("a block says whether it ends with a jump through a table, and whether such a jump leads to it") {
  const std::string table = "\t.section\t.rodata\n.L4:\n\t.long\t.L5-.L4\n\t.long\t.L6-.L4\n\t.text\n";
  CHECK(counts(function("f", entered + "\tjmp\t*%rax\n.L5:\n" + entered + "\tjmp\t.L7\n.L6:\n" + entered +
                                 ".L7:\n" + entered + "\tret\n") +
               table) == "0 0 0 jumps; 0 0 0 way; 0 0 0 way; 0 0 0");
}

TEST_CASE("AArch64's instructions are counted too") {
  const std::string bl = "\tbl\t__sanitizer_cov_trace_pc\n";
  CHECK(counts_of(
            bl +
            "\tadd\tw0, w1, w2\n\tlsr\tx0, x1, 3\n\tmov\tw0, w1\n\tldr\tw0, [x1]\n\tcmp\tw0, 3\n\tb.ne\t.L2\n"
            "\tcbz\tw0, .L3\n\tudiv\tw0, w1, w2\n\tb\t.L2\n\tadd\tsp, sp, 16\n\tbic\tw0, w1, w2\n") ==
        "5 2 1");
}

namespace {

// A loop that loads, behind the entry of its function; its counter is %rbx or %ebx.
std::string loop_of_loads(const std::string& begins, const std::string& counts,
                          const std::string& body = "") {
  return counts_of(entered + begins + ".L2:\n" + entered + "\tmovq\t%r13, %rdi\n\tcall\t__tsan_read4@PLT\n" +
                   body + counts);
}

const std::string of_thread = "\tmovl\t%eax, %ebx\n";

}  // namespace

TEST_CASE(
    "a counter that may step over the end is unrolled by what is left; one whose turns are known is not") {
  const std::string by_32 = "\taddl\t$32, %ebx\n\tcmpl\t%r12d, %ebx\n";
  CHECK(loop_of_loads(of_thread, by_32 + "\tjb\t.L2\n") == "0 0 0; 0 0 0 counted by rest");
  CHECK(loop_of_loads(of_thread, by_32 + "\tjl\t.L2\n") ==
        "0 0 0; 0 0 0 counted in sixteens behind the rest");
  CHECK(loop_of_loads(of_thread, by_32 + "\tjne\t.L2\n") ==
        "0 0 0; 0 0 0 counted in sixteens behind the rest");
  const std::string by_1 = "\taddl\t$1, %ebx\n\tcmpl\t%r12d, %ebx\n\tjb\t.L2\n";
  CHECK(loop_of_loads(of_thread, by_1) == "0 0 0; 0 0 0 counted in sixteens behind the rest");
  // pointers: over one element, and over more
  const auto by_pointer = [&](const std::string& bytes) {
    return loop_of_loads(of_thread, "\taddq\t$" + bytes + ", %rbx\n\tcmpq\t%r12, %rbx\n\tjb\t.L2\n",
                         "\tmovl\t(%rbx), %r14d\n");
  };
  CHECK(by_pointer("4") == "0 0 0; 0 0 0 counted in sixteens behind the rest");
  CHECK(by_pointer("128") == "0 0 0; 0 0 0 counted by rest");
}

TEST_CASE("what is left over of a loop comes last where a number of it begins as a constant") {
  const std::string counts = "\taddl\t$1, %ebx\n\tcmpl\t%r12d, %ebx\n\tjne\t.L2\n",
                    adds = "\taddl\t(%r13), %r14d\n";
  CHECK(loop_of_loads("\tmovl\t$0, %ebx\n", counts) == "0 0 0; 0 0 0 counted in sixteens");
  CHECK(loop_of_loads(of_thread + "\tmovl\t$0, %r14d\n", counts, adds) == "0 0 0; 1 0 0 counted in sixteens");
  CHECK(loop_of_loads(of_thread + "\tmovl\t%ecx, %r14d\n", counts, adds) ==
        "0 0 0; 1 0 0 counted in sixteens behind the rest");
  const std::string wide = "\taddq\t$1, %rbx\n\tcmpq\t%r12, %rbx\n\tjne\t.L2\n";
  CHECK(loop_of_loads("\tmovl\t$0, %ebx\n", wide) == "0 0 0; 0 0 0 counted in fours");
  // it is of a floating-point number
  CHECK(loop_of_loads("\tpushq\t%rbp\n\tmovq\t%rsp, %rbp\n" + of_thread + "\tmovl\t$0, -8(%rbp)\n", counts,
                      "\tmovss\t-8(%rbp), %xmm0\n\taddss\t(%r13), %xmm0\n\tmovss\t%xmm0, -8(%rbp)\n")
            .ends_with("counted in sixteens behind the rest"));
}

TEST_CASE("an end that is a constant: few turns, many, and a second one only behind zero") {
  const auto until = [](const std::string& jump, const std::string& last) {
    return loop_of_loads(of_thread, "\taddl\t$256, %ebx\n\tcmpl\t$" + last + ", %ebx\n\t" + jump + "\t.L2\n");
  };
  CHECK(until("jbe", "299") == "0 0 0; 0 0 0 counted by rest");
  CHECK(until("jbe", "256") == "0 0 0; 0 0 0 counted");
  CHECK(until("jb", "257") == "0 0 0; 0 0 0 counted");
  CHECK(until("jb", "256") == "0 0 0; 0 0 0 counted by rest");
  CHECK(until("jbe", "5000") == "0 0 0; 0 0 0 counted in sixteens behind the rest");
  CHECK(until("jle", "299") == "0 0 0; 0 0 0 counted in fours behind the rest");
}

TEST_CASE("a loop that does more than load and store, or has an `if`, is not taken for unrolled in part") {
  const std::string counts = "\taddl\t$32, %ebx\n\tcmpl\t%r12d, %ebx\n\tjb\t.L2\n";
  CHECK(loop_of_loads(of_thread, counts, "\tcall\t__tsan_write4@PLT\n") == "0 0 0; 0 0 0 counted by rest");
  CHECK(loop_of_loads(of_thread, counts, "\tcall\t__tsan_volatile_read4@PLT\n") == "0 0 0; 0 0 0 counted");
  CHECK(loop_of_loads(of_thread, counts, "\tcall\tg\n") == "0 0 0; 0 0 0 counted");
  CHECK(loop_of_loads(of_thread, counts, "\ttestl\t%eax, %eax\n\tje\t.L3\n" + entered + ".L3:\n")
            .find("by rest") == std::string::npos);
}

TEST_CASE("a pragma in front of a loop in the source") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "workbook-loop-pragmas";
  std::filesystem::create_directories(folder);
  const auto loop = [&](const std::string& pragma, const std::string& begins, const std::string& jump) {
    std::ofstream(folder / "kernel.cu")
        << "int a;\n"
        << pragma << "\n\n  for (unsigned k = t; k < n; k += 32)\n    s += d[k];\n";
    return loop_of_loads("\t.file 7 \"" + folder.string() + "\" \"kernel.cu\"\n\t.loc 7 4 20\n" + begins,
                         "\taddl\t$32, %ebx\n\tcmpl\t" + jump);
  };
  const std::string unsigned_end = "%r12d, %ebx\n\tjb\t.L2\n", constant_end = "$64, %ebx\n\tjne\t.L2\n";
  CHECK(loop("", of_thread, unsigned_end) == "0 0 0; 0 0 0 counted by rest");
  CHECK(loop("#pragma unroll", of_thread, unsigned_end) == "0 0 0; 0 0 0 counted by rest");
  CHECK(loop("  # pragma unroll 1", of_thread, unsigned_end) == "0 0 0; 2 1 0");
  CHECK(loop("#pragma unroll(1)  // stays", of_thread, unsigned_end) == "0 0 0; 2 1 0");
  CHECK(loop("#pragma unroll 4", of_thread, unsigned_end) == "0 0 0; 0 0 0 counted");
  CHECK(loop("#pragma unroll 4", of_thread, "%r12d, %ebx\n\tjl\t.L2\n") ==
        "0 0 0; 0 0 0 counted in fours behind the rest");
  CHECK(loop("", "\tmovl\t$0, %ebx\n", constant_end) == "0 0 0; 0 0 0 unrolled");
  CHECK(loop("#pragma unroll 1", "\tmovl\t$0, %ebx\n", constant_end) == "0 0 0; 2 1 0");
  std::filesystem::remove_all(folder);
}
