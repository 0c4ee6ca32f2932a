// SPDX-License-Identifier: MIT
// Basic blocks, the ways between them, and where the lanes of a warp part and meet.
#include "model/machine_code.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <stdexcept>

#include "model/counted_loops.hpp"
#include "model/machine_instructions.hpp"

namespace model {

namespace {

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
std::vector<double> covered_reads_in(const std::vector<Instruction>& code, std::size_t begin,
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
    if (code[i].reads_special_register()) open.emplace_back(code[i].announces(), time);
    time += code[i].cycles();
  }
  return waits;
}

// Where the lanes meet again that part at this branch: BSSY, which stands before it, names what follows the
// BSYNC.
std::optional<std::size_t> meeting_place(const std::vector<Instruction>& code,
                                         const std::vector<std::size_t>& targets, std::size_t branch) {
  for (std::size_t i = branch; i-- > 0;) {
    if (code[i].operation() != opcode::bssy || targets[i] <= branch) continue;
    for (std::size_t at = targets[i]; at-- > branch;) {
      if (code[at].operation() == opcode::bsync) return at;
    }
  }
  return std::nullopt;
}

// Whether the access at `at`, in the block that begins at `first`, is that of one lane for all that are
// there: the first of them, whose number is looked for in their mask. There always is one.
bool is_of_elected_lane(const std::vector<Instruction>& code, std::size_t first, std::size_t at) {
  return std::any_of(code.begin() + static_cast<std::ptrdiff_t>(first),
                     code.begin() + static_cast<std::ptrdiff_t>(at),
                     [](const Instruction& one) { return one.operation() == opcode::uflo; });
}

bool goes_on_elsewhere(const Instruction& last) {
  const unsigned operation = last.operation();
  return operation == opcode::brx ||
         ((operation == opcode::bra || operation == opcode::exit || operation == opcode::ret) &&
          !last.is_conditional());
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

MachineCode::MachineCode(const std::vector<unsigned char>& text) {
  const std::vector<Instruction> code = instructions_in(text);
  const std::vector<std::size_t> targets = targets_of(code);
  if (targets.empty()) throw std::invalid_argument("branches of an unknown kind");
  std::set<std::size_t> begins{0};
  for (std::size_t i = 0; i < code.size(); ++i) {
    const unsigned operation = code[i].operation();
    if (operation == opcode::bra) begins.insert(targets[i]);
    if (operation == opcode::bra || operation == opcode::brx || operation == opcode::exit ||
        operation == opcode::ret)
      begins.insert(i + 1);
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
    if (code[i].operation() == opcode::bra) targeted.insert(targets[i]);
  }
  for (std::size_t b = 0; b < first.size(); ++b) {
    const std::size_t end = b + 1 < first.size() ? first[b + 1] : code.size();
    blocks_[b].instructions = static_cast<double>(end - first[b]);
    for (std::size_t i = first[b]; i < end; ++i) {
      blocks_[b].local_lines += local_lines_of(code[i]);
      blocks_[b].integer_instructions += is_integer(code[i]);
      blocks_[b].special_reads += code[i].reads_special_register();
      blocks_[b].cycles += code[i].cycles();
      const unsigned operation = code[i].operation();
      blocks_[b].branches += (operation == opcode::bra && !code[i].is_for_parted_lanes()) ||
                             operation == opcode::brx || operation == opcode::bsync;
      const auto kind = kind_of(code[i]);
      if (!kind) continue;
      if (kind == AccessKind::shared_load)
        widest_shared_load_ = std::max(widest_shared_load_, code[i].bytes_of_access());
      ++blocks_[b].accesses[static_cast<std::size_t>(*kind)];
      if (code[i].is_predicated() && !is_of_elected_lane(code, first[b], i))
        is_predicated_[static_cast<std::size_t>(*kind)] = true;
      if (code[i].is_predicated() && is_global_load(*kind)) blocks_[b].guards_loads = true;
      if (is_generic(code[i])) is_generic_[static_cast<std::size_t>(*kind)] = true;
    }
    uses_local_memory_ = uses_local_memory_ || blocks_[b].local_lines > 0;
    blocks_[b].covered_reads = covered_reads_in(code, first[b], end);
    for (const auto& group : groups_in(code, first[b], end, is_global_load)) {
      for (const Instruction& one : group)
        blocks_[b].loads_at_a_time.push_back({one.bytes_of_access(), static_cast<unsigned>(group.size())});
    }
    for (std::size_t i = first[b]; i < end; ++i) {
      const auto kind = kind_of(code[i]);
      if (kind && is_global_load(*kind)) blocks_[b].uses_of_loads.push_back(use_of_load(code, targets, i));
      if (kind == AccessKind::shared_load)
        blocks_[b].accesses_behind_shared_loads.push_back(accesses_until_use(code, targets, i));
    }
    for (const auto& group : groups_in(code, first[b], end, is_exchange))
      blocks_[b].exchanges_at_a_time.push_back(static_cast<unsigned>(group.size()));
    const Instruction& last = code[end - 1];
    const bool branches = last.operation() == opcode::bra && !last.is_for_parted_lanes(),
               ends = last.operation() == opcode::exit || last.operation() == opcode::ret;
    if (last.operation() == opcode::brx) {
      for (const std::size_t way : ways_of_jump(code, first, targeted, b)) all.push_back({b, way});
      continue;
    }
    if (branches) {
      const std::size_t to = targets[end - 1];
      all.push_back(
          {b, block_at(to), to >= end && last.is_conditional() && code[to].operation() == opcode::bsync});
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
    if (code[last].operation() == opcode::bra && targets[last] == first[b]) {
      if (const auto turns = turns_of_loop(code, first[b], last)) loops_.push_back({b, *turns});
    }
    const bool jumps_by_table = code[last].operation() == opcode::brx;
    const bool branches = code[last].operation() == opcode::bra && !code[last].is_for_parted_lanes() &&
                          code[last].is_conditional();
    const auto meet =
        branches || jumps_by_table ? meeting_place(code, targets, last) : std::optional<std::size_t>();
    if (!meet) continue;
    const std::size_t until = block_at(*meet);
    const bool passes_by =
        std::ranges::any_of(edges_, [&](const Edge& e) { return e.from == b && e.to == until; });
    may_part.push_back({b, until, branches && !passes_by, false});
    if (may_part.back().has_two_ways) may_part.back().accesses_on_both = accesses_on_both(may_part.back());
    if (jumps_by_table) jumps.push_back(b);
  }
  add_switches(may_part, jumps);
}

// Whether lanes that part there and go both ways access memory on each of them, before they meet or come to
// where the other way leads too.
bool MachineCode::accesses_on_both(const Parting& parting) const {
  std::vector<std::set<std::size_t>> ways;
  for (const Edge& first : edges_) {
    if (first.from != parting.at) continue;
    std::set<std::size_t>& way = ways.emplace_back();
    std::vector<std::size_t> left{first.to};
    while (!left.empty()) {
      const std::size_t block = left.back();
      left.pop_back();
      if (block >= blocks_.size() || block == parting.until || block == parting.at ||
          !way.insert(block).second)
        continue;
      for (const Edge& next : edges_) {
        if (next.from == block) left.push_back(next.to);
      }
    }
  }
  const auto accesses = [&](std::size_t block) {
    const bool is_of_one =
        std::ranges::count_if(ways, [&](const auto& way) { return way.contains(block); }) == 1;
    const Accesses& all = blocks_[block].accesses;
    return is_of_one &&
           std::any_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(AccessKind::barrier),
                       [](double count) { return count > 0; });
  };
  return std::ranges::all_of(ways, [&](const auto& way) { return std::ranges::any_of(way, accesses); });
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

}  // namespace model
