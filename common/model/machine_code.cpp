// SPDX-License-Identifier: MIT
// An instruction has 16 bytes since sm_70. Its lowest nine bits say what it is, three more what its operands
// are, and the next four under which predicate it is executed.
#include "model/machine_code.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <set>
#include <stdexcept>

#include "model/least_squares.hpp"
#include "model/unknown_cost.hpp"

namespace model {

namespace {

constexpr std::size_t instruction_bytes = 16;
constexpr unsigned bra = 0x147, bsync = 0x141, exit_ = 0x14d, ret = 0x150, bssy = 0x145, match = 0x1a1,
                   local_load = 0x183, local_store = 0x187, brx = 0x149, s2r = 0x119, s2ur = 0x1c3;
// Accesses to memory of which the compiler does not know whether it is shared: LD, ST, ATOM and ATOM.CAS.
constexpr unsigned generic_load = 0x180, generic_store = 0x185, generic_atomic = 0x18a, generic_cas = 0x18b;
constexpr unsigned frame_register = 1;  // where a thread's local memory begins
constexpr unsigned always = 7;          // the predicate that is true
// Of more blocks it would take seconds to find how often each is executed.
constexpr std::size_t most_blocks = 500;

struct Instruction {
  std::uint64_t low, high;
  unsigned operation() const { return low & 0x1ff; }
  // BRA.DIV, in front of operations of a warp: only lanes that have parted go there, to meet one by one.
  // Those that come together do not.
  bool is_for_parted_lanes() const { return operation() == bra && (high >> 27 & 1) != 0; }
  // Results that come after an unknown time are announced on one of six barriers, which later instructions
  // wait for.
  unsigned announces() const { return 1u << (high >> 46 & 7) & 63; }
  unsigned waits_for() const { return high >> 52 & 63; }
  // Until the warp's next instruction may be issued: the compiler knows how long results of arithmetic take.
  unsigned cycles() const { return std::max<unsigned>(1, high >> 41 & 15); }
  // Of a load: a byte or two, with a sign or without, and 4, 8, 16.
  unsigned bytes_of_access() const {
    constexpr std::array<unsigned, 8> bytes{1, 1, 2, 2, 4, 8, 16, 16};
    return bytes[high >> 9 & 7];
  }
  unsigned address_register() const { return low >> 24 & 255; }
  bool is_predicated() const { return (low >> 12 & 15) != always; }
  bool is_conditional() const {
    return is_predicated() || (operation() == bra && (high >> 23 & 15) != always);
  }
};

// Whether it goes through the pipe for integers, votes and selections. Multiplications do not; nor does
// VIADD, or shuffle_rotation of tests/model/unseen could not be as fast as it is.
bool is_integer(unsigned operation) {
  switch (operation) {
    case 0x002:  // MOV
    case 0x006:  // VOTE
    case 0x007:  // SEL
    case 0x00c:  // ISETP
    case 0x010:  // IADD3
    case 0x011:  // LEA
    case 0x012:  // LOP3
    case 0x013:  // IABS
    case 0x016:  // PRMT
    case 0x017:  // IMNMX
    case 0x019:  // SHF
    case 0x01a:  // SGXT
    case 0x01b:  // BMSK
    case 0x01c:  // PLOP3
      return true;
    default:
      return false;
  }
}

// Neighbouring words of local memory belong to the same place of neighbouring lanes' frames.
double local_lines_of(const Instruction& one) {
  constexpr double lanes = 32;
  if (one.operation() != local_load && one.operation() != local_store) return 0;
  return one.address_register() == frame_register ? 1 : lanes;
}

bool is_generic(unsigned operation) {
  return operation == generic_load || operation == generic_store || operation == generic_atomic ||
         operation == generic_cas;
}

// Generic accesses as those of global memory.
std::optional<AccessKind> kind_of(unsigned operation) {
  switch (operation) {
    case generic_load:
    case 0x181:  // LDG
      return AccessKind::global_load;
    case generic_store:
    case 0x186:  // STG
      return AccessKind::global_store;
    case generic_atomic:
    case generic_cas:
    case 0x18e:  // RED
    case 0x1a8:  // ATOMG
    case 0x1a9:  // ATOMG.CAS
      return AccessKind::global_atomic;
    case 0x184:  // LDS
      return AccessKind::shared_load;
    case 0x188:  // STS
      return AccessKind::shared_store;
    case 0x18c:  // ATOMS
    case 0x18d:  // ATOMS.CAS
      return AccessKind::shared_atomic;
    case 0x11d:  // BAR
      return AccessKind::barrier;
    case 0x189:  // SHFL
      return AccessKind::shuffle;
    case match:
      return AccessKind::match;
    case 0x1c4:  // REDUX
      return AccessKind::redux;
    case 0x006:  // VOTE
      return AccessKind::vote;
    default:
      return std::nullopt;
  }
}

std::vector<Instruction> instructions_in(const std::vector<unsigned char>& text) {
  if (text.empty() || text.size() % instruction_bytes != 0)
    throw std::invalid_argument("no machine code of a GPU");
  std::vector<Instruction> all(text.size() / instruction_bytes);
  const auto word = [&](std::size_t at) {
    std::uint64_t value = 0;
    for (std::size_t i = 8; i-- > 0;) value = value << 8 | text[at + i];
    return value;
  };
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = {word(instruction_bytes * i), word(instruction_bytes * i + 8)};
  return all;
}

// Of loads or stores of global memory, of which `first` is of one byte.
AccessKind of_bytes(AccessKind first, unsigned bytes) {
  return static_cast<AccessKind>(static_cast<std::size_t>(first) +
                                 static_cast<std::size_t>(std::countr_zero(std::max(bytes, 1u))));
}

std::optional<AccessKind> kind_of(const Instruction& one) {
  const auto kind = kind_of(one.operation());
  const bool by_bytes = kind == AccessKind::global_load || kind == AccessKind::global_store;
  return by_bytes ? of_bytes(*kind, one.bytes_of_access()) : kind;
}

bool is_global_load(AccessKind kind) {
  return kind >= AccessKind::global_load && kind <= AccessKind::global_load_16;
}

bool is_exchange(AccessKind kind) {
  return kind == AccessKind::shuffle || kind == AccessKind::match || kind == AccessKind::redux;
}

// Those instructions of a basic block for which `counts` holds, in groups that are under way together until
// an instruction waits for one of them.
template <class Counts>
std::vector<std::vector<Instruction>> groups_in(const std::vector<Instruction>& code, std::size_t begin,
                                                std::size_t end, Counts counts) {
  std::vector<std::vector<Instruction>> groups;
  unsigned under_way = 0;  // their barriers
  for (std::size_t i = begin; i < end; ++i) {
    if (code[i].waits_for() & under_way) under_way = 0;
    const auto kind = kind_of(code[i]);
    if (!kind || !counts(*kind)) continue;
    if (under_way == 0) groups.emplace_back();
    groups.back().push_back(code[i]);
    under_way |= code[i].announces();
  }
  return groups;
}

// Of each read of a special register in a basic block whose result is waited for there: the cycles in
// between, as the code says.
std::vector<double> special_reads_in(const std::vector<Instruction>& code, std::size_t begin,
                                     std::size_t end) {
  std::vector<double> waits;
  std::vector<std::pair<unsigned, double>> open;  // barrier, and when it was read
  double time = 0;
  for (std::size_t i = begin; i < end; ++i) {
    double latest = -1;  // one wait for several is as long as that for the last one
    for (const auto& [barrier, since] : open) {
      if (code[i].waits_for() & barrier) latest = std::max(latest, since);
    }
    if (latest >= 0) waits.push_back(time - latest);
    std::erase_if(open, [&](const auto& one) { return (code[i].waits_for() & one.first) != 0; });
    if (code[i].operation() == s2r || code[i].operation() == s2ur)
      open.emplace_back(code[i].announces(), time);
    time += code[i].cycles();
  }
  return waits;
}

// Where a branch leads, counted from the instruction behind it in units of four bytes. Since sm_90 the lowest
// eight bits of this number stand apart, but for BSSY.
std::int64_t distance(const Instruction& branch, bool apart) {
  const std::uint64_t field = branch.low >> 34 | branch.high << 30;
  const auto whole = static_cast<std::int64_t>(field << 16) >> 16;
  return apart ? whole * 256 + static_cast<std::int64_t>(branch.low >> 16 & 255) : whole;
}

// The instruction that each branch leads to; empty where they are not written like this.
std::vector<std::size_t> targets_of(const std::vector<Instruction>& code, bool apart) {
  std::vector<std::size_t> targets(code.size());
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i].operation() != bra && code[i].operation() != bssy) continue;
    const std::int64_t away = distance(code[i], apart && code[i].operation() == bra);
    const std::int64_t to = static_cast<std::int64_t>(i) + 1 + away / 4;
    if (away % 4 != 0 || to < 0 || to >= static_cast<std::int64_t>(code.size())) return {};
    targets[i] = static_cast<std::size_t>(to);
  }
  return targets;
}

