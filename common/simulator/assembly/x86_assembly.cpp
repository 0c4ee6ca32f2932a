// SPDX-License-Identifier: MIT
#include "simulator/assembly/x86_assembly.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace simulator::x86 {

bool is_in(std::string_view word, Words words) {
  return words.find(" " + std::string(word) + " ") != words.npos;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> lines_of(const std::string& text) {
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = text.find('\n', begin);
    if (end == text.npos) end = text.size();
    lines.emplace_back(text.data() + begin, end - begin);
    begin = end + 1;
  }
  return lines;
}

std::optional<std::string> label_in(std::string_view line) {
  if (const std::size_t comment = line.find('#'); comment != line.npos && line.find('"') == line.npos)
    line = trimmed(line.substr(0, comment));
  if (!line.ends_with(':') || line.find_first_of(" \t\"") != line.npos) return std::nullopt;
  return std::string(line.substr(0, line.size() - 1));
}

bool is_code(std::string_view line) {
  return !line.empty() && !line.starts_with('.') && !line.starts_with('#') && !label_in(line);
}

std::optional<std::string> function_declared_in(std::string_view line) {
  constexpr std::string_view type = ".type";
  if (!line.starts_with(type) || line.find("@function") == line.npos) return std::nullopt;
  const std::string_view rest = trimmed(line.substr(type.size()));
  return std::string(rest.substr(0, rest.find(',')));
}

std::vector<std::string> mangled_prefixes(const std::vector<std::string>& namespaces) {
  std::vector<std::string> prefixes;
  for (const std::string& name : namespaces) prefixes.push_back("_ZN" + std::to_string(name.size()) + name);
  return prefixes;
}

bool begins_with(std::string_view name, std::initializer_list<std::string_view> beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view one) { return name.starts_with(one); });
}

bool begins_with_any(std::string_view name, const std::vector<std::string>& prefixes) {
  return std::ranges::any_of(prefixes, [&](const std::string& prefix) { return name.starts_with(prefix); });
}

namespace {

std::optional<NamedRegister> general_register(std::string_view name) {
  constexpr std::array<std::string_view, 8> wide{"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi"},
      byte{"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil"}, high{"ah", "ch", "dh", "bh", "", "", "", ""};
  for (int i = 0; i < 8; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const auto number = static_cast<Register>(i);
    if (name == wide[at]) return NamedRegister{number, 8};
    if (name.size() == 3 && name[0] == 'e' && name.substr(1) == wide[at].substr(1))
      return NamedRegister{number, 4};
    if (name == wide[at].substr(1)) return NamedRegister{number, 2};
    if (name == byte[at] || (name == high[at] && !name.empty())) return NamedRegister{number, 1};
  }
  if (name.size() < 2 || name[0] != 'r' || !std::isdigit(static_cast<unsigned char>(name[1])))
    return std::nullopt;
  int number = 0;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
  if (error != std::errc() || number < 8 || number > 15) return std::nullopt;
  const std::string_view rest(end, static_cast<std::size_t>(name.data() + name.size() - end));
  const int bytes = rest.empty() ? 8 : rest == "d" ? 4 : rest == "w" ? 2 : rest == "b" ? 1 : 0;
  if (bytes == 0) return std::nullopt;
  return NamedRegister{static_cast<Register>(number), bytes};
}

}  // namespace

std::optional<std::int64_t> number_in(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return static_cast<std::int64_t>(negative ? 0 - value : value);
}

namespace {

// "name+8": the name and 8.
void read_sum(std::string_view text, Operand& operand) {
  text = trimmed(text);
  if (const auto number = number_in(text)) {
    operand.constant = *number;
    return;
  }
  const std::size_t sign = text.find_last_of("+-");
  const auto number = sign == text.npos || sign == 0 ? std::nullopt : number_in(text.substr(sign));
  operand.symbol = trimmed(number ? text.substr(0, sign) : text);
  if (number) operand.constant = *number;
}

// nullopt: it cannot be read.
std::optional<Operand> operand_in(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('*')) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  Operand operand;
  operand.text = text;
  if (text.starts_with('$')) {
    read_sum(text.substr(1), operand);
    return operand;
  }
  if (text.starts_with('%') && text.find(':') == text.npos) {
    const auto reg = general_register(text.substr(1));
    operand.kind = reg ? Operand::general : Operand::other_register;
    if (reg) operand.reg = *reg;
    return operand;
  }
  operand.kind = Operand::memory;
  if (text.starts_with("%fs:")) {
    operand.of_thread = true;
    operand.text = text = text.substr(4);
  } else if (text.starts_with('%')) {
    return std::nullopt;
  }
  const std::size_t open = text.rfind('(');
  if (open == text.npos || !text.ends_with(')')) {
    read_sum(text, operand);
    return operand;
  }
  read_sum(text.substr(0, open), operand);
  std::string_view inner = text.substr(open + 1, text.size() - open - 2);
  for (int part = 0; part < 3; ++part) {
    const std::size_t comma = inner.find(',');
    const std::string_view word = trimmed(inner.substr(0, comma));
    if (part == 2 && !word.empty()) {
      operand.scale = number_in(word).value_or(0);
      if (operand.scale == 0) return std::nullopt;
    } else if (word == "%rip") {
      operand.by_place = true;
    } else if (!word.empty()) {
      const auto reg = general_register(word.substr(1));
      if (!reg || reg->bytes != 8) return std::nullopt;
      (part == 0 ? operand.base : operand.index) = reg->number;
    }
    if (comma == inner.npos) break;
    inner.remove_prefix(comma + 1);
  }
  return operand;
}

}  // namespace

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '(') ++depth;
    if (i < text.size() && text[i] == ')') --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    if (const auto part = trimmed(text.substr(begin, i - begin)); !part.empty()) parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

