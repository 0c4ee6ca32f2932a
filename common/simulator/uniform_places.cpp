// SPDX-License-Identifier: MIT
// A forward analysis over each function's basic blocks: which registers and words of the frame differ between
// the lanes. What is written in a branch that lanes take apart differs where its paths meet; what is written
// in a loop that lanes leave apart differs in the loop, too (nvcc does not reduce there). Functions of the
// unit that are not inlined get what all their calls pass together.
#include "simulator/uniform_places.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "simulator/cuda/warp.hpp"
#include "simulator/x86_assembly.hpp"

namespace simulator {

namespace {

using namespace x86;

// `varying`: differs between lanes; `local`: an address of a lane's own variables, where each finds its own.
using Bits = unsigned;
constexpr Bits uniform = 0, varying = 1, local = 2;

struct Content {
  Bits bits = varying;
  std::optional<std::int64_t> in_frame = {};  // the distance from where the stack's pointer was at the entry
  std::optional<std::int64_t> number = {};
  std::int64_t bytes = 8;  // of a word of the frame

  bool operator==(const Content&) const = default;
};

Content only(Bits bits) { return {.bits = bits}; }

Content both(const Content& a, const Content& b) {
  return {.bits = a.bits | b.bits,
          .in_frame = a.in_frame == b.in_frame ? a.in_frame : std::nullopt,
          .number = a.number == b.number ? a.number : std::nullopt,
          .bytes = std::max(a.bytes, b.bytes)};
}

constexpr std::size_t vector_registers = 16;

struct LaneState {
  std::array<Content, registers> general;
  std::array<Bits, vector_registers> vectors;
  std::map<std::int64_t, Content> slots;  // words of the frame; varying if absent
  Bits flags = varying;

  LaneState() { vectors.fill(varying); }

  bool operator==(const LaneState&) const = default;
};

LaneState both(const LaneState& a, const LaneState& b) {
  LaneState result;
  for (std::size_t r = 0; r < registers; ++r) result.general[r] = both(a.general[r], b.general[r]);
  for (std::size_t r = 0; r < vector_registers; ++r) result.vectors[r] = a.vectors[r] | b.vectors[r];
  for (const auto& [slot, content] : a.slots) {
    if (const auto other = b.slots.find(slot); other != b.slots.end())
      result.slots.emplace(slot, both(content, other->second));
  }
  result.flags = a.flags | b.flags;
  return result;
}

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

using BlockNumber = std::size_t;

struct Block {
  std::size_t begin, end;  // instructions
  std::vector<BlockNumber> after = {}, before = {};
  std::optional<LaneState> entry = {};
  Written written = {};
  Written differs = {};  // at its beginning, because lanes came to it on different ways
  bool parts_lanes = false;
};

constexpr std::array argument_registers{rdi, rsi, rdx, rcx, r8, r9};
constexpr std::array scratch_registers{rax, rcx, rdx, rsi, rdi, r8, r9, r10, r11};

struct Line {
  std::size_t number;
  Instruction instruction;
};

struct Function {
  std::vector<Line> lines = {};
  std::map<std::string, std::size_t, std::less<>> labels = {};  // the instruction behind each
  std::set<std::size_t> jumped_to_by_table = {};                // instructions
  bool readable = true;
  // What all calls pass together, in argument_registers; none: nobody calls it.
  std::optional<std::array<Bits, argument_registers.size()>> arguments = {};
  Bits arguments_on_stack = uniform;
  Bits result = uniform;
  std::set<std::size_t> uniform_atomics = {};  // numbers of lines
};

// Of %xmm3: 3. Nothing is known of what other registers than these and the general ones hold.
std::optional<std::size_t> vector_register(std::string_view name) {
  if (!name.starts_with("%xmm") && !name.starts_with("%ymm")) return std::nullopt;
  const auto number = number_in(name.substr(4));
  if (!number || static_cast<std::size_t>(*number) >= vector_registers) return std::nullopt;
  return static_cast<std::size_t>(*number);
}

std::string_view without_suffix(std::string_view name) { return name.substr(0, name.find('@')); }

constexpr std::string_view atomic = "_ZN9simulator14perform_atomicI",
                           uniform_atomic = "_ZN9simulator22perform_uniform_atomicI";

bool is_conditional(const Instruction& i) { return is_any_jump(i.name) && !i.name.starts_with("jmp"); }

// Writes its last operand without reading it.
bool overwrites(const Instruction& i) {
  if (i.name.starts_with("movlp") || i.name.starts_with("movhp")) return false;
  for (const std::string_view begin :
       {"mov", "lea", "cvt", "set", "popcnt", "lzcnt", "tzcnt", "bsf", "bsr", "sqrt", "pshuf", "pextr"}) {
    if (i.name.starts_with(begin)) return true;
  }
  return is_any_of(i.name, {"imul"}) && i.operands.size() == 3;
}

bool leaves_flags(const Instruction& i) {
  for (const std::string_view begin :
       {"mov", "lea", "cvt", "set", "cmov", "not", "push", "pop", "p", "xchg", "nop", "bswap"}) {
    if (i.name.starts_with(begin)) return i.name != "ptest" && !i.name.starts_with("popcnt");
  }
  return i.name.ends_with("ss") || i.name.ends_with("sd") || i.name.ends_with("ps") || i.name.ends_with("pd")
             ? !i.name.starts_with("comis") && !i.name.starts_with("ucomis")
             : false;
}

bool reads_flags(const Instruction& i) {
  return i.name.starts_with("cmov") || i.name.starts_with("set") ||
         is_any_of(i.name, {"adc", "sbb", "rcl", "rcr"});
}

// --- the blocks of a function

class Flow {
 public:
  // `functions`: of the unit, to which what calls pass is added.
  Flow(Function& function, std::map<std::string, Function, std::less<>>& functions)
      : function_(function), functions_(functions) {
    make_blocks();
    find_meeting_points();
  }