// Where the lanes meet again that part at this branch: BSSY, which stands before it, names what follows the
// BSYNC.
std::optional<std::size_t> meeting_place(const std::vector<Instruction>& code,
                                         const std::vector<std::size_t>& targets, std::size_t branch) {
  for (std::size_t i = branch; i-- > 0;) {
    if (code[i].operation() != bssy || targets[i] <= branch) continue;
    for (std::size_t at = targets[i]; at-- > branch;) {
      if (code[at].operation() == bsync) return at;
    }
  }
  return std::nullopt;
}

bool goes_on_elsewhere(const Instruction& last) {
  const unsigned operation = last.operation();
  return operation == brx ||
         ((operation == bra || operation == exit_ || operation == ret) && !last.is_conditional());
}

// Where the jump through a table at the end of that block leads: to what follows it, and to what follows each
// of these ways, as long as no branch leads there. `first`: the blocks' first instructions. `targeted`: to
// which branches lead.
std::vector<std::size_t> ways_of_jump(const std::vector<Instruction>& code,
                                      const std::vector<std::size_t>& first,
                                      const std::set<std::size_t>& targeted, std::size_t block) {
  std::vector<std::size_t> ways;
  for (std::size_t way = block + 1; way < first.size() && !targeted.contains(first[way]);) {
    ways.push_back(way);
    const auto last_of = [&](std::size_t b) {
      return code[(b + 1 < first.size() ? first[b + 1] : code.size()) - 1];
    };
    while (way < first.size() && !goes_on_elsewhere(last_of(way))) ++way;
    ++way;
  }
  return ways;
}

}  // namespace

