// SPDX-License-Identifier: MIT
// Values as sums of a constant and so many times each unknown (value_flow.hpp). A branch is open if the
// difference that it looks at has an unknown. An unknown is called by where it comes from, so it stands for
// what came from there last: when something new comes from there, nothing is known any more of what was
// computed of it before.
#include "simulator/assembly/known_values.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "simulator/assembly/instrumentation_calls.hpp"
#include "simulator/assembly/value_flow.hpp"

namespace simulator::x86 {

namespace {

struct Sum {
  bool is_opaque = true;  // nothing is known, not even what it differs from others by
  std::map<int, std::int64_t> unknowns = {};
  std::optional<std::int64_t> constant = {};  // if it is the same each time; a known one else

  bool operator==(const Sum&) const = default;
  bool is_known() const { return !is_opaque && unknowns.empty(); }
};

Sum known(std::optional<std::int64_t> constant) { return {.is_opaque = false, .constant = constant}; }

// As registers do it: modulo 2^64.
void add(std::int64_t& to, std::int64_t value, std::int64_t times) {
  to = static_cast<std::int64_t>(static_cast<std::uint64_t>(to) +
                                 static_cast<std::uint64_t>(times) * static_cast<std::uint64_t>(value));
}

Sum sum(Sum one, const Sum& other, std::int64_t times = 1) {
  if (one.is_opaque || other.is_opaque) return {};
  for (const auto& [unknown, count] : other.unknowns) {
    std::int64_t& all = one.unknowns[unknown];
    add(all, count, times);
    if (all == 0) one.unknowns.erase(unknown);
  }
  constexpr std::size_t most_unknowns = 8;
  if (one.unknowns.size() > most_unknowns) return {};
  if (one.constant && other.constant) {
    add(*one.constant, *other.constant, times);
  } else {
    one.constant.reset();
  }
  return one;
}

class KnownFlow : public ValueFlow<KnownFlow, Sum> {
 public:
  explicit KnownFlow(const FunctionCode& function) : ValueFlow(function), function_(function) {
    result_.folds.resize(function.lines.size());
    result_.is_open.resize(function.lines.size());
    result_.is_unrolled.resize(function.lines.size());
    result_.has_known_turns.resize(function.lines.size());
  }

  KnownCode code() {
    State entry;
    for (std::size_t r = 0; r < registers; ++r)
      entry.general[r].value = unknown({Origin::block, 0, static_cast<std::int64_t>(r)});
    entry.general[rsp] = {.value = known(frame), .in_frame = 0};
    run(entry);
    mark_open_branches();
    mark_unrolled_loops();
    return std::move(result_);
  }

  // --- the lattice (value_flow.hpp)

  Sum unknown(Origin origin) {
    const int name = name_of(origin);
    forget(name);
    return {.is_opaque = false, .unknowns = {{name, 1}}, .constant = 0};
  }

  // Values that differ from what they are on another way by the same, as the begin and the end of a piece do
  // that a loop moves on by its length, still differ by the same from each other: both get the same unknown.
  Sum join(const std::vector<Sum>& ways, Origin origin) {
    const Sum met{.is_opaque = false, .unknowns = {{name_of(origin), 1}}, .constant = 0};
    const Sum& first = ways.front();
    if (std::ranges::any_of(ways, &Sum::is_opaque)) return met;
    // What met here before is what it was a turn ago.
    if (mentions_met(first, origin)) return first == met ? first : met;
    bool is_constant = true;
    std::optional<int> move;
    for (const Sum& way : ways) {
      const Sum moved = sum(way, first, -1);
      if (moved == zero()) continue;
      if (moved.unknowns.empty() && !origin.is_opened) {
        is_constant = false;
        continue;
      }
      const auto by = moved.constant ? move_of(origin, moved) : std::nullopt;
      if (!by || (move && *move != *by)) return met;
      move = by;
    }
    if (move) return is_constant ? sum(first, of(*move)) : met;
    Sum result = first;
    if (!is_constant) result.constant.reset();
    return result;
  }

  // What is the same on all ways stays so.
  Sum open(const Sum& value, Origin origin) {
    if (!value.is_opaque && value.constant) return value;
    return {.is_opaque = false, .unknowns = {{name_of(origin), 1}}, .constant = 0};
  }

  static Sum zero() { return known(0); }
  static Sum frame_address() { return known(std::nullopt); }
  static Sum part(const Sum& value) { return value; }
  static bool is_open(const Sum& value) { return !value.is_known(); }
  static bool stays_open(const FunctionLine& line) { return line.keeps_loop; }

  Sum immediate(const Operand& operand) { return placed(operand); }

  // Variables lie at known places.
  Sum address(const Operand& operand, Origin) {
    Sum result = placed(operand);
    if (operand.base) result = sum(std::move(result), value_of(*operand.base));
    if (operand.index) result = sum(std::move(result), value_of(*operand.index), operand.scale);
    return result;
  }