  // Whether what calls pass to other functions, or the result, has changed.
  bool run() {
    changed_ = false;
    do follow_all();
    while (mark_where_lanes_meet());
    return changed_;
  }

 private:
  const std::vector<Line>& lines() const { return function_.lines; }

  void make_blocks() {
    std::set<std::size_t> begins{0};
    for (const auto& [label, at] : function_.labels) begins.insert(at);
    for (std::size_t i = 0; i < lines().size(); ++i) {
      const Instruction& instruction = lines()[i].instruction;
      if (is_any_jump(instruction.name) || is_return(instruction.name)) begins.insert(i + 1);
    }
    begins.erase(lines().size());
    for (auto at = begins.begin(); at != begins.end(); ++at)
      blocks_.push_back({*at, std::next(at) == begins.end() ? lines().size() : *std::next(at)});
    for (BlockNumber b = 0; b < blocks_.size(); ++b) {
      const Instruction& last = lines()[blocks_[b].end - 1].instruction;
      const bool jumps = is_any_jump(last.name);
      if (jumps && last.operands.size() == 1) {
        const auto label = function_.labels.find(last.operands[0].symbol);
        if (label != function_.labels.end() && label->second < lines().size())
          connect(b, block_at(label->second));
      }
      if (jumps && last.indirect) {
        for (const std::size_t at : function_.jumped_to_by_table) connect(b, block_at(at));
      }
      const bool goes_on = jumps ? is_conditional(last) : !is_return(last.name) && last.name != "ud2";
      if (goes_on && b + 1 < blocks_.size()) connect(b, b + 1);
    }
  }

  void connect(BlockNumber from, BlockNumber to) {
    if (std::ranges::find(blocks_[from].after, to) != blocks_[from].after.end()) return;
    blocks_[from].after.push_back(to);
    blocks_[to].before.push_back(from);
  }

  BlockNumber block_at(std::size_t instruction) const {
    const auto behind = std::ranges::upper_bound(blocks_, instruction, {}, &Block::begin);
    return static_cast<BlockNumber>(behind - blocks_.begin()) - 1;
  }