Accesses accesses_of(const Stream& stream) {
  Accesses sum{};
  double warps = 0;
  const auto add = [&](AccessKind kind, double times = 1) { sum[static_cast<std::size_t>(kind)] += times; };
  for (const BlockSteps& block : stream.blocks) {
    for (const WarpSteps& warp : block.warps) {
      ++warps;
      for (const Step& step : warp) {
        switch (step.kind) {
          case StepKind::global_load:
            add(of_bytes(AccessKind::global_load, step.bytes));
            break;
          case StepKind::global_store:
            add(of_bytes(AccessKind::global_store, step.bytes));
            break;
          case StepKind::global_atomic:
          case StepKind::global_atomic_common:
          case StepKind::global_exchange:
            add(AccessKind::global_atomic);
            break;
          case StepKind::shared_load:
            add(AccessKind::shared_load);
            break;
          case StepKind::shared_store:
            add(AccessKind::shared_store);
            break;
          case StepKind::shared_increment:
          case StepKind::shared_atomic:
            add(AccessKind::shared_atomic);
            break;
          case StepKind::shared_cas_loop:
            add(AccessKind::shared_load, step.rounds);
            add(AccessKind::shared_atomic, step.rounds);
            break;
          case StepKind::block_barrier:
            add(AccessKind::barrier);
            break;
          case StepKind::shuffle:
            add(AccessKind::shuffle, step.cost);
            break;
          case StepKind::match:
            add(AccessKind::match);
            break;
          case StepKind::redux:
            add(AccessKind::redux);
            break;
          case StepKind::vote:
            add(AccessKind::vote);
            break;
          default:
            break;
        }
      }
    }
  }
  for (double& one : sum) one /= std::max(warps, 1.0);
  return sum;
}

