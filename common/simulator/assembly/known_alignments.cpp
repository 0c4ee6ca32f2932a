// SPDX-License-Identifier: MIT
// A value's remainder by a power of two is known where it is a sum of what is known and of multiples of that
// power (value_flow.hpp). Where a loop moves a value on, each turn adds the same, and a compiler that unrolls
// the loop knows all of them: what differs from turn to turn is seen when the kernel runs.
#include "simulator/assembly/known_alignments.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "simulator/assembly/control_flow.hpp"
#include "simulator/assembly/instrumentation_calls.hpp"
#include "simulator/assembly/type_alignments.hpp"
#include "simulator/assembly/value_flow.hpp"
#include "simulator/assembly/value_numbers.hpp"
#include "simulator/assembly/x86_assembly.hpp"

namespace simulator {

namespace {

using namespace x86;

// So many of a value's lowest bits are known.
struct KnownBits {
  static constexpr unsigned all = 64;
  unsigned lowest = all;
  // Of the loads that it depends on, calls that give another result each time, and blocks where ways bring
  // different values, the one behind all others: its instruction's number, from 1 on.
  std::size_t latest_load = 0;
  std::uint64_t number = 0;  // value_numbers.hpp

  bool operator==(const KnownBits&) const = default;
};

KnownBits times(KnownBits value, std::int64_t factor) {
  if (factor == 0) return {};
  return {std::min(value.lowest + static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(factor))),
                   KnownBits::all),
          value.latest_load, value.number * static_cast<std::uint64_t>(factor)};
}

KnownBits with_loads_of(const std::vector<KnownBits>& values, KnownBits result) {
  for (const KnownBits& value : values) result.latest_load = std::max(result.latest_load, value.latest_load);
  return result;
}

KnownBits fewest(const std::vector<KnownBits>& values) {
  KnownBits result;
  for (const KnownBits& value : values) result.lowest = std::min(result.lowest, value.lowest);
  return with_loads_of(values, result);
}

KnownBits numbered(KnownBits value, std::uint64_t number) {
  value.number = number;
  return value;
}

// From the beginning of a loop's code to the jump back.
struct Loop {
  std::size_t begin, end;
};

std::vector<Loop> loops_of(const FunctionCode& function) {
  std::vector<Loop> loops;
  for (std::size_t i = 0; i < function.lines.size(); ++i) {
    const Instruction& jump = function.lines[i].instruction;
    if (!is_any_jump(jump.name) || jump.indirect || jump.operands.empty()) continue;
    const auto to = function.labels.find(jump.operands[0].symbol);
    if (to != function.labels.end() && to->second <= i) loops.push_back({to->second, i});
  }
  return loops;
}

struct KnownAccess {
  unsigned bits;
  // If the innermost loop around it loads or changes what its address depends on: a number for how it does.
  std::uint32_t varies_with;
};

class AlignmentFlow : public ValueFlow<AlignmentFlow, KnownBits> {
 public:
  explicit AlignmentFlow(const FunctionCode& function) : ValueFlow(function), loops_(loops_of(function)) {}

  // By line of the unit's text.
  std::map<std::size_t, KnownAccess> known_accesses() {
    State entry;
    for (Content& content : entry.general) content.value = {0};
    entry.general[rsp] = {.value = {}, .in_frame = 0};
    run(entry);
    return std::move(accesses_);
  }

  // --- the lattice (value_flow.hpp)

  static KnownBits unknown(Origin origin) {
    return {0, origin.kind == Origin::instruction ? origin.at + 1 : 0, number_at(origin)};
  }
  // What is not the same on all ways is another value each time that they meet, as a load is.
  KnownBits join(const std::vector<KnownBits>& ways, Origin origin) const {
    KnownBits result = fewest(ways);
    result.number = ways[0].number;
    if (std::ranges::all_of(ways, [&](const KnownBits& way) { return way.number == result.number; }))
      return result;
    result.latest_load = std::max(result.latest_load, graph().blocks()[origin.at].begin + 1);
    return numbered(result, number_at(origin));
  }
  static KnownBits open(KnownBits value, Origin) { return value; }
  static KnownBits zero() { return {}; }
  static KnownBits immediate(const Operand& operand) {
    return numbered({}, static_cast<std::uint64_t>(operand.constant));
  }
  static KnownBits frame_address() { return {}; }
  static KnownBits part(KnownBits value) { return numbered(value, number_drawn_from({value.number})); }
  static bool is_open(KnownBits) { return false; }
  static bool opens_loop(BlockNumber, const Region&) { return false; }

