// SPDX-License-Identifier: MIT
// What a compiler knows of accesses' addresses, as lab-guard writes it into the object file.
#include "simulator/assembly/known_alignments.hpp"

#include <doctest/doctest.h>

#include <string>

#include "assembly.hpp"

namespace {

// What is listed of the accesses behind `body`, whose address is in %rdi: "-" where nothing is, for the
// compiler knows the address.
std::string alignment_behind(const std::string& body, const std::string& hook = "__tsan_read4") {
  const std::string text = simulator::with_known_alignments(
                        assembly::function("f", body + "\tcall\t" + hook + "@PLT\n\tret\n")),
                    before = "-., ";
  const std::size_t at = text.find(before);
  if (at == std::string::npos) return "-";
  return text.substr(at + before.size(), text.find('\n', at) - at - before.size());
}

// The same of words[INDEX], where `index` leaves the index in %rax.
std::string of_word(const std::string& index) {
  return alignment_behind("\tmovl\t$0, %edi\n\tcall\t_ZN9simulator12thread_indexEj@PLT\n" + index +
                          "\tmovq\t%fs:0, %rdx\n\tleaq\twords@tpoff(%rdx,%rax,4), %rdi\n");
}

}  // namespace

TEST_CASE("the address of a variable is known, and what lies a constant behind") {
  CHECK(alignment_behind("\tmovq\t%fs:0, %rax\n\tleaq\twords@tpoff+12(%rax), %rdi\n") == "-");
  CHECK(of_word("\tmovl\t$5, %eax\n") == "-");
}

TEST_CASE("of an index that a thread brings a compiler knows what it is a multiple of") {
  CHECK(of_word("") == "4");
  CHECK(of_word("\taddl\t$4, %eax\n") == "4");
  CHECK(of_word("\taddl\t%eax, %eax\n") == "8");
  CHECK(of_word("\tleal\t(%rax,%rax,2), %eax\n") == "4");
  CHECK(of_word("\tleal\t3(,%rax,4), %eax\n") == "16");
  CHECK(of_word("\timull\t$26, %eax, %eax\n") == "8");
  CHECK(of_word("\tsall\t$5, %eax\n\tshrl\t$4, %eax\n") == "8");
  CHECK(of_word("\tandl\t$-32, %eax\n") == "16");
  CHECK(of_word("\tandl\t$31, %eax\n") == "4");
  CHECK(of_word("\tmovl\t(%rax), %eax\n") == "4");
}

TEST_CASE(
    "nothing is said of what a loop's counter takes part in, for it is known where the loop is unrolled") {
  const std::string loop = "\tmovl\t$0, %ebx\n.L2:\n\taddl\t$1, %ebx\n\tcmpl\t$8, %ebx\n\tjne\t.L2\n";
  CHECK(of_word(loop + "\tmovl\t%ebx, %eax\n") == "-");
  CHECK(of_word(loop + "\taddl\t%ebx, %eax\n") == "4");
  CHECK(of_word(loop + "\tandl\t%ebx, %eax\n") == "-");
  CHECK(of_word(loop + "\tmovl\t%ebx, %ecx\n\tsall\t%cl, %eax\n") == "-");
}

TEST_CASE("a type that the compiler copies without asking for its alignment is aligned to 16 bytes") {
  const auto is_aligned = [](const std::string& call, const std::string& copy) {
    const std::string text =
        simulator::with_known_alignments(assembly::function("f", call + copy + "\tret\n"));
    return text.find("_range_aligned@PLT") != std::string::npos;
  };
  const std::string read = "\tcall\t__tsan_read_range@PLT\n", write = "\tcall\t__tsan_write_range@PLT\n";
  CHECK(is_aligned(read, "\tmovdqa\t(%rbx), %xmm0\n\tmovaps\t%xmm0, -32(%rbp)\n"));
  CHECK_FALSE(is_aligned(read, "\tmovdqu\t(%rbx), %xmm0\n\tmovaps\t%xmm0, -32(%rbp)\n"));
  CHECK_FALSE(is_aligned(read, "\tmovq\t(%rbx), %rax\n"));
  CHECK(is_aligned(write, "\tmovdqu\t-36(%rbp), %xmm0\n\tmovaps\t%xmm0, (%r12)\n"));
  CHECK_FALSE(is_aligned(write, "\tmovdqa\t-32(%rbp), %xmm0\n\tmovups\t%xmm0, (%r12)\n"));
}