  // The block that all ways from a block to the function's end come to next: its immediate post-dominator
  // (Cooper, Harvey, Kennedy). `blocks_.size()` stands for the end.
  void find_meeting_points() {
    const BlockNumber end = blocks_.size(), none = end + 1;
    std::vector<BlockNumber> order;  // from the end backwards, a block behind those that come after it
    std::vector<bool> seen(end, false);
    const auto visit = [&](BlockNumber from) {
      std::vector<std::pair<BlockNumber, std::size_t>> path{{from, 0}};
      seen[from] = true;
      while (!path.empty()) {
        auto& [block, next] = path.back();
        if (next < blocks_[block].before.size()) {
          const BlockNumber before = blocks_[block].before[next++];
          if (!seen[before]) seen[before] = true, path.emplace_back(before, 0);
        } else {
          order.push_back(block);
          path.pop_back();
        }
      }
    };
    for (BlockNumber b = 0; b < end; ++b) {
      if (blocks_[b].after.empty() && !seen[b]) visit(b);
    }
    std::vector<std::size_t> rank(end + 1, 0);
    for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
    rank[end] = order.size();
    meeting_point_.assign(end + 1, none);
    meeting_point_[end] = end;
    const auto meet = [&](BlockNumber a, BlockNumber b) {
      while (a != b) {
        while (rank[a] < rank[b]) a = meeting_point_[a];
        while (rank[b] < rank[a]) b = meeting_point_[b];
      }
      return a;
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = order.size(); i-- > 0;) {
        const BlockNumber block = order[i];
        BlockNumber found = blocks_[block].after.empty() ? end : none;
        for (const BlockNumber after : blocks_[block].after) {
          if (meeting_point_[after] == none) continue;
          found = found == none ? after : meet(found, after);
        }
        if (found != none && meeting_point_[block] != found) meeting_point_[block] = found, changed = true;
      }
    }
    // What never ends meets nowhere.
    std::ranges::replace(meeting_point_, none, end);
  }

  struct Region {
    std::vector<BlockNumber> blocks = {};
    std::vector<bool> has = {};  // by number

    bool add(BlockNumber block) {
      if (has[block]) return false;
      has[block] = true;
      blocks.push_back(block);
      return true;
    }
  };

  // The blocks on the ways from a block to its meeting point.
  Region region_of(BlockNumber block) const {
    Region region{.has = std::vector<bool>(blocks_.size())};
    std::vector<BlockNumber> open = blocks_[block].after;
    while (!open.empty()) {
      const BlockNumber next = open.back();
      open.pop_back();
      if (next == meeting_point_[block] || !region.add(next)) continue;
      open.insert(open.end(), blocks_[next].after.begin(), blocks_[next].after.end());
    }
    return region;
  }

  // The part of a region from which a way leads back to the block: a loop that the block can leave.
  Region loop_of(BlockNumber block, const Region& region) const {
    Region loop{.has = std::vector<bool>(blocks_.size())};
    if (!region.has[block]) return loop;
    loop.add(block);
    for (std::size_t i = 0; i < loop.blocks.size(); ++i) {
      for (const BlockNumber before : blocks_[loop.blocks[i]].before) {
        if (region.has[before]) loop.add(before);
      }
    }
    return loop;
  }

  Written written_in(const Region& region) const {
    Written written;
    for (const BlockNumber block : region.blocks) written.add(blocks_[block].written);
    return written;
  }

  // Whether more differs at the beginning of a block than before.
  bool mark_where_lanes_meet() {
    bool marked = false;
    for (BlockNumber b = 0; b < blocks_.size(); ++b) {
      if (!blocks_[b].parts_lanes) continue;
      const Region region = region_of(b);
      if (meeting_point_[b] < blocks_.size())
        marked |= blocks_[meeting_point_[b]].differs.add(written_in(region));
      const Region loop = loop_of(b, region);
      const Written in_loop = written_in(loop);
      for (const BlockNumber part : loop.blocks) {
        const bool is_entry =
            std::ranges::any_of(blocks_[part].before, [&](BlockNumber from) { return !loop.has[from]; });
        if (is_entry) marked |= blocks_[part].differs.add(in_loop);
      }
    }
    return marked;
  }

  // --- what the lanes differ in