std::optional<Instruction> instruction_in(std::string_view line) {
  line = trimmed(line.substr(0, line.find('#')));
  Instruction instruction;
  for (;;) {
    const std::size_t end = line.find_first_of(" \t");
    const std::string_view word = line.substr(0, end);
    line = end == line.npos ? std::string_view() : trimmed(line.substr(end));
    if (!is_in(word, " rep repz repe repnz repne lock notrack data16 bnd ")) {
      instruction.name = word;
      break;
    }
    if (!word.starts_with("data16") && !word.starts_with("notrack") && !word.starts_with("bnd"))
      instruction.prefix = word;
    if (line.empty()) return std::nullopt;
  }
  instruction.indirect = line.starts_with('*');
  for (const std::string_view part : split(line)) {
    auto operand = operand_in(part);
    if (!operand) return std::nullopt;
    instruction.operands.push_back(std::move(*operand));
  }
  return instruction;
}

// With a letter for the size, or without.
bool is_named(std::string_view name, std::string_view plain) {
  return name == plain || (name.size() == plain.size() + 1 && name.starts_with(plain) &&
                           std::string_view("bwlq").find(name.back()) != std::string_view::npos);
}

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> plain) {
  return std::any_of(plain.begin(), plain.end(), [&](std::string_view p) { return is_named(name, p); });
}

bool is_string_operation(const Instruction& i) {
  if (!i.operands.empty() && i.operands[0].kind != Operand::memory) return false;
  return is_any_of(i.name, {"movs", "stos", "lods", "scas", "cmps"}) &&
         (i.operands.empty() || i.name.size() == 5);
}

bool touches_nothing(std::string_view name) {
  return is_any_of(name, {"lea", "nop"}) || name.starts_with("prefetch");
}

bool writes_rax_and_rdx(const Instruction& i) {
  if (i.operands.size() == 1) return is_any_of(i.name, {"mul", "imul", "div", "idiv"});
  return is_in(i.name, " cqto cqo cltd cdq cltq cdqe cwtl cwde cwtd cwd cbtw ");
}

bool writes_hidden_registers(const Instruction& i) {
  if (writes_rax_and_rdx(i) || is_any_of(i.name, {"xchg", "xadd", "cmpxchg", "loop"})) return true;
  if (i.name.starts_with("cmpxchg") || i.name.starts_with("mulx") || i.name.starts_with("rd") ||
      i.name.starts_with("loop") || is_string_operation(i))
    return true;
  return is_in(i.name, " leave leaveq enter cpuid xgetbv popa pusha iret syscall int sysenter ");
}

bool writes_last(const Instruction& i) {
  if (is_any_of(i.name, {"cmp", "test", "bt", "push"}) || i.operands.empty()) return false;
  if (is_in(i.name,
            " ucomiss ucomisd comiss comisd ptest vucomiss vucomisd vcomiss vcomisd flds fldl fldt fld "
            "filds fildl fildll fildq fldcw ldmxcsr fadds faddl fsubs fsubl fmuls fmull fdivs fdivl fcoms "
            "fcoml fucom "))
    return false;
  if (i.operands.size() == 1 && is_any_of(i.name, {"mul", "imul", "div", "idiv", "call", "jmp"}))
    return false;
  return true;
}

int bytes_of(const Instruction& i) {
  const std::string_view n = i.name;
  const auto has = [&](std::string_view part) { return n.find(part) != std::string_view::npos; };
  // what is converted is in memory, never what comes of it
  if (has("cvt") && has("ss2")) return 4;
  if (has("cvt") && (has("sd2") || has("ps2pd") || has("dq2pd"))) return 8;
  if (has("cvt") && has("si2") && (n.ends_with('l') || n.ends_with('q'))) return n.ends_with('q') ? 8 : 4;
  if (n.starts_with("movzb") || n.starts_with("movsb") || n.starts_with("set")) return 1;
  if (n.starts_with("movzw") || n.starts_with("movsw")) return 2;
  if (n.starts_with("movsl")) return 4;
  for (const Operand& operand : i.operands) {
    if (operand.kind == Operand::general && !n.starts_with("cvt")) return operand.reg.bytes;
  }
  for (const Operand& operand : i.operands) {
    if (operand.kind == Operand::other_register && operand.text.starts_with("%ymm")) return 32;
  }
  if (n == "movss" || n == "movd" || n.ends_with("ss") || n.ends_with("ss2sd")) return 4;
  if (n == "movsd" || n == "movq" || n == "movlps" || n == "movhps" || n == "movlpd" || n == "movhpd" ||
      n.ends_with("sd") || n.ends_with("sd2ss"))
    return 8;
  for (const Operand& operand : i.operands) {
    if (operand.kind == Operand::other_register) return 16;
  }
  if (n.ends_with('b')) return 1;
  if (n.ends_with('w')) return 2;
  if (n.ends_with('l')) return 4;
  return n.ends_with('q') ? 8 : 16;
}

}  // namespace simulator::x86
