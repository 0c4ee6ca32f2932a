// SPDX-License-Identifier: MIT
// A forward analysis over a function's basic blocks: what is known of registers and of words of the frame at
// each place. What is known of a value is an element of a lattice, and a flow says of which one: whether a
// value differs between lanes (uniform_places.cpp), or is known while the program is compiled
// (known_values.hpp).
//
// Both have one rule in common. A branch that is open is one of which nothing decides which way is taken: for
// lanes one that they take apart, for a compiler one that it cannot fold. What is written between such a
// branch and the place where its ways meet is open there, too, though each way has written something known.
// The same is true of what is written in a loop that an open branch leaves: at the loop's beginning it is
// open. So the blocks are followed until nothing changes, what the open branches have written is marked, and
// they are followed again until nothing new is marked.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "simulator/assembly/control_flow.hpp"
#include "simulator/assembly/x86_assembly.hpp"

namespace simulator::x86 {

constexpr std::size_t vector_registers = 16;
constexpr std::array scratch_registers{rax, rcx, rdx, rsi, rdi, r8, r9, r10, r11};

// Of %xmm3: 3. Nothing is known of what other registers than these and the general ones hold.
std::optional<std::size_t> vector_register(std::string_view name);

// Writes its last operand without reading it.
bool overwrites(const Instruction& i);
bool leaves_flags(const Instruction& i);
bool reads_flags(const Instruction& i);
// xor %eax, %eax: the result does not depend on the operands.
bool has_same_operand_twice(const Instruction& i);
bool makes_zero(const Instruction& i);

// What a stretch of code writes.
struct Written {
  std::uint32_t general = 0, vectors = 0;  // a bit each
  std::set<std::int64_t> slots;

  // Whether that is more than before.
  bool add(const Written& other) {
    const auto before = std::tuple(general, vectors, slots.size());
    general |= other.general;
    vectors |= other.vectors;
    slots.insert(other.slots.begin(), other.slots.end());
    return before != std::tuple(general, vectors, slots.size());
  }
};

// Where a value comes from: an instruction, or the beginning of a block where ways meet; and what holds it.
struct Origin {
  enum Kind : std::uint8_t { instruction, block } kind;
  std::size_t at;
  std::int64_t holder;     // a register by its number, or one of these and further
  bool is_opened = false;  // of a block: an open branch has written the holder before
  static constexpr std::int64_t vectors = 16, flags = 32, moves = -1, slots = std::int64_t{1} << 40;
};

// `Flow` derives from this (CRTP) and has, all of them public:
//   Value unknown(Origin)                 nothing is known of it; a default Value says so too
//   Value join(vector of Values, Origin)  what is true on all ways to a block, the first of which came first
//   Value open(Value, Origin)             where ways of an open branch meet
//   Value zero(), immediate(Operand), frame_address()
//   Value address(Operand, Origin)        lea
//   Value part(Value)                     of which less than 32 bits are written
//   Value loaded(Operand, slot or nullopt, Origin)  of memory that nothing is known of
//   Value combined(vector of Values, Origin)     computed from these, nobody looks how
//   Value computed(Instruction, Origin)   and what the flags say afterwards is the same
//   bool is_open(Value)                   of the flags, or of a computed jump's target
//   bool stays_open(FunctionLine)         of a branch whose flags are not (no flow has to have it)
//   bool opens_loop(block, Region)        whether an open branch at the block's end opens that loop
//   void begin()                          forgets what it has collected
//   void follows(FunctionLine)            in front of each instruction while collects()
//   void follow_call(FunctionLine), follow_return()
template <class Flow, class Value>
class ValueFlow {
 public:
  struct Content {
    Value value = {};
    std::optional<std::int64_t> in_frame =
        {};                  // the distance from where the stack's pointer was at the entry
    std::int64_t bytes = 8;  // of a word of the frame

    bool operator==(const Content&) const = default;
  };

  struct State {
    std::array<Content, registers> general;
    std::array<Value, vector_registers> vectors;
    std::map<std::int64_t, Content> slots;  // words of the frame; unknown if absent
    Value flags = {};

    bool operator==(const State&) const = default;
  };

  static bool stays_open(const FunctionLine&) { return false; }

  explicit ValueFlow(const FunctionCode& function)
      : function_(function),
        graph_(function),
        entries_(graph_.blocks().size()),
        written_(graph_.blocks().size()),
        opened_(graph_.blocks().size()),
        is_open_(graph_.blocks().size(), false) {}

  void run(const State& at_entry) {
    do follow_all(at_entry);
    while (mark_what_open_branches_write());
  }

