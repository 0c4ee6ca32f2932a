// SPDX-License-Identifier: MIT
// Reads assembly for x86-64 as g++ and clang write it (AT&T syntax), as far as guarded_assembly.hpp asks: the
// operands of an instruction, what it writes, and how many bytes of memory it touches.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simulator::x86 {

using Words = std::string_view;  // words with blanks around each

bool is_in(std::string_view word, Words words);
std::string_view trimmed(std::string_view text);
// At the commas that are not between parentheses.
std::vector<std::string_view> split(std::string_view text);
// A decimal or hexadecimal number with or without a sign.
std::optional<std::int64_t> number_in(std::string_view text);

// The lines of a text, and those of which a unit's assembly is made: a label, an instruction, the declaration
// of a function.
std::vector<std::string_view> lines_of(const std::string& text);
std::optional<std::string> label_in(std::string_view line);
bool is_code(std::string_view line);
std::optional<std::string> function_declared_in(std::string_view line);

// How the mangled names of what outermost namespaces hold begin, and whether a name does.
std::vector<std::string> mangled_prefixes(const std::vector<std::string>& namespaces);
bool begins_with_any(std::string_view name, const std::vector<std::string>& prefixes);

// An instruction's name, with whatever letters for sizes behind.
bool begins_with(std::string_view name, std::initializer_list<std::string_view> beginnings);

enum Register { rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15, registers };

struct NamedRegister {
  Register number;
  int bytes;
};

struct Operand {
  enum Kind { immediate, general, other_register, memory } kind = immediate;
  std::string text;  // as written, for memory without the segment
  NamedRegister reg{rax, 0};
  bool of_thread = false;     // %fs:
  std::string symbol;         // of an immediate, or of memory
  std::int64_t constant = 0;  // of an immediate, or memory's displacement
  bool by_place = false;      // (%rip)
  std::optional<Register> base, index;
  std::int64_t scale = 1;

  bool is_reg(Register number) const { return kind == general && reg.number == number; }
  // A variable of the function at a fixed place, or what the function has put on the stack.
  bool is_of_frame() const {
    return kind == memory && base && (*base == rbp || *base == rsp) && !index && symbol.empty() && !of_thread;
  }
};

struct Instruction {
  std::string prefix;  // "rep", "lock", "notrack"
  std::string name;
  std::vector<Operand> operands;
  bool indirect = false;  // call *..., jmp *...
};

// nullopt: it cannot be read.
std::optional<Instruction> instruction_in(std::string_view line);

// With a letter for the size, or without.
bool is_named(std::string_view name, std::string_view plain);
bool is_any_of(std::string_view name, std::initializer_list<std::string_view> plain);

inline bool is_call(std::string_view name) { return name == "call" || name == "callq"; }
inline bool is_return(std::string_view name) { return name == "ret" || name == "retq"; }
inline bool is_any_jump(std::string_view name) { return name.starts_with('j'); }
bool is_string_operation(const Instruction& i);

// Reads no memory, whatever its operand.
bool touches_nothing(std::string_view name);

// What writes to other registers than its last operand, if that is one. (All others that compilers use.)
bool writes_hidden_registers(const Instruction& i);
// Whether these are %rax and %rdx alone: of divisions, long products and what extends a sign.
bool writes_rax_and_rdx(const Instruction& i);

// Whether its last operand is written to. Instructions that are not known count as writing.
bool writes_last(const Instruction& i);

// Bytes that it touches in memory.
int bytes_of(const Instruction& i);

}  // namespace simulator::x86