MachineCode::MachineCode(const std::vector<unsigned char>& text) {
  const std::vector<Instruction> code = instructions_in(text);
  std::vector<std::size_t> targets = targets_of(code, false);
  if (targets.empty()) targets = targets_of(code, true);
  if (targets.empty()) throw std::invalid_argument("branches of an unknown kind");
  std::set<std::size_t> begins{0};
  for (std::size_t i = 0; i < code.size(); ++i) {
    const unsigned operation = code[i].operation();
    if (operation == bra) begins.insert(targets[i]);
    if (operation == bra || operation == brx || operation == exit_ || operation == ret) begins.insert(i + 1);
  }
  begins.erase(code.size());
  const std::vector<std::size_t> first(begins.begin(), begins.end());
  blocks_.resize(first.size());
  const auto block_at = [&](std::size_t at) {
    return static_cast<std::size_t>(std::ranges::upper_bound(first, at) - first.begin()) - 1;
  };
  std::vector<Edge> all;
  std::set<std::size_t> targeted;  // instructions
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i].operation() == bra) targeted.insert(targets[i]);
  }
  for (std::size_t b = 0; b < first.size(); ++b) {
    const std::size_t end = b + 1 < first.size() ? first[b + 1] : code.size();
    blocks_[b].instructions = static_cast<double>(end - first[b]);
    for (std::size_t i = first[b]; i < end; ++i) {
      blocks_[b].local_lines += local_lines_of(code[i]);
      blocks_[b].integer_instructions += is_integer(code[i].operation());
      blocks_[b].cycles += code[i].cycles();
      const unsigned operation = code[i].operation();
      blocks_[b].branches +=
          (operation == bra && !code[i].is_for_parted_lanes()) || operation == brx || operation == bsync;
      const auto kind = kind_of(code[i]);
      if (!kind) continue;
      if (kind == AccessKind::shared_load)
        widest_shared_load_ = std::max(widest_shared_load_, code[i].bytes_of_access());
      ++blocks_[b].accesses[static_cast<std::size_t>(*kind)];
      if (code[i].is_predicated()) is_predicated_[static_cast<std::size_t>(*kind)] = true;
      if (is_generic(operation)) is_generic_[static_cast<std::size_t>(*kind)] = true;
    }
    uses_local_memory_ = uses_local_memory_ || blocks_[b].local_lines > 0;
    blocks_[b].special_reads = special_reads_in(code, first[b], end);
    for (const auto& group : groups_in(code, first[b], end, is_global_load)) {
      for (const Instruction& one : group)
        blocks_[b].loads_at_a_time.push_back({one.bytes_of_access(), static_cast<unsigned>(group.size())});
    }
    for (const auto& group : groups_in(code, first[b], end, is_exchange))
      blocks_[b].exchanges_at_a_time.push_back(static_cast<unsigned>(group.size()));
    const Instruction& last = code[end - 1];
    const bool branches = last.operation() == bra && !last.is_for_parted_lanes(),
               ends = last.operation() == exit_ || last.operation() == ret;
    if (last.operation() == brx) {
      for (const std::size_t way : ways_of_jump(code, first, targeted, b)) all.push_back({b, way});
      continue;
    }
    if (branches) {
      const std::size_t to = targets[end - 1];
      all.push_back({b, block_at(to), to >= end && last.is_conditional() && code[to].operation() == bsync});
    }
    if (ends) all.push_back({b, first.size()});
    if (b + 1 < first.size() && (last.is_conditional() || !(branches || ends))) all.push_back({b, b + 1});
  }
  // What cannot be reached is filling behind the end, or functions that are called.
  std::set<std::size_t> reached{0};
  for (std::vector<std::size_t> left{0}; !left.empty();) {
    const std::size_t from = left.back();
    left.pop_back();
    for (const Edge& edge : all) {
      if (edge.from == from && edge.to < first.size() && reached.insert(edge.to).second)
        left.push_back(edge.to);
    }
  }
  std::ranges::copy_if(all, std::back_inserter(edges_),
                       [&](const Edge& edge) { return reached.contains(edge.from); });
  std::vector<Parting> may_part;
  std::vector<std::size_t> jumps;
  for (const std::size_t b : reached) {
    const std::size_t last = (b + 1 < first.size() ? first[b + 1] : code.size()) - 1;
    const bool jumps_by_table = code[last].operation() == brx;
    const bool branches =
        code[last].operation() == bra && !code[last].is_for_parted_lanes() && code[last].is_conditional();
    const auto meet =
        branches || jumps_by_table ? meeting_place(code, targets, last) : std::optional<std::size_t>();
    if (!meet) continue;
    may_part.push_back({b, block_at(*meet)});
    if (jumps_by_table) jumps.push_back(b);
  }
  add_switches(may_part, jumps);
}