 protected:
  const ControlFlow& graph() const { return graph_; }
  bool is_reached(BlockNumber block) const { return entries_[block].has_value(); }
  bool is_open_branch(BlockNumber block) const { return is_open_[block]; }
  // While it is gone through for the last time, with all that is known.
  bool collects() const { return collects_; }
  State& state() { return state_; }
  const State& state() const { return state_; }
  const Value& value_of(Register r) const { return state_.general[r].value; }

  // Where in the frame the operand lies, if that is known.
  std::optional<std::int64_t> slot_of(const Operand& operand) const {
    if (operand.kind != Operand::memory || !operand.base || operand.index || operand.of_thread)
      return std::nullopt;
    const auto& base = state_.general[*operand.base].in_frame;
    return base ? std::optional(*base + operand.constant) : std::nullopt;
  }

  Content read(const Operand& operand, Origin origin) {
    switch (operand.kind) {
      case Operand::immediate:
        return {.value = self().immediate(operand)};
      case Operand::general:
        return state_.general[operand.reg.number];
      case Operand::other_register: {
        const auto number = vector_register(operand.text);
        return {.value = number ? state_.vectors[*number] : Value{}};
      }
      default:
        break;
    }
    const auto slot = slot_of(operand);
    if (slot) {
      const auto known = state_.slots.find(*slot);
      if (known != state_.slots.end()) return known->second;
    }
    return {.value = self().loaded(operand, slot, origin)};
  }

  void write(const Operand& operand, Content content, int bytes) {
    if (operand.kind == Operand::general) {
      if (operand.reg.number == rsp && !content.in_frame) content.value = self().frame_address();
      if (operand.reg.bytes < 8) content.in_frame.reset();
      if (operand.reg.bytes < 4) content.value = self().part(content.value);
      state_.general[operand.reg.number] = content;
      if (operand.reg.number != rsp) written_now_->general |= 1u << operand.reg.number;
    } else if (operand.kind == Operand::other_register) {
      const auto number = vector_register(operand.text);
      if (!number) return;
      state_.vectors[*number] = content.value;
      written_now_->vectors |= 1u << *number;
    } else if (const auto slot = slot_of(operand)) {
      constexpr std::int64_t most_bytes = 64;  // of a register
      const auto end = state_.slots.lower_bound(*slot + bytes);
      for (auto other = state_.slots.lower_bound(*slot - most_bytes); other != end;)
        other = other->first + other->second.bytes > *slot ? state_.slots.erase(other) : std::next(other);
      content.bytes = bytes;
      state_.slots[*slot] = content;
      written_now_->slots.insert(*slot);
    }
  }

  void write(Register r, const Value& value) {
    state_.general[r] = {.value = value};
    written_now_->general |= 1u << r;
  }

  // A function that is called leaves these behind.
  void forget_scratch_registers(std::size_t line) {
    for (const Register r : scratch_registers)
      write(r, self().unknown({Origin::instruction, line, std::int64_t{r}}));
    state_.vectors.fill(Value{});
    written_now_->vectors = ~0u;
    state_.flags = Value{};
  }

  std::size_t line_index(const FunctionLine& line) const {
    return static_cast<std::size_t>(&line - function_.lines.data());
  }

 private:
  Flow& self() { return static_cast<Flow&>(*this); }

  void follow_all(const State& at_entry) {
    self().begin();
    for (auto& entry : entries_) entry.reset();
    if (entries_.empty()) return;
    entries_[0] = at_entry;
    // What blocks leave behind, and which of those in front of each have left something, in this order.
    std::vector<State> left(entries_.size());
    std::vector<std::vector<BlockNumber>> came(entries_.size());
    std::vector<unsigned> visits(entries_.size(), 0);
    constexpr unsigned most_visits = 64;  // of what does not come to rest
    const auto is_earlier = [&](BlockNumber a, BlockNumber b) {
      return std::pair(graph_.rank(a), a) < std::pair(graph_.rank(b), b);
    };
    std::set<BlockNumber, decltype(is_earlier)> open({0}, is_earlier);
    while (!open.empty()) {
      const BlockNumber next = *open.begin();
      open.erase(open.begin());
      follow(next);
      const bool is_other = !(left[next] == state_);
      left[next] = state_;
      if (++visits[next] > most_visits) continue;
      for (const BlockNumber after : graph_.blocks()[next].after) {
        std::vector<BlockNumber>& before = came[after];
        if (std::ranges::find(before, next) == before.end()) before.push_back(next);
        // What came back to a loop's beginning from what was there before has to come again.
        if (is_other && next == before.front()) {
          const auto stale = std::stable_partition(before.begin(), before.end(), [&](BlockNumber way) {
            return way == next || !graph_.are_in_one_loop(after, way);
          });
          open.insert(stale, before.end());
          before.erase(stale, before.end());
        }
        std::vector<const State*> ways;
        if (after == 0) ways.push_back(&at_entry);
        for (const BlockNumber way : before) ways.push_back(&left[way]);
        State joined = ways.size() == 1 ? *ways[0] : join(ways, after);
        if (entries_[after] && joined == *entries_[after]) continue;
        entries_[after] = std::move(joined);
        open.insert(after);
      }
    }
    collects_ = true;
    for (BlockNumber b = 0; b < entries_.size(); ++b) {
      if (entries_[b]) follow(b);
    }
    collects_ = false;
  }