  LaneState at_entry() const {
    LaneState state;
    state.general[rsp] = {.bits = local, .in_frame = 0};
    for (std::size_t a = 0; a < argument_registers.size(); ++a)
      state.general[argument_registers[a]] = only((*function_.arguments)[a]);
    return state;
  }

  void follow_all() {
    function_.uniform_atomics.clear();
    for (Block& block : blocks_) block.entry.reset();
    if (blocks_.empty()) return;
    blocks_[0].entry = at_entry();
    std::set<BlockNumber> open{0};
    while (!open.empty()) {
      const BlockNumber next = *open.begin();
      open.erase(open.begin());
      follow(blocks_[next]);
      for (const BlockNumber after : blocks_[next].after) {
        std::optional<LaneState>& entry = blocks_[after].entry;
        LaneState joined = entry ? both(*entry, state_) : state_;
        if (entry && joined == *entry) continue;
        entry = std::move(joined);
        open.insert(after);
      }
    }
    for (Block& block : blocks_) {
      if (block.entry) follow(block, true);
    }
  }

  void follow(Block& block, bool collects = false) {
    state_ = *block.entry;
    for (std::size_t r = 0; r < registers; ++r)
      if (block.differs.general >> r & 1) state_.general[r].bits |= varying;
    for (std::size_t r = 0; r < vector_registers; ++r)
      if (block.differs.vectors >> r & 1) state_.vectors[r] = varying;
    for (const std::int64_t slot : block.differs.slots) state_.slots.erase(slot);
    written_ = &block.written;
    collects_ = collects;
    for (std::size_t i = block.begin; i < block.end; ++i) {
      const Instruction& instruction = lines()[i].instruction;
      if (collects && is_conditional(instruction)) block.parts_lanes = (state_.flags & varying) != 0;
      if (collects && is_any_jump(instruction.name) && instruction.indirect)
        block.parts_lanes = (read(instruction.operands.at(0)).bits & varying) != 0;
      follow(lines()[i]);
    }
  }

  Bits bits_of_address(const Operand& operand) const {
    Bits bits = uniform;
    if (operand.base) bits |= state_.general[*operand.base].bits;
    if (operand.index) bits |= state_.general[*operand.index].bits;
    return bits;
  }

  // Where in the frame the operand lies, if that is known.
  std::optional<std::int64_t> slot_of(const Operand& operand) const {
    if (operand.kind != Operand::memory || !operand.base || operand.index || operand.of_thread)
      return std::nullopt;
    const auto& base = state_.general[*operand.base].in_frame;
    return base ? std::optional(*base + operand.constant) : std::nullopt;
  }

  Content read(const Operand& operand) const {
    switch (operand.kind) {
      case Operand::immediate:
        return {.bits = uniform,
                .number = operand.symbol.empty() ? std::optional(operand.constant) : std::nullopt};
      case Operand::general: {
        Content value = state_.general[operand.reg.number];
        if (operand.reg.bytes < 4) value.number.reset();
        return value;
      }
      case Operand::other_register: {
        const auto number = vector_register(operand.text);
        return only(number ? state_.vectors[*number] : varying);
      }
      default:
        break;
    }
    if (const auto slot = slot_of(operand)) {
      const auto known = state_.slots.find(*slot);
      if (known != state_.slots.end()) return known->second;
      return only(*slot > 0 ? function_.arguments_on_stack : varying);
    }
    // What lies at one place is the same for all, if the place is not each lane's own.
    return only(bits_of_address(operand) == uniform ? uniform : varying);
  }

  void write(const Operand& operand, Content value, int bytes) {
    if (operand.kind == Operand::general) {
      if (operand.reg.number == rsp && !value.in_frame) value.bits |= local;
      const bool is_part = operand.reg.bytes < 4;
      if (is_part) value = only(value.bits);
      if (operand.reg.bytes < 8) value.in_frame.reset();
      state_.general[operand.reg.number] = value;
      if (operand.reg.number != rsp) written_->general |= 1u << operand.reg.number;
    } else if (operand.kind == Operand::other_register) {
      const auto number = vector_register(operand.text);
      if (!number) return;
      state_.vectors[*number] = value.bits;
      written_->vectors |= 1u << *number;
    } else if (const auto slot = slot_of(operand)) {
      constexpr std::int64_t most_bytes = 64;  // of a register
      const auto end = state_.slots.lower_bound(*slot + bytes);
      for (auto other = state_.slots.lower_bound(*slot - most_bytes); other != end;)
        other = other->first + other->second.bytes > *slot ? state_.slots.erase(other) : std::next(other);
      value.bytes = bytes;
      state_.slots[*slot] = value;
      written_->slots.insert(*slot);
    }
  }