// Branches that meet where the lanes of a jump do belong to its switch.
void MachineCode::add_switches(const std::vector<Parting>& all, const std::vector<std::size_t>& jumps) {
  std::set<std::size_t> ends;
  for (const Parting& one : all) {
    if (std::ranges::count(jumps, one.at) > 0) ends.insert(one.until);
  }
  for (const Parting& one : all) {
    Switch found{one.at, one.until, std::ranges::count(jumps, one.at) > 0, {}, {}};
    for (std::size_t e = 0; e < edges_.size() && ends.contains(one.until); ++e) {
      const auto [from, to, passes_by] = edges_[e];
      if (from != one.at) continue;
      const bool is_counted =
          to < blocks_.size() &&
          std::ranges::any_of(blocks_[to].accesses, [](double count) { return count > 0; });
      if (is_counted)
        found.counted.push_back(e);
      else if (to != one.until)
        found.taken.push_back(e);
    }
    if (found.taken.empty())
      partings_.push_back(one);
    else
      switches_.push_back(std::move(found));
  }
}

// A loop is a branch back; where no access stands between its target and itself, the stream does not say how
// often it turns. One that leads to itself is filling behind the end.
std::string unknown_cost(const std::vector<unsigned char>& text) {
  if (text.empty() || text.size() % instruction_bytes != 0) return {};
  const std::vector<Instruction> code = instructions_in(text);
  std::vector<std::size_t> targets = targets_of(code, false);
  if (targets.empty()) targets = targets_of(code, true);
  bool uncounted = false;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (code[i].operation() != bra || targets[i] >= i) continue;
    uncounted = uncounted || std::none_of(code.begin() + static_cast<std::ptrdiff_t>(targets[i]),
                                          code.begin() + static_cast<std::ptrdiff_t>(i),
                                          [](const Instruction& one) { return kind_of(one.operation()); });
  }
  if (!uncounted) return {};
  return "The kernel has a loop without an access to memory, and the model does not know how often it turns: "
         "the time may be far off.";
}

