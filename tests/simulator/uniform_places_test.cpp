// SPDX-License-Identifier: MIT
// Which atomics are found to change a word whose place is the same for all lanes. tests/golden has kernels of
// the same kinds, and what a GPU has counted of them.
#include "simulator/assembly/uniform_places.hpp"

#include <doctest/doctest.h>

#include <string>

#include "assembly.hpp"

namespace {

using assembly::function;

const std::string atomic = "_ZN9simulator14perform_atomicIjEET_NS_15AtomicOperationEPS1_S1_S1_",
                  uniform = "_ZN9simulator22perform_uniform_atomicIjEET_NS_15AtomicOperationEPS1_S1_S1_";
const std::string thread_index = "\tcall\t_ZN9simulator12thread_indexEv@PLT\n",
                  block_index = "\tcall\t_ZN9simulator11block_indexEv@PLT\n",
                  change = "\tcall\t" + atomic + "@PLT\n";

// The harness takes its address, so it is a kernel.
std::string kernel(const std::string& body) {
  return function("_Z6kernelPjS_j", body) +
         function("_ZN7harness5entryEv", "\tleaq\t_Z6kernelPjS_j(%rip), %rax\n\tret\n");
}

// "u" for each atomic at one place for all, "." for each other, in their order.
std::string places(const std::string& assembly) {
  const std::string text = simulator::with_uniform_atomics(assembly, {"harness"});
  std::string found;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.compare(at, atomic.size(), atomic) == 0) found += '.';
    if (text.compare(at, uniform.size(), uniform) == 0) found += 'u';
  }
  return found;
}

// With the address in %rsi.
std::string places_of(const std::string& body) { return places(kernel(body)); }

}  // namespace

TEST_CASE(
    "the place is the same for all lanes that is computed from constants, parameters and the block's index") {
  CHECK(places_of("\tmovq\t%fs:0, %rax\n\tleaq\twords@tpoff+20(%rax), %rsi\n" + change + "\tret\n") == "u");
  CHECK(places_of("\tleaq\t(%rdi,%rdx,4), %rsi\n" + change + "\tret\n") == "u");
  CHECK(places_of("\tmovq\t%rdi, %rbx\n" + block_index + "\tleaq\t(%rbx,%rax,4), %rsi\n" + change +
                  "\tret\n") == "u");
  CHECK(places_of("\tmovq\t%rdi, %rbx\n" + thread_index + "\tleaq\t(%rbx,%rax,4), %rsi\n" + change +
                  "\tret\n") == ".");
  // a fifth of a parameter, and the parameter again
  CHECK(places_of("\tmovl\t%edx, %ebx\n\tmovq\t%rdi, %r12\n" + thread_index +
                  "\tdivl\t%ebx\n\tleaq\t(%r12,%rbx,4), %rsi\n" + change + "\tleaq\t(%r12,%rax,4), %rsi\n" +
                  change + "\tret\n") == "u.");
}

TEST_CASE("what is loaded is the same for all where its place is, but for a lane's own variables") {
  CHECK(places_of("\tmovl\t12(%rsi), %eax\n\tleaq\t(%rdi,%rax,4), %rsi\n" + change + "\tret\n") == "u");
  CHECK(places_of("\tmovq\t%rdi, %rbx\n\tmovq\t%rsi, %r12\n" + thread_index +
                  "\tmovl\t(%r12,%rax,4), %eax\n\tleaq\t(%rbx,%rax,4), %rsi\n" + change + "\tret\n") == ".");
  const std::string enter = "\tpushq\t%rbp\n\tmovq\t%rsp, %rbp\n\tsubq\t$64, %rsp\n",
                    leave = "\tleave\n\tret\n";
  CHECK(places_of(enter + "\tmovq\t%rdi, -24(%rbp)\n" + thread_index + "\tmovq\t-24(%rbp), %rsi\n" + change +
                  leave) == "u");
  // the word beside it is another one
  CHECK(places_of(enter + "\tmovq\t%rdi, %rbx\n\tmovl\t%edx, -28(%rbp)\n" + thread_index +
                  "\tmovq\t%rax, -24(%rbp)\n\tmovl\t-28(%rbp), %eax\n\tleaq\t(%rbx,%rax,4), %rsi\n" + change +
                  leave) == "u");
  CHECK(places_of(enter + "\tmovq\t%rdi, %rbx\n\tmovl\t%edx, -28(%rbp)\n" + thread_index +
                  "\tmovq\t%rax, -32(%rbp)\n\tmovl\t-28(%rbp), %eax\n\tleaq\t(%rbx,%rax,4), %rsi\n" + change +
                  leave) == ".");
  CHECK(places_of(enter + "\tmovq\t%rdi, %rbx\n" + thread_index +
                  "\tmovl\t%eax, -24(%rbp)\n\tmovl\t-24(%rbp), %eax\n" + "\tleaq\t(%rbx,%rax,4), %rsi\n" +
                  change + leave) == ".");
  CHECK(places_of(enter + "\tmovq\t%rdi, %rbx\n\tleaq\t-64(%rbp), %r12\n\tmovl\t(%r12,%rdx,4), %eax\n" +
                  "\tleaq\t(%rbx,%rax,4), %rsi\n" + change + leave) == ".");
}