  void write(Register r, Bits bits) {
    state_.general[r] = only(bits);
    written_->general |= 1u << r;
  }

  void follow(const Line& line) {
    const Instruction& i = line.instruction;
    const auto& o = i.operands;
    if (is_call(i.name)) return follow_call(line);
    if (is_return(i.name)) return note_result();
    if (is_any_jump(i.name) || o.empty()) return follow_implied(i);
    if (is_any_of(i.name, {"push"})) {
      auto& stack = state_.general[rsp].in_frame;
      const Content value = read(o[0]);
      if (!stack) return;
      state_.slots[*stack -= 8] = value;
      return;
    }
    if (is_any_of(i.name, {"pop"})) {
      auto& stack = state_.general[rsp].in_frame;
      Content value;
      if (stack) {
        if (const auto known = state_.slots.find(*stack); known != state_.slots.end()) value = known->second;
        *stack += 8;
      }
      return write(o[0], value, 8);
    }
    if (is_string_operation(i)) {
      for (const Register r : {rcx, rsi, rdi}) write(r, varying);
      return;
    }
    if (writes_hidden_registers(i)) return follow_implied(i);

    Bits bits = uniform;
    for (std::size_t n = 0; n + 1 < o.size(); ++n) bits |= read(o[n]).bits;
    const Operand& last = o.back();
    const int bytes = bytes_of(i);
    const bool same_twice =
        o.size() == 2 && o[0].text == last.text && o[0].kind == last.kind && o[0].kind != Operand::memory;
    const bool is_zero = same_twice && (is_any_of(i.name, {"xor", "sub"}) || i.name.starts_with("pxor") ||
                                        i.name.starts_with("xorp"));
    if (is_zero) {
      bits = uniform;
      write(last, {.bits = uniform, .number = 0}, bytes);
    } else if (touches_nothing(i.name) && o.size() == 2) {  // lea
      const Operand& of = o[0];
      const bool is_copy = of.base && !of.index && of.symbol.empty() && !of.of_thread;
      Content value = only(bits_of_address(of));
      if (is_copy && state_.general[*of.base].in_frame)
        value.in_frame = *state_.general[*of.base].in_frame + of.constant;
      return write(last, value, bytes);
    } else if (is_any_of(i.name, {"mov"}) || i.name.starts_with("movabs")) {
      return write(last, read(o[0]), bytes);
    } else if (is_any_of(i.name, {"add", "sub"}) && o.size() == 2 && o[0].kind == Operand::immediate &&
               read(last).in_frame) {
      Content value = read(last);
      *value.in_frame += is_any_of(i.name, {"add"}) ? o[0].constant : -o[0].constant;
      return write(last, value, bytes);
    } else if (is_any_of(i.name, {"and"}) && last.is_reg(rsp)) {
      return write(last, only(local), bytes);  // aligns the stack
    } else {
      if (!overwrites(i)) bits |= read(last).bits;
      if (reads_flags(i)) bits = (is_any_of(i.name, {"sbb"}) && same_twice ? uniform : bits) | state_.flags;
      if (writes_last(i)) write(last, only(bits), bytes);
    }
    if (!leaves_flags(i)) state_.flags = bits;
  }