  State join(const std::vector<const State*>& ways, BlockNumber block) {
    const Written& opened = opened_[block];
    State result;
    std::vector<Value> values(ways.size());
    const auto joined = [&](auto value_on, std::int64_t holder, bool is_opened) {
      for (std::size_t way = 0; way < ways.size(); ++way) values[way] = value_on(*ways[way]);
      return self().join(values, {Origin::block, block, holder, is_opened});
    };
    for (std::size_t r = 0; r < registers; ++r) {
      Content& content = result.general[r];
      content = ways[0]->general[r];
      content.value = joined([&](const State& way) { return way.general[r].value; },
                             static_cast<std::int64_t>(r), opened.general >> r & 1);
      for (const State* way : ways)
        if (way->general[r].in_frame != content.in_frame) content.in_frame.reset();
    }
    for (std::size_t r = 0; r < vector_registers; ++r)
      result.vectors[r] = joined([&](const State& way) { return way.vectors[r]; },
                                 Origin::vectors + static_cast<std::int64_t>(r), opened.vectors >> r & 1);
    for (const auto& of_slot : ways[0]->slots) {
      const auto slot = of_slot.first;
      if (!std::ranges::all_of(ways, [&](const State* way) { return way->slots.contains(slot); })) continue;
      Content content = of_slot.second;
      content.value = joined([&](const State& way) { return way.slots.at(slot).value; }, Origin::slots + slot,
                             opened.slots.contains(slot));
      for (const State* way : ways) {
        const Content& other = way->slots.at(slot);
        if (other.in_frame != content.in_frame) content.in_frame.reset();
        content.bytes = std::max(content.bytes, other.bytes);
      }
      result.slots.emplace(slot, std::move(content));
    }
    result.flags = joined([](const State& way) { return way.flags; }, Origin::flags, false);
    return result;
  }

  // Whether more is open at the beginning of a block than before.
  bool mark_what_open_branches_write() {
    bool marked = false;
    const auto written_in = [&](const Region& region) {
      Written written;
      for (const BlockNumber block : region.blocks) written.add(written_[block]);
      return written;
    };
    for (BlockNumber b = 0; b < is_open_.size(); ++b) {
      if (!is_open_[b]) continue;
      const Region region = graph_.region_of(b);
      if (const BlockNumber meeting = graph_.meeting_point(b); meeting < opened_.size())
        marked |= opened_[meeting].add(written_in(region));
      const Region loop = graph_.loop_of(b, region);
      if (loop.blocks.empty() || !self().opens_loop(b, loop)) continue;
      const Written in_loop = written_in(loop);
      for (const BlockNumber part : loop.blocks) {
        if (graph_.is_entry(part, loop)) marked |= opened_[part].add(in_loop);
      }
    }
    return marked;
  }

  void begin_block(BlockNumber block) {
    state_ = *entries_[block];
    const Written& opened = opened_[block];
    const auto open = [&](Value& value, std::int64_t holder) {
      value = self().open(value, {Origin::block, block, holder});
    };
    for (std::size_t r = 0; r < registers; ++r)
      if (opened.general >> r & 1) open(state_.general[r].value, static_cast<std::int64_t>(r));
    for (std::size_t r = 0; r < vector_registers; ++r)
      if (opened.vectors >> r & 1) open(state_.vectors[r], Origin::vectors + static_cast<std::int64_t>(r));
    for (const std::int64_t slot : opened.slots) {
      if (const auto known = state_.slots.find(slot); known != state_.slots.end())
        open(known->second.value, Origin::slots + slot);
    }
  }

  void follow(BlockNumber block) {
    begin_block(block);
    written_now_ = &written_[block];
    for (std::size_t i = graph_.blocks()[block].begin; i < graph_.blocks()[block].end; ++i) {
      const FunctionLine& line = function_.lines[i];
      const Instruction& instruction = line.instruction;
      if (collects_) {
        self().follows(line);
        if (is_conditional_jump(instruction))
          is_open_[block] = self().is_open(state_.flags) || self().stays_open(line);
        if (is_any_jump(instruction.name) && instruction.indirect)
          is_open_[block] = self().is_open(read(instruction.operands.at(0), from(i, rax)).value);
      }
      follow(line, i);
    }
  }