TEST_CASE("what is written in a branch that lanes take apart differs where they meet, not inside") {
  const auto branch = [](const std::string& compared) {
    return "\tmovq\t%rdi, %rbx\n\tmovl\t%edx, %r13d\n" + thread_index + "\tmovl\t$3, %r12d\n\tcmpl\t$7, " +
           compared + "\n\tja\t.L1\n\tmovl\t$9, %r12d\n\tleaq\t(%rbx,%r12,4), %rsi\n" + change +
           ".L1:\n\tleaq\t(%rbx,%r12,4), %rsi\n" + change + "\tmovq\t%rbx, %rsi\n" + change + "\tret\n";
  };
  CHECK(places_of(branch("%eax")) == "u.u");
  CHECK(places_of(branch("%r13d")) == "uuu");
}

TEST_CASE("the counter of a loop differs where lanes leave the loop apart, and not in a loop within it") {
  const auto loop = [](const std::string& last) {
    return "\tmovq\t%rdi, %rbx\n\tmovl\t%edx, %r13d\n" + thread_index +
           "\tmovl\t%eax, %r14d\n\tmovl\t$0, %r12d\n.L1:\n" + "\tleaq\t(%rbx,%r12,4), %rsi\n" + change +
           "\tmovl\t$0, %r15d\n.L2:\n\tleaq\t(%rbx,%r15,4), %rsi\n" + change +
           "\taddl\t$1, %r15d\n\tcmpl\t$4, %r15d\n\tjne\t.L2\n\taddl\t$1, %r12d\n\tcmpl\t" + last +
           ", %r12d\n\tjne\t.L1\n\tret\n";
  };
  CHECK(places_of(loop("%r13d")) == "uu");
  CHECK(places_of(loop("%r14d")) == ".u");
}

TEST_CASE("a switch parts lanes by what it jumps to") {
  const auto choice = [](const std::string& chosen) {
    return "\tmovq\t%rdi, %rbx\n\tmovl\t%edx, %r13d\n" + thread_index +
           "\tmovl\t%eax, %r14d\n\tmovl\t$1, %r12d\n" + "\tleaq\t.L9(%rip), %rdx\n\tmovslq\t(%rdx," + chosen +
           ",4), %rax\n\taddq\t%rdx, %rax\n\tnotrack jmp\t*%rax\n" +
           "\t.section\t.rodata\n.L9:\n\t.long\t.L1-.L9\n\t.long\t.L2-.L9\n\t.text\n" +
           ".L1:\n\tmovl\t$2, %r12d\n.L2:\n\tleaq\t(%rbx,%r12,4), %rsi\n" + change + "\tret\n";
  };
  CHECK(places_of(choice("%r13")) == "u");
  CHECK(places_of(choice("%r14")) == ".");
}

TEST_CASE("operations of a warp give all lanes the same, or each its own") {
  const auto operation = [](int number, const std::string& lane, int width) {
    return "\tmovq\t%rdi, %rbx\n\tmovl\t%edx, %r13d\n" + thread_index + "\tmovl\t%eax, %r14d\n\tmovl\t$" +
           std::to_string(width) + ", %r8d\n\tmovl\t" + lane + ", %ecx\n\tmovl\t$" + std::to_string(number) +
           ", "
           "%edi\n\tcall\t_ZN9simulator14warp_operationENS_13WarpOperationEjmiij@PLT\n\tleaq\t(%rbx,%rax,4), "
           "%rsi\n" +
           change + "\tret\n";
  };
  const int shuffle = 1, shuffle_xor = 4, ballot = 5, match_any = 6, reduce_add = 8;
  CHECK(places_of(operation(ballot, "$0", 32)) == "u");
  CHECK(places_of(operation(reduce_add, "$0", 32)) == "u");
  CHECK(places_of(operation(match_any, "$0", 32)) == ".");
  CHECK(places_of(operation(shuffle, "%r13d", 32)) == "u");
  CHECK(places_of(operation(shuffle, "%r14d", 32)) == ".");
  CHECK(places_of(operation(shuffle, "%r13d", 16)) == ".");
  CHECK(places_of(operation(shuffle_xor, "$1", 32)) == ".");
}

TEST_CASE("a function gets what all its calls pass; of one whose address the unit takes nothing is known") {
  const std::string helper = function("_Z6helperPj", "\tmovq\t%rdi, %rsi\n" + change + "\tret\n"),
                    call = "\tcall\t_Z6helperPj\n";
  const std::string with_own =
      "\tmovq\t%rdi, %rbx\n" + thread_index + "\tleaq\t(%rbx,%rax,4), %rdi\n" + call + "\tret\n";
  CHECK(places(helper + kernel(call + "\tret\n")) == "u");
  CHECK(places(helper + kernel(with_own)) == ".");
  CHECK(places(helper + kernel("\tpushq\t%rdi\n" + call + "\tpopq\t%rdi\n" + with_own)) == ".");
  CHECK(places(helper + kernel("\tleaq\t_Z6helperPj(%rip), %rax\n\tcall\t*%rax\n\tret\n")) == ".");
  CHECK(places(helper + kernel("\tret\n") + "\t.data\n\t.quad\t_Z6helperPj\n") == ".");
  // nobody calls it
  CHECK(places(helper + kernel("\tret\n")) == ".");
}