  // What writes registers that it does not name, and what has no operands.
  void follow_implied(const Instruction& i) {
    const auto bits_of = [&](Register r) { return state_.general[r].bits; };
    if (is_any_jump(i.name)) return;
    if (i.name.starts_with("leave")) {
      state_.general[rsp] = state_.general[rbp];
      auto& stack = state_.general[rsp].in_frame;
      if (stack) *stack += 8;
      state_.general[rbp] = {};
    } else if (is_in(i.name, " cltq cdqe cwtl cwde cbtw ")) {
      write(rax, bits_of(rax));
    } else if (is_in(i.name, " cltd cdq cqto cqo cwtd cwd ")) {
      write(rdx, bits_of(rax));
    } else {
      Bits bits = bits_of(rax) | bits_of(rdx);
      for (const Operand& operand : i.operands) bits |= read(operand).bits;
      if (i.operands.empty()) return;
      if (i.name.starts_with("xchg") || i.name.starts_with("xadd") || i.name.starts_with("cmpxchg")) {
        for (const Operand& operand : i.operands) write(operand, only(bits), 8);
      }
      write(rax, bits);
      write(rdx, bits);
      state_.flags = bits;
    }
  }

  void follow_call(const Line& line) {
    const Instruction& i = line.instruction;
    const std::string_view name =
        i.indirect || i.operands.empty() ? std::string_view() : without_suffix(i.operands[0].symbol);
    if (collects_ && name.starts_with(atomic) && state_.general[rsi].bits == uniform)
      function_.uniform_atomics.insert(line.number);
    Bits result = result_of_call(name);
    if (const auto called = functions_.find(name); called != functions_.end()) {
      if (collects_) pass(called->second);
      result = called->second.arguments ? called->second.result : uniform;
    }
    for (const Register r : scratch_registers) write(r, varying);
    write(rax, result);
    write(rdx, result);
    state_.vectors.fill(varying);
    state_.vectors[0] = result;
    written_->vectors = ~0u;
    state_.flags = varying;
  }

  void pass(Function& called) {
    if (!called.arguments) {
      called.arguments.emplace();
      called.arguments->fill(uniform);
      called.arguments_on_stack = varying;
      changed_ = true;
    }
    for (std::size_t a = 0; a < argument_registers.size(); ++a) {
      const Bits bits = (*called.arguments)[a] | state_.general[argument_registers[a]].bits;
      changed_ |= std::exchange((*called.arguments)[a], bits) != bits;
    }
  }

  void note_result() {
    if (!collects_) return;
    const Bits result = function_.result | state_.general[rax].bits | state_.general[rdx].bits;
    changed_ |= std::exchange(function_.result, result) != result;
  }

  // Of functions that are not the unit's.
  Bits result_of_call(std::string_view name) const {
    const auto bits_of = [&](Register r) { return state_.general[r].bits; };
    constexpr std::string_view ours = "_ZN9simulator";
    if (name == "__tls_get_addr") return uniform;
    if (!name.starts_with(ours)) return varying;
    name.remove_prefix(ours.size());
    const auto is = [&](std::string_view mangled) { return name.starts_with(mangled); };
    if (is("11block_index") || is("12block_extent") || is("11grid_extent") || is("13block_barrier"))
      return uniform;
    if (is("11load_vectorI")) return bits_of(rdi) == uniform ? uniform : varying;
    if (is("13shared_offset") || is("14shared_address")) return bits_of(rdi);
    if (is("14warp_operation")) return result_of_operation();
    return varying;
  }

  Bits result_of_operation() const {
    const auto& operation = state_.general[rdi].number;
    if (!operation) return varying;
    switch (static_cast<WarpOperation>(*operation)) {
      case WarpOperation::shuffle: {
        // width: all lanes read from the same one
        const bool of_all = state_.general[r8].number == 32;
        return of_all && state_.general[rcx].bits == uniform ? uniform : varying;
      }
      case WarpOperation::shuffle_up:
      case WarpOperation::shuffle_down:
      case WarpOperation::shuffle_xor:
      case WarpOperation::match_any:
      case WarpOperation::match_all:
        return varying;
      default:
        return uniform;
    }
  }

  Function& function_;
  std::map<std::string, Function, std::less<>>& functions_;
  std::vector<Block> blocks_;
  std::vector<BlockNumber> meeting_point_;
  LaneState state_;
  Written* written_ = nullptr;
  bool collects_ = false, changed_ = false;
};

// --- the unit

class Unit {
 public:
  Unit(const std::string& assembly, const std::vector<std::string>& trusted)
      : lines_(lines_of(assembly)), trusted_(mangled_prefixes(trusted)) {
    read();
  }