  static Origin from(std::size_t line, std::int64_t holder) { return {Origin::instruction, line, holder}; }

  void follow(const FunctionLine& line, std::size_t at) {
    const Instruction& i = line.instruction;
    const auto& o = i.operands;
    if (is_call(i.name)) return self().follow_call(line);
    if (is_return(i.name)) return self().follow_return();
    if (is_any_jump(i.name) || o.empty()) return follow_implied(i, at);
    if (is_any_of(i.name, {"push"})) return follow_push(i, at);
    if (is_any_of(i.name, {"pop"})) return follow_pop(i);
    if (is_string_operation(i)) {
      for (const Register r : {rcx, rsi, rdi}) write(r, self().unknown(from(at, r)));
      return;
    }
    if (writes_hidden_registers(i)) return follow_implied(i, at);

    const Operand& last = o.back();
    const int bytes = bytes_of(i);
    const Origin origin =
        from(at, last.kind == Operand::general ? std::int64_t{last.reg.number} : Origin::slots);
    if (makes_zero(i)) {
      state_.flags = self().zero();
      return write(last, {.value = self().zero()}, bytes);
    }
    if (touches_nothing(i.name) && o.size() == 2) return follow_address(o[0], last, bytes, origin);
    if (is_any_of(i.name, {"mov"}) || i.name.starts_with("movabs"))
      return write(last, read(o[0], origin), bytes);
    if (is_any_of(i.name, {"and"}) && last.is_reg(rsp))
      return write(last, {.value = self().frame_address()}, bytes);  // aligns the stack
    Content content;
    const bool moves = is_any_of(i.name, {"add", "sub"}) && o.size() == 2 && o[0].kind == Operand::immediate;
    if (moves) {
      if (const auto in_frame = read(last, origin).in_frame)
        content.in_frame = *in_frame + (is_any_of(i.name, {"add"}) ? o[0].constant : -o[0].constant);
    }
    content.value = self().computed(i, origin);
    if (writes_last(i)) write(last, content, bytes);
    if (!leaves_flags(i)) state_.flags = content.value;
  }

  void follow_push(const Instruction& i, std::size_t at) {
    const Content content = read(i.operands[0], from(at, Origin::slots));
    if (auto& stack = state_.general[rsp].in_frame) state_.slots[*stack -= 8] = content;
  }

  void follow_pop(const Instruction& i) {
    Content content;
    if (auto& stack = state_.general[rsp].in_frame) {
      if (const auto known = state_.slots.find(*stack); known != state_.slots.end()) content = known->second;
      *stack += 8;
    }
    write(i.operands[0], content, 8);
  }

  void follow_address(const Operand& of, const Operand& to, int bytes, Origin origin) {
    const bool is_copy = of.base && !of.index && of.symbol.empty() && !of.of_thread;
    Content content{.value = self().address(of, origin)};
    if (is_copy && state_.general[*of.base].in_frame)
      content.in_frame = *state_.general[*of.base].in_frame + of.constant;
    write(to, content, bytes);
  }

  // What writes registers that it does not name, and what has no operands.
  void follow_implied(const Instruction& i, std::size_t at) {
    if (is_any_jump(i.name)) return;
    if (i.name.starts_with("leave")) {
      state_.general[rsp] = state_.general[rbp];
      auto& stack = state_.general[rsp].in_frame;
      if (stack) *stack += 8;
      state_.general[rbp] = {};
    } else if (is_in(i.name, " cltq cdqe cwtl cwde cbtw ")) {
      write(rax, value_of(rax));
    } else if (is_in(i.name, " cltd cdq cqto cqo cwtd cwd ")) {
      write(rdx, self().combined({value_of(rax)}, from(at, rdx)));
    } else if (!i.operands.empty()) {
      std::vector<Value> values{value_of(rax), value_of(rdx)};
      for (const Operand& operand : i.operands)
        values.push_back(read(operand, from(at, Origin::slots)).value);
      if (i.name.starts_with("xchg") || i.name.starts_with("xadd") || i.name.starts_with("cmpxchg")) {
        for (const Operand& operand : i.operands)
          write(operand, {.value = self().combined(values, from(at, Origin::slots + 1))}, 8);
      }
      const Value value = self().combined(values, from(at, rax));
      write(rax, value);
      write(rdx, self().combined(values, from(at, rdx)));
      state_.flags = value;
    }
  }

  const FunctionCode& function_;
  ControlFlow graph_;
  std::vector<std::optional<State>> entries_;
  std::vector<Written> written_;  // by each block
  std::vector<Written> opened_;   // at each block's beginning
  std::vector<bool> is_open_;     // the branch at its end
  State state_;
  Written* written_now_ = nullptr;
  bool collects_ = false;
};

}  // namespace simulator::x86