// Ranges of kinds, first and last, each of which has an equation. All of the loads, or stores, of global
// memory share one where the compiler has made other widths of them than the stream has. Those of shared
// memory belong to it too where the code has none but such of which the compiler does not know the memory.
std::vector<std::pair<std::size_t, std::size_t>> MachineCode::kinds_told_apart(
    const Accesses& accesses) const {
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  const auto in_code = [&](std::size_t kind) {
    return std::ranges::any_of(edges_, [&](const Edge& e) { return blocks_[e.from].accesses[kind] > 0; });
  };
  const auto each = [&](std::size_t first, std::size_t last) {
    for (std::size_t kind = first; kind <= last; ++kind) ranges.emplace_back(kind, kind);
  };
  using enum AccessKind;
  for (const auto& [in_shared, last_in_global] : {std::pair{shared_load, global_load_16},
                                                  {shared_store, global_store_16},
                                                  {shared_atomic, global_atomic}}) {
    const auto shared = static_cast<std::size_t>(in_shared), global = shared + 1,
               last = static_cast<std::size_t>(last_in_global);
    bool has_generic = false, widths_differ = false;
    for (std::size_t kind = global; kind <= last; ++kind) {
      has_generic |= is_generic_[kind];
      widths_differ |= accesses[kind] > 0 && !in_code(kind);
    }
    if (has_generic && accesses[shared] > 0 && !in_code(shared)) {
      ranges.emplace_back(shared, last);
      continue;
    }
    each(shared, shared);
    if (widths_differ) {
      ranges.emplace_back(global, last);
    } else {
      each(global, last);
    }
  }
  each(static_cast<std::size_t>(barrier), static_cast<std::size_t>(vote));
  return ranges;
}

