// SPDX-License-Identifier: MIT
#include "simulator/assembly/type_alignments.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "simulator/assembly/instrumentation_calls.hpp"
#include "simulator/assembly/unit_symbols.hpp"
#include "simulator/assembly/x86_assembly.hpp"

namespace simulator {

namespace {

using namespace x86;

constexpr std::string_view mark = "\t# aligned to ";

// What begins the text, and what is left of it.
std::optional<unsigned> number_at(std::string_view& text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// Of an instruction such as
//   (set (reg:SI 0 ax) (mem:SI (reg:DI 3 bx) [2 p_7->x+0 S4 A128]))
// the alignment in bytes of the memory that it accesses, which has that size (S); in bits there (A). Of any
// size if `bytes` is 0. A variable's own alignment is the host's, so only what is reached through a pointer
// counts.
std::optional<unsigned> alignment_in(std::string_view instruction, int bytes) {
  constexpr std::string_view sized = " S", aligned = " A";
  for (std::size_t at = 0; (at = instruction.find(sized, at)) != instruction.npos; at += sized.size()) {
    std::string_view rest = instruction.substr(at + sized.size());
    const auto size = number_at(rest);
    if (!size || !rest.starts_with(aligned) || (bytes > 0 && *size != static_cast<unsigned>(bytes))) continue;
    rest.remove_prefix(aligned.size());
    const auto bits = number_at(rest);
    const std::size_t begin = instruction.rfind("(mem", at);
    if (!bits || !rest.starts_with(']') || begin == instruction.npos) continue;
    const std::string_view what = instruction.substr(begin, at - begin);
    constexpr std::array through_pointer{"->", " MEM", " *", "(*"};
    if (std::ranges::any_of(through_pointer, [&](const char* one) { return what.find(one) != what.npos; }))
      return *bits / 8;
  }
  return std::nullopt;
}

}  // namespace

std::string with_type_alignments(const std::string& assembly) {
  std::string text, instruction;
  text.reserve(assembly.size());
  std::optional<Hook> reported;  // the access that comes next
  std::size_t end_of_call = 0;   // that reported it, in what is written
  bool is_by_hand = false;       // asm("...")
  for (std::string_view line : lines_of(assembly)) {
    const std::string_view code = trimmed(line);
    if (code == "#APP" || code == "#NO_APP") is_by_hand = code == "#APP";
    if (code.starts_with('#') && !is_by_hand && code != "#NO_APP") {
      instruction += code;
      continue;
    }
    if (is_code(code) && !is_by_hand) {
      line = line.substr(0, line.rfind("\t# "));
      const auto i = instruction_in(trimmed(line));
      if (const auto bytes = reported ? alignment_in(instruction, reported->bytes) : std::nullopt) {
        // A lane accesses 16 bytes at a time; what is larger goes in pieces of 8 unless it is aligned to
        // these.
        const int piece = reported->bytes > 0 ? reported->bytes : 8;
        if (*bytes > static_cast<unsigned>(piece))
          text.insert(end_of_call, fmt::format("{}{} by type", mark, *bytes));
        reported.reset();
      }
      instruction.clear();
      if (!i || is_any_jump(i->name) || is_return(i->name) || is_call(i->name)) reported.reset();
      if (i && is_call(i->name) && !i->operands.empty()) {
        const std::string& called = i->operands[0].symbol;
        if (called.find("volatile") == called.npos) reported = hook_named(called);
        end_of_call = text.size() + line.size();
      }
    }
    text += line;
    text += '\n';
  }
  return text;
}

std::optional<unsigned> type_alignment_in(std::string_view line) {
  const std::size_t at = line.rfind(mark);
  if (at == line.npos) return std::nullopt;
  std::string_view rest = line.substr(at + mark.size());
  return number_at(rest);
}

}  // namespace simulator