  std::set<std::size_t> uniform_atomics() {
    // Each is followed again until what functions pass to each other stays the same: it only grows.
    std::map<std::string, Flow> flows;
    for (bool changed = true; changed;) {
      changed = false;
      for (auto& [name, function] : functions_) {
        if (!function.arguments || !function.readable) continue;
        changed |= flows.try_emplace(name, function, functions_).first->second.run();
      }
    }
    std::set<std::size_t> all;
    for (const auto& [name, function] : functions_)
      all.insert(function.uniform_atomics.begin(), function.uniform_atomics.end());
    return all;
  }

  const std::vector<std::string_view>& lines() const { return lines_; }

 private:
  void read() {
    for (const std::string_view line : lines_) {
      if (const auto name = function_declared_in(trimmed(line))) functions_.try_emplace(*name);
    }
    Function* current = nullptr;
    bool of_harness = false, describes = false;
    std::set<std::string, std::less<>> places;  // in tables, those of a `switch` among them
    for (std::size_t n = 0; n < lines_.size(); ++n) {
      const std::string_view line = trimmed(lines_[n]);
      if (const auto label = label_in(line)) {
        if (const auto found = functions_.find(*label); found != functions_.end()) {
          current = &found->second;
          of_harness = begins_with_any(*label, trusted_);
        } else if (current) {
          current->labels[*label] = current->lines.size();
        }
      } else if (line.starts_with(".size")) {
        current = nullptr;
      } else if (line.starts_with(".section") || line == ".text") {
        describes = line.find(".debug") != line.npos;
      } else if (!describes && (line.starts_with(".quad") || line.starts_with(".long"))) {
        const std::string_view items = trimmed(line.substr(std::string_view(".quad").size()));
        const std::string name(items.substr(0, items.find('-')));
        // Who calls what a table holds, and with what, is not known.
        note_taken(name, varying);
        places.insert(name);
      } else if (current && is_code(line)) {
        read_instruction(*current, n, of_harness);
      }
    }
    for (auto& [name, function] : functions_) {
      for (const auto& [label, at] : function.labels) {
        if (places.contains(label) && at < function.lines.size()) function.jumped_to_by_table.insert(at);
      }
    }
  }

  void read_instruction(Function& function, std::size_t number, bool of_harness) {
    auto instruction = instruction_in(trimmed(lines_[number]));
    if (!instruction) {
      function.readable = false;
      return;
    }
    const bool goes_there = is_call(instruction->name) || is_any_jump(instruction->name);
    for (const Operand& operand : instruction->operands) {
      if (!goes_there) note_taken(without_suffix(operand.symbol), of_harness ? uniform : varying);
    }
    function.lines.push_back({number, std::move(*instruction)});
  }

  // The address of a function, which is called with arguments of this kind.
  void note_taken(std::string_view name, Bits bits) {
    const auto found = functions_.find(name);
    if (found == functions_.end()) return;
    auto& arguments = found->second.arguments;
    if (!arguments) arguments.emplace().fill(uniform);
    for (Bits& argument : *arguments) argument |= bits;
    found->second.arguments_on_stack |= bits;
  }

  std::vector<std::string_view> lines_;
  std::vector<std::string> trusted_;
  std::map<std::string, Function, std::less<>> functions_;
};

}  // namespace

std::string with_uniform_atomics(const std::string& assembly, const std::vector<std::string>& trusted) {
  if (assembly.find(atomic) == assembly.npos) return assembly;
  Unit unit(assembly, trusted);
  const std::set<std::size_t> places = unit.uniform_atomics();
  if (places.empty()) return assembly;
  std::string text;
  text.reserve(assembly.size());
  for (std::size_t n = 0; n < unit.lines().size(); ++n) {
    const std::string_view line = unit.lines()[n];
    const std::size_t at = places.contains(n) ? line.find(atomic) : line.npos;
    if (at == line.npos) {
      text += line;
    } else {
      ((text += line.substr(0, at)) += uniform_atomic) += line.substr(at + atomic.size());
    }
    text += '\n';
  }
  return text;
}

}  // namespace simulator