  KnownBits address(const Operand& operand, Origin) const {
    KnownBits result;
    if (operand.base) result = value_of(*operand.base);
    if (operand.index) {
      const KnownBits scaled = times(value_of(*operand.index), operand.scale);
      const std::uint64_t sum = result.number + scaled.number;
      result = operand.base == operand.index ? times(result, operand.scale + 1)
                                             : numbered(fewest({result, scaled}), sum);
    }
    return numbered(result, result.number + static_cast<std::uint64_t>(operand.constant));
  }

  // Of a word of the frame whose content is not known nothing is said. %fs:0 is where shared memory lies.
  static KnownBits loaded(const Operand& operand, std::optional<std::int64_t> slot, Origin origin) {
    const bool is_own_address = operand.of_thread && !operand.base && operand.symbol.empty();
    if (is_own_address) return {};
    return slot || operand.by_place ? numbered({}, number_at(origin)) : unknown(origin);
  }

  // Of a number that is known in each turn of a loop that is unrolled, but not here, nothing is said.
  static KnownBits combined(const std::vector<KnownBits>& values, Origin origin) {
    const bool is_any_known = std::ranges::count(values, KnownBits::all, &KnownBits::lowest) > 0;
    std::uint64_t number = static_cast<std::uint64_t>(origin.holder);
    for (const KnownBits& value : values) number = number_drawn_from({number, value.number});
    return numbered(with_loads_of(values, is_any_known ? KnownBits{} : KnownBits{0}), number);
  }

  KnownBits computed(const Instruction& i, Origin origin) {
    const auto& o = i.operands;
    std::vector<KnownBits> values;
    for (std::size_t n = 0; n < o.size(); ++n) {
      if (n + 1 < o.size() || !overwrites(i)) values.push_back(read(o[n], origin).value);
    }
    std::vector<std::uint64_t> numbers;
    for (const KnownBits& value : values) numbers.push_back(value.number);
    return numbered(with_loads_of(values, bits_of(i, values, origin)),
                    number_of(i, numbers, state().flags.number));
  }

  static KnownBits bits_of(const Instruction& i, const std::vector<KnownBits>& values, Origin origin) {
    const auto& o = i.operands;
    const bool by_number = o.size() >= 2 && o[0].kind == Operand::immediate && o[0].symbol.empty();
    const bool by_known = o.size() >= 2 && !by_number && values.front().lowest == KnownBits::all;
    if (is_any_of(i.name, {"add"}) && has_same_operand_twice(i)) return times(values.front(), 2);
    if (is_any_of(i.name, {"add", "sub", "inc", "dec", "neg", "not", "or", "xor"}) ||
        i.name.starts_with("cmov"))
      return fewest(values);
    if (i.name.starts_with("movz") || i.name.starts_with("movs") || i.name.starts_with("movd") ||
        i.name.starts_with("movq"))
      return values.front();
    if (is_any_of(i.name, {"and"})) {
      if (!by_number)
        return by_known || values.back().lowest == KnownBits::all ? KnownBits{} : fewest(values);
      return {std::max(values.back().lowest, times({0}, o[0].constant).lowest)};
    }
    if (is_any_of(i.name, {"sal", "shl"}) && by_number && o[0].constant < 64)
      return times(values.back(), std::int64_t{1} << o[0].constant);
    if (is_any_of(i.name, {"sal", "shl"}) && by_known) return {};
    if (is_any_of(i.name, {"shr", "sar"}) && by_number && values.back().lowest < KnownBits::all) {
      const auto by = static_cast<unsigned>(o[0].constant);
      return {values.back().lowest - std::min(values.back().lowest, by)};
    }
    if (is_any_of(i.name, {"imul"}) && by_number)
      return times(o.size() == 3 ? values[1] : values.back(), o[0].constant);
    if (is_any_of(i.name, {"imul"}) && o.size() == 2)
      return by_known || values.back().lowest == KnownBits::all ? KnownBits{} : fewest(values);
    return combined(values, origin);
  }

  void begin() {}

  void follows(const FunctionLine& line) {
    const Instruction& i = line.instruction;
    if (!is_call(i.name) || i.operands.empty()) return;
    if (const auto hook = hook_named(i.operands[0].symbol); hook && hook->bytes > 0)
      accesses_[line.number] = {value_of(rdi).lowest, varies_with(line_index(line), value_of(rdi))};
  }