std::optional<Executed> MachineCode::executed(const Accesses& accesses, const CodeCycles& cycles,
                                              bool parts) const {
  if (blocks_.size() > most_blocks) return std::nullopt;
  // The unknowns: how often each edge is taken, and how many accesses of each kind no lane makes, all in
  // units of the most frequent access, so that they are about 1.
  const double unit = std::max(1.0, *std::ranges::max_element(accesses));
  std::vector<std::vector<double>> rows;
  std::vector<double> right;
  const std::size_t of_accesses = edges_.size(), of_partings = of_accesses + accesses.size(),
                    unknowns = of_partings + partings_.size();
  std::vector<const Switch*> switch_at(blocks_.size(), nullptr);
  const auto ways = [&](std::size_t block) {
    return switch_at[block] ? static_cast<double>(switch_at[block]->taken.size()) : 1.0;
  };
  for (const Switch& one : switches_) {
    if (parts) switch_at[one.at] = &one;
  }
  // How often a block is executed, `times`: it is entered so often, the first one from outside too, but lanes
  // that meet there go on together.
  const std::function<void(std::vector<double>&, double&, std::size_t, double)> add_executions =
      [&](std::vector<double>& row, double& constant, std::size_t block, double times) {
        for (std::size_t e = 0; e < edges_.size(); ++e) row[e] += edges_[e].to == block ? times : 0;
        if (block == 0) constant -= times / unit;
        for (const Switch& one : switches_) {
          if (one.until != block || !parts) continue;
          add_executions(row, constant, one.at, times * (1 - ways(one.at)));
          for (const std::size_t e : one.counted) row[e] -= times;
        }
      };
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (switch_at[b]) {
      for (std::size_t e = 0; e < edges_.size(); ++e) {
        if (edges_[e].from != b || std::ranges::count(switch_at[b]->counted, e) > 0) continue;
        rows.emplace_back(unknowns, 0);
        right.push_back(0);
        rows.back()[e] = -1;
        if (edges_[e].to != switch_at[b]->until) add_executions(rows.back(), right.back(), b, 1);
      }
      continue;
    }
    std::vector<double> row(unknowns, 0);
    double constant = 0;
    for (std::size_t e = 0; e < edges_.size(); ++e) row[e] -= edges_[e].from == b ? 1.0 : 0.0;
    add_executions(row, constant, b, 1);
    if (std::ranges::count(row, 0.0) == std::ssize(row)) continue;
    for (std::size_t p = 0; p < partings_.size(); ++p)
      row[of_partings + p] = (partings_[p].at == b ? 1.0 : 0.0) - (partings_[p].until == b ? 1.0 : 0.0);
    rows.push_back(std::move(row));
    right.push_back(constant);
  }
  // Of a switch whose lanes go all ways the others say how often it is executed.
  const auto is_counted_way = [&](std::size_t e) {
    const Switch* const at = switch_at[edges_[e].from];
    return at && std::ranges::count(at->counted, e) > 0;
  };
  for (const auto& [first, last] : kinds_told_apart(accesses)) {
    std::vector<double> row(unknowns, 0);
    double in_code = 0, seen = 0;
    for (std::size_t kind = first; kind <= last; ++kind) {
      for (std::size_t e = 0; e < edges_.size(); ++e) {
        const std::size_t from = edges_[e].from;
        if (!is_counted_way(e)) row[e] += blocks_[from].accesses[kind] / ways(from);
        in_code += blocks_[from].accesses[kind];
      }
      for (std::size_t p = 0; p < partings_.size(); ++p)
        row[of_partings + p] -= blocks_[partings_[p].at].accesses[kind];
      seen += accesses[kind];
      // A warp of which no lane fulfils the predicate issues the instruction, and accesses nothing.
      if (is_predicated_[kind]) row[of_accesses + kind] = -1;
    }
    // An operation of a warp may have become another: CUDA's libraries choose by the GPU. And the compiler
    // has votes of its own.
    const bool is_vote = first == static_cast<std::size_t>(AccessKind::vote);
    if (in_code == 0 && seen > 0 && !is_vote && !is_exchange(static_cast<AccessKind>(first)))
      return std::nullopt;
    if (in_code == 0 || (is_vote && seen == 0)) continue;
    rows.push_back(std::move(row));
    right.push_back(seen / unit);
  }
  if (rows.empty()) return std::nullopt;
  constexpr double of_passing_by = 32;  // one lane for each that has to pass by
  std::vector<double> weights(unknowns, 1);
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    if (edges_[e].passes_by) weights[e] = of_passing_by;
  }
  // That lanes part is assumed only where the accesses cannot be explained without it.
  constexpr double of_parting = 1000;
  for (std::size_t p = 0; p < partings_.size(); ++p) weights[of_partings + p] = of_parting;
  const std::vector<double> taken = least_squares(rows, right, weights);
  std::vector<double> times(blocks_.size(), 0);
  for (std::size_t e = 0; e < edges_.size(); ++e)
    times[edges_[e].from] += is_counted_way(e) ? 0 : unit * taken[e] / ways(edges_[e].from);
  for (std::size_t p = 0; p < partings_.size(); ++p)
    times[partings_[p].at] = std::max(0.0, times[partings_[p].at] - unit * taken[of_partings + p]);
  Executed result;
  std::set<std::size_t> ends;
  for (const Switch& one : switches_) ends.insert(one.until);
  for (const std::size_t end : ends) {
    double arrivals = 0;
    for (std::size_t e = 0; e < edges_.size(); ++e) arrivals += edges_[e].to == end ? unit * taken[e] : 0;
    result.partings += arrivals - times[end];
    result.instructions += arrivals - times[end];  // each arrives at the instruction at which they meet
  }
  for (const Switch& one : switches_) {
    if (!one.is_jump) continue;
    result.jumps += times[one.at];
    result.jump_ways +=
        times[one.at] * (parts ? static_cast<double>(one.taken.size() + one.counted.size()) : 1);
  }
  std::set<LoadGroup> loads;
  double exchanges = 0, groups = 0;
  constexpr double once = 0.99;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    result.instructions += times[b] * blocks_[b].instructions;
    result.integer_instructions += times[b] * blocks_[b].integer_instructions;
    double of_block = blocks_[b].cycles + blocks_[b].branches * cycles.branch;
    for (const double covered : blocks_[b].special_reads)
      of_block += std::max(0.0, cycles.special_register - covered);
    result.cycles += times[b] * of_block;
    result.local_lines += times[b] * blocks_[b].local_lines;
    if (times[b] >= once) loads.insert(blocks_[b].loads_at_a_time.begin(), blocks_[b].loads_at_a_time.end());
    for (const unsigned group : blocks_[b].exchanges_at_a_time)
      exchanges += times[b] * group, groups += times[b];
  }
  result.loads_at_a_time.assign(loads.begin(), loads.end());
  if (groups > 0) result.exchanges_at_a_time = exchanges / groups;
  return result;
}

}  // namespace model