TEST_CASE("an address varies with what the innermost loop around the access loads or changes") {
  const std::string load = "\tmovq\t%r12, %rdi\n\tcall\t__tsan_read4@PLT\n\tmovl\t(%r12), %eax\n",
                    look_up = "\tleaq\t(%r13,%rax,4), %rdi\n\tcall\t__tsan_read4@PLT\n",
                    turn = "\taddq\t$4, %r12\n\tcmpq\t%r14, %r12\n\tjne\t.L2\n";
  // Of the last access.
  const auto varies = [](const std::string& body) {
    const std::string text = simulator::with_known_alignments(assembly::function("f", body + "\tret\n")),
                      list = "simulator_varying_addresses";
    const std::size_t last = text.rfind("__tsan_read4");
    return text.find(list) != std::string::npos && text.find(list, last) != std::string::npos;
  };
  CHECK(varies(".L2:\n" + load + look_up + turn));
  CHECK(varies(".L2:\n" + load + "\taddl\t%ebx, %eax\n\tmovl\t%eax, -8(%rbp)\n\tmovl\t-8(%rbp), %eax\n" +
               look_up + turn));
  CHECK_FALSE(varies(load + "\tmovl\t%eax, %ebx\n.L2:\n\tmovl\t%ebx, %eax\n" + look_up + turn));
  CHECK_FALSE(varies(load + look_up));
  // or changes
  CHECK(varies(".L2:\n" + load + turn));
  CHECK_FALSE(varies(".L2:\n\tmovq\t%r13, %rdi\n\tcall\t__tsan_read4@PLT\n" + turn));
  // where a thread is, is always the same
  const std::string thread = "\tmovl\t$0, %edi\n\tcall\t_ZN9simulator12thread_indexEj@PLT\n";
  CHECK_FALSE(varies(".L2:\n" + thread + look_up + turn));
  CHECK(varies(".L2:\n" + load + "\tcall\tf@PLT\n" + look_up + turn));
}

TEST_CASE("two addresses vary in one way if they are computed in one way from one load") {
  const std::string load = ".L2:\n\tmovq\t%r12, %rdi\n\tcall\t__tsan_read4@PLT\n\tmovl\t(%r12), %ebx\n",
                    turn = "\taddq\t$4, %r12\n\tcmpq\t%r14, %r12\n\tjne\t.L2\n\tret\n",
                    look_up = "\tcall\t__tsan_read4@PLT\n";
  const auto vary_in_one_way = [&](const std::string& address, const std::string& other) {
    const std::string text = simulator::with_known_alignments(
        assembly::function("f", load + address + look_up + other + look_up + turn));
    const auto number_behind = [&](std::size_t at) {
      at = text.find("simulator_varying_addresses", at);
      const std::string entry = text.substr(at, text.find(".popsection", at) - at);
      return entry.substr(entry.rfind(' '));
    };
    const std::size_t second = text.find("__tsan_read4", text.find("__tsan_read4") + 1);
    return number_behind(second) == number_behind(text.find("__tsan_read4", second + 1));
  };
  const std::string of_word = "\tleaq\t8(%r13,%rbx,4), %rdi\n",
                    of_byte = "\tmovzbl\t%bl, %eax\n\tleaq\t(%r13,%rax,4), %rdi\n",
                    of_second =
                        "\tmovl\t%ebx, %eax\n\tshrl\t$8, %eax\n\tmovzbl\t%al, %eax\n"
                        "\tleaq\t(%r13,%rax,4), %rdi\n";
  CHECK(vary_in_one_way(of_word,
                        "\tmovl\t%ebx, %edi\n\tsall\t$2, %edi\n\taddq\t%r13, %rdi\n\taddq\t$8, %rdi\n"));
  CHECK(vary_in_one_way(of_byte, "\tmovl\t%ebx, %eax\n\tandl\t$255, %eax\n\tleaq\t(%r13,%rax,4), %rdi\n"));
  CHECK_FALSE(vary_in_one_way(of_word, of_byte));
  CHECK_FALSE(vary_in_one_way(of_byte, of_second));
  CHECK_FALSE(
      vary_in_one_way(of_byte, "\tmovl\t%ebx, %eax\n\tmovzbl\t%ah, %eax\n\tleaq\t(%r13,%rax,4), %rdi\n"));
}