  void follow_call(const FunctionLine& line) {
    forget_scratch_registers(line_index(line));
    // Where a thread is does not change.
    const auto& o = line.instruction.operands;
    const std::string_view called = o.empty() ? std::string_view{} : std::string_view{o[0].symbol};
    const std::string_view name = called.substr(0, called.find('@'));
    if (name.ends_with("_indexEj") || name.ends_with("_extentEj"))
      write(rax, {0, 0, number_drawn_from({std::hash<std::string_view>{}(name)})});
  }
  void follow_return() {}

 private:
  static std::uint64_t number_at(Origin origin) {
    return number_drawn_from({origin.kind, origin.at, static_cast<std::uint64_t>(origin.holder)});
  }

  // 0: with nothing that the innermost loop around the access loads or changes.
  std::uint32_t varies_with(std::size_t access, const KnownBits& address) const {
    const Loop* innermost = nullptr;
    for (const Loop& loop : loops_) {
      const bool is_within = loop.begin <= access && access <= loop.end;
      if (is_within && (!innermost || loop.end - loop.begin < innermost->end - innermost->begin))
        innermost = &loop;
    }
    if (!innermost || address.latest_load <= innermost->begin) return 0;
    return static_cast<std::uint32_t>(number_drawn_from({address.number})) | 1;
  }

  const std::vector<Loop> loops_;
  std::map<std::size_t, KnownAccess> accesses_;
};

// What a compiler copies in vectors of 16 bytes, without asking whether it is aligned to them, is.
bool is_copied_aligned(const std::vector<std::string_view>& lines, std::size_t call, bool writes) {
  for (std::size_t n = call + 1; n < lines.size(); ++n) {
    const std::string_view line = trimmed(lines[n]);
    if (!is_code(line)) continue;
    const auto i = instruction_in(line);
    if (!i || is_any_jump(i->name) || is_return(i->name)) return false;
    const bool is_aligned = begins_with(i->name, {"movdqa", "movaps"}),
               is_vector = is_aligned || begins_with(i->name, {"movdqu", "movups"});
    if (!is_vector || i->operands.size() != 2) continue;
    const Operand& in_memory = i->operands[writes ? 1 : 0];
    if (in_memory.kind == Operand::memory && !in_memory.is_of_frame()) return is_aligned;
  }
  return false;
}

// An entry of a list for the call in line n, behind it. "?": of the group of the function, if it has one, for
// then both go or stay.
std::string entry_of(std::string_view list, std::size_t n, std::size_t what) {
  return fmt::format(
      "\t.pushsection {0},\"a?\",%progbits\n\t.balign 4\n\t.long .Lsimulator_access{1}-., "
      "{2}\n\t.popsection\n",
      list, n, what);
}

}  // namespace

std::string with_known_alignments(const std::string& assembly) {
  constexpr unsigned most_bytes = 16;  // that a lane accesses at a time
  constexpr unsigned of_interest = std::countr_zero(most_bytes);
  const std::vector<std::string_view> lines = lines_of(assembly);
  std::map<std::size_t, KnownAccess> known;
  for (const auto& [name, function] : functions_in(lines)) {
    if (!function.readable) continue;
    known.merge(AlignmentFlow(function).known_accesses());
  }
  std::string text;
  text.reserve(assembly.size() + 128 * known.size());
  for (std::size_t n = 0; n < lines.size(); ++n) {
    text += lines[n];
    const bool reads = lines[n].find("__tsan_read_range") != lines[n].npos,
               writes = lines[n].find("__tsan_write_range") != lines[n].npos;
    const auto by_type = type_alignment_in(lines[n]);
    if ((reads || writes) && (by_type == most_bytes || is_copied_aligned(lines, n, writes))) {
      constexpr std::string_view range = "_range";
      text.insert(text.rfind(range) + range.size(), "_aligned");
    }
    text += '\n';
    const auto access = known.find(n);
    if (access != known.end() || by_type) text += fmt::format(".Lsimulator_access{}:\n", n);
    if (access != known.end() && access->second.bits < KnownBits::all)
      text += entry_of("simulator_alignments", n, 1u << std::min(access->second.bits, of_interest));
    if (access != known.end() && access->second.varies_with > 0)
      text += entry_of("simulator_varying_addresses", n, access->second.varies_with);
    if (by_type) text += entry_of("simulator_type_alignments", n, *by_type);
  }
  return text;
}

}  // namespace simulator