  Sum loaded(const Operand& operand, std::optional<std::int64_t>, Origin origin) {
    const bool is_own_address = operand.of_thread && !operand.base && operand.symbol.empty(),
               is_number = operand.by_place && operand.symbol.starts_with(".L");
    if (is_own_address) return known(0);
    return is_number ? known(std::nullopt) : unknown(origin);
  }

  Sum combined(const std::vector<Sum>& values, Origin origin) {
    return std::ranges::all_of(values, &Sum::is_known) ? known(std::nullopt) : unknown(origin);
  }

  Sum computed(const Instruction& i, Origin origin) {
    const auto& o = i.operands;
    const auto value = [&](std::size_t operand) { return read(o[operand], origin).value; };
    if (o.size() == 2 && is_any_of(i.name, {"add"})) return sum(value(1), value(0));
    if (o.size() == 2 && is_any_of(i.name, {"sub", "cmp"})) return sum(value(1), value(0), -1);
    if (o.size() == 1 && is_any_of(i.name, {"inc", "dec"}))
      return sum(value(0), known(1), is_any_of(i.name, {"inc"}) ? 1 : -1);
    if (o.size() == 1 && is_any_of(i.name, {"neg"})) return sum(known(0), value(0), -1);
    if (is_any_of(i.name, {"test"}) && has_same_operand_twice(i)) return value(0);
    if (i.name.starts_with("movz") || i.name.starts_with("movs") || i.name.starts_with("movd") ||
        i.name.starts_with("mova") || i.name.starts_with("movu"))
      return value(0);
    const bool is_shift =
        is_any_of(i.name, {"sal", "shl"}) && o.size() == 2 && o[0].kind == Operand::immediate;
    if (is_shift && o[0].constant >= 0 && o[0].constant < 32)
      return sum(known(0), value(1), std::int64_t{1} << o[0].constant);
    if (o.size() == 3 && is_any_of(i.name, {"imul"}) && o[0].kind == Operand::immediate)
      return sum(known(0), value(1), o[0].constant);
    std::vector<Sum> values;
    for (std::size_t n = 0; n < o.size(); ++n) {
      if (n + 1 < o.size() || !overwrites(i)) values.push_back(value(n));
    }
    if (reads_flags(i)) values.push_back(state().flags);
    return combined(values, origin);
  }

  // A loop that a compiler knows the turns of it unrolls, whatever else leaves it.
  bool opens_loop(BlockNumber, const Region& loop) const { return !has_known_end(loop); }

  void begin() {}

  void follows(const FunctionLine& line) {
    const Instruction& i = line.instruction;
    const std::size_t at = line_index(line);
    const Origin origin{Origin::instruction, at, Origin::slots};
    const auto is_folded = [&] {
      if (is_call(i.name) || is_return(i.name) || i.operands.empty()) return false;
      if (is_conditional_jump(i)) return state().flags.is_known() && !line.keeps_loop;
      if (is_any_jump(i.name) || writes_hidden_registers(i)) return false;
      if (touches_nothing(i.name)) return i.operands.size() == 2 && address(i.operands[0], origin).is_known();
      return computed(i, origin).is_known();
    };
    result_.folds[at] = is_folded();
  }

  void follow_call(const FunctionLine& line) { forget_scratch_registers(line_index(line)); }
  void follow_return() {}

 private:
  // Where the frame and variables lie is any number that is known, far from all others.
  static constexpr std::int64_t far = std::int64_t{1} << 40, frame = far;

  std::int64_t place_of(const std::string& symbol) {
    if (symbol.empty()) return 0;
    const auto next = far * (static_cast<std::int64_t>(places_.size()) + 2);
    return places_.try_emplace(symbol, next).first->second;
  }

  Sum placed(const Operand& operand) { return sum(known(operand.constant), known(place_of(operand.symbol))); }

  int name_of(Origin origin) {
    const auto [entry, is_new] = names_.try_emplace(std::tuple(origin.kind, origin.at, origin.holder),
                                                    static_cast<int>(met_in_.size()));
    if (is_new) met_in_.push_back(origin.kind == Origin::block ? std::optional(origin.at) : std::nullopt);
    return entry->second;
  }

  bool is_met_at(int name, Origin origin) const {
    return met_in_.at(static_cast<std::size_t>(name)) == std::optional(origin.at);
  }

  bool mentions_met(const Sum& value, Origin origin) const {
    return std::ranges::any_of(value.unknowns,
                               [&](const auto& part) { return is_met_at(part.first, origin); });
  }

  static Sum of(int name) { return {.is_opaque = false, .unknowns = {{name, 1}}, .constant = 0}; }

