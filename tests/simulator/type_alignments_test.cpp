// SPDX-License-Identifier: MIT
// How accesses are aligned by their types, as g++ tells it beside its instructions.
#include "simulator/assembly/type_alignments.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

// What is said of an access to the memory WHAT, which `hook` reports, if the instruction is `between` behind.
std::string said_of(const std::string& what, const std::string& hook = "__tsan_read4",
                    const std::string& between = "") {
  const std::string text = simulator::with_type_alignments(
      "\tcall\t" + hook + "@PLT\t# 131\t[c=0 l=5]  *call\n" + between +
      "#(insn 132 131 133 10 (set (reg:SI 0 ax)\n#        (mem:SI (reg:DI 3 bx) [" + what +
      "])) \"a.cu\":10:37 83 {*movsi}\n#     (nil))\n\tmovl\t(%rbx), %eax\t# 132\t[c=5 l=3]  *movsi/4\n");
  CHECK(text.find("insn") == std::string::npos);
  CHECK(text.ends_with("\tmovl\t(%rbx), %eax\n"));
  const auto alignment = simulator::type_alignment_in(text.substr(0, text.find('\n')));
  return alignment ? std::to_string(*alignment) : "-";
}

}  // namespace

TEST_CASE("a member of an aligned type is aligned to more than itself") {
  CHECK(said_of("2 p_7->x+0 S4 A128") == "16");
  CHECK(said_of("2 MEM[(const struct uint4 &)_228].z+0 S4 A64") == "8");
  CHECK(said_of("1 *_9.first+0 S4 A64") == "8");
  CHECK(said_of("0 MEM[(unsigned char *)_228]+0 S1 A32", "__tsan_read1") == "4");
}

TEST_CASE("nothing is said of an element, a variable, or memory of another size") {
  CHECK(said_of("1 *_9+0 S4 A32") == "-");
  CHECK(said_of("2 p_7->y+4 S4 A32") == "-");
  CHECK(said_of("1 counts[_5]+0 S4 A128") == "-");
  CHECK(said_of("2 p_7->x+0 S8 A128") == "-");
}

TEST_CASE("of what is longer than an access it counts whether it is aligned to the longest one") {
  CHECK(said_of("0 MEM[(const struct couple &)_390]+0 S8 A128", "__tsan_read_range") == "16");
  CHECK(said_of("0 MEM[(const struct couple &)_390]+0 S8 A64", "__tsan_read_range") == "-");
}

TEST_CASE("what comes behind a jump or another call is another access, and a volatile one stays alone") {
  CHECK(said_of("2 p_7->x+0 S4 A128", "__tsan_read4", "\tmovq\t%rax, %rdx\t# 7\t[c=4 l=3]  *movdi\n") ==
        "16");
  CHECK(said_of("2 p_7->x+0 S4 A128", "__tsan_read4", "\tje\t.L4\t# 7\t[c=4 l=3]  *jcc\n") == "-");
  CHECK(said_of("2 p_7->x+0 S4 A128", "__tsan_read4", "\tcall\tf\t# 7\t[c=4 l=3]  *call\n") == "-");
  CHECK(said_of("2 p_7->x+0 S4 A128", "__tsan_volatile_read4") == "-");
}

TEST_CASE("lines that are no comments of the compiler stay as they are") {
  const std::string text = "\t.string\t\"a\\t# 1\"\n#APP\n# 12 \"a.cu\" 1\n\tnop\t# 1\n#NO_APP\n";
  CHECK(simulator::with_type_alignments(text) == text);
}