  // The unknown for what is moved on at a block by so much, which may have been moved on before.
  std::optional<int> move_of(Origin origin, const Sum& moved) {
    for (const auto& [unknown, count] : moved.unknowns) {
      if (!is_met_at(unknown, origin)) continue;
      const auto known_move = moves_.find(unknown);
      if (known_move == moves_.end()) return std::nullopt;
      const Sum now = sum(moved, of(unknown), -1);
      return now == zero() || now == known_move->second ? std::optional(unknown) : std::nullopt;
    }
    std::vector<Sum>& all = moves_at_[origin.at];
    auto found = std::ranges::find(all, moved);
    if (found == all.end()) found = all.insert(all.end(), moved);
    const int name = name_of({Origin::block, origin.at, Origin::moves - (found - all.begin())});
    moves_[name] = moved;
    return name;
  }

  void forget(int name) {
    const auto forget_in = [&](Sum& value) {
      if (value.unknowns.contains(name)) value = {};
    };
    for (Content& content : state().general) forget_in(content.value);
    for (Sum& value : state().vectors) forget_in(value);
    for (auto& [slot, content] : state().slots) forget_in(content.value);
    forget_in(state().flags);
  }

  bool is_conditional(BlockNumber block) const {
    return is_conditional_jump(function_.lines[graph().blocks()[block].end - 1].instruction);
  }

  bool has_known_end(const Region& loop) const {
    return std::ranges::any_of(loop.blocks, [&](BlockNumber block) {
      return is_reached(block) && is_conditional(block) && !is_open_branch(block) &&
             std::ranges::any_of(graph().blocks()[block].after,
                                 [&](BlockNumber after) { return !loop.has[after]; });
    });
  }

  void mark_open_branches() {
    for (BlockNumber b = 0; b < graph().blocks().size(); ++b)
      result_.is_open[graph().blocks()[b].end - 1] = is_open_branch(b);
  }

  void mark_unrolled_loops() {
    std::vector<std::size_t> size_of_innermost(graph().blocks().size(), SIZE_MAX);
    std::vector<bool> is_unrolled(graph().blocks().size(), false);
    for (BlockNumber b = 0; b < graph().blocks().size(); ++b) {
      if (!is_reached(b) || !is_conditional(b)) continue;
      const Region loop = graph().loop_of(b, graph().region_of(b));
      const bool has_end = has_known_end(loop);
      for (const BlockNumber block : loop.blocks) {
        if (loop.blocks.size() >= size_of_innermost[block]) continue;
        size_of_innermost[block] = loop.blocks.size();
        is_unrolled[block] = has_end;
      }
    }
    mark(is_unrolled, result_.has_known_turns);
    for (BlockNumber b = 0; b < graph().blocks().size(); ++b) {
      if (!is_reached(b) || !is_conditional(b) || !is_open_branch(b) || !has_access_under(b)) continue;
      for (const BlockNumber after : graph().blocks()[b].after) part(after, is_unrolled);
      part(graph().meeting_point(b), is_unrolled);
    }
    mark(is_unrolled, result_.is_unrolled);
  }

  void mark(const std::vector<bool>& blocks, std::vector<bool>& instructions) const {
    for (BlockNumber b = 0; b < blocks.size(); ++b) {
      if (!blocks[b]) continue;
      const BasicBlock& lines = graph().blocks()[b];
      std::fill(instructions.begin() + static_cast<std::ptrdiff_t>(lines.begin),
                instructions.begin() + static_cast<std::ptrdiff_t>(lines.end), true);
    }
  }

  // An `if` without an access is none to a compiler that chooses between values instead.
  bool has_access_under(BlockNumber branch) const {
    return std::ranges::any_of(graph().region_of(branch).blocks,
                               [&](BlockNumber block) { return block != branch && has_call(block, false); });
  }

  bool has_call(BlockNumber block, bool of_entry) const {
    const BasicBlock& of = graph().blocks()[block];
    return std::any_of(function_.lines.begin() + static_cast<std::ptrdiff_t>(of.begin),
                       function_.lines.begin() + static_cast<std::ptrdiff_t>(of.end),
                       [&](const FunctionLine& line) {
                         const Instruction& i = line.instruction;
                         return is_call(i.name) && !i.operands.empty() && reports_block(i) == of_entry;
                       });
  }

  // The block begins a basic block of the unrolled loop. One without an entry of its own hands that on.
  void part(BlockNumber block, std::vector<bool>& is_unrolled) const {
    while (block < is_unrolled.size()) {
      is_unrolled[block] = false;
      const std::vector<BlockNumber>& after = graph().blocks()[block].after;
      if (has_call(block, true) || after.size() != 1 || graph().blocks()[after[0]].before.size() != 1) return;
      block = after[0];
    }
  }

  const FunctionCode& function_;
  KnownCode result_;
  std::map<std::string, std::int64_t> places_;  // of variables
  std::map<std::tuple<Origin::Kind, std::size_t, std::int64_t>, int> names_;
  std::map<std::size_t, std::vector<Sum>> moves_at_;  // by block
  std::map<int, Sum> moves_;                          // by name
  std::vector<std::optional<std::size_t>> met_in_;    // by name: the block at whose beginning it is met
};

}  // namespace

KnownCode known_code(const FunctionCode& function) { return KnownFlow(function).code(); }

}  // namespace simulator::x86
