// SPDX-License-Identifier: MIT
// How often a warp executes each basic block, as the least squares of its accesses and of the ways between
// blocks.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "model/least_squares.hpp"
#include "model/machine_code.hpp"

namespace model {

namespace {

// Of more blocks it would take seconds to find how often each is executed.
constexpr std::size_t most_blocks = 500;

// What an access of that kind counts in the equation of a range of kinds: its part of the widest access,
// where these are the widths of one kind of access.
double weight_of(std::size_t kind, std::size_t first, std::size_t last) {
  using enum AccessKind;
  for (const auto& [one, sixteen] :
       {std::pair{global_load, global_load_16}, {global_store, global_store_16}}) {
    if (first == static_cast<std::size_t>(one) && last == static_cast<std::size_t>(sixteen))
      return std::exp2(static_cast<double>(kind) - static_cast<double>(last));
  }
  return 1;
}

}  // namespace

// Ranges of kinds, first and last, each of which has an equation. All of the loads, or stores, of global
// memory share one where the compiler has made other widths of them than the stream has: of their bytes, for
// it has made one wide access of several, or several of a wide one. Those of shared
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

double MachineCode::accesses_behind_shared_load(const std::vector<double>& times) const {
  constexpr double counts = 0.1;
  double all = 0;
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    all += times[b] * static_cast<double>(blocks_[b].accesses_behind_shared_loads.size());
  std::optional<double> least;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const std::vector<unsigned>& accesses = blocks_[b].accesses_behind_shared_loads;
    const auto loads = static_cast<double>(accesses.size());
    if (loads == 0 || times[b] * loads < counts * all) continue;
    const double mean = std::accumulate(accesses.begin(), accesses.end(), 0.0) / loads;
    least = std::min(least.value_or(mean), mean);
  }
  return least.value_or(0);
}

// Whether it leads to loads behind the question whether their elements are there, and the other way from the
// same branch to loads without it, which are for most of them.
bool MachineCode::has_way_without_guards(const Edge& edge) const {
  const auto loads = [&](std::size_t block) {
    for (std::size_t kind = 0; kind < blocks_[block].accesses.size(); ++kind) {
      if (is_global_load(static_cast<AccessKind>(kind)) && blocks_[block].accesses[kind] > 0) return true;
    }
    return false;
  };
  if (edge.to >= blocks_.size() || !blocks_[edge.to].guards_loads) return false;
  return std::ranges::any_of(edges_, [&](const Edge& other) {
    return other.from == edge.from && other.to < blocks_.size() && loads(other.to) &&
           !blocks_[other.to].guards_loads;
  });
}

std::optional<Executed> MachineCode::executed(const Accesses& accesses, const CodeCycles& cycles,
                                              const SeenWays& seen_ways) const {
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
    if (seen_ways.part) switch_at[one.at] = &one;
  }
  // How often a block is executed, `times`: it is entered so often, the first one from outside too, but lanes
  // that meet there go on together.
  const std::function<void(std::vector<double>&, double&, std::size_t, double)> add_executions =
      [&](std::vector<double>& row, double& constant, std::size_t block, double times) {
        for (std::size_t e = 0; e < edges_.size(); ++e) row[e] += edges_[e].to == block ? times : 0;
        if (block == 0) constant -= times / unit;
        for (const Switch& one : switches_) {
          if (one.until != block || !seen_ways.part) continue;
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
  // Each time that a warp comes to such a loop it goes back so often.
  for (const Loop& loop : loops_) {
    rows.emplace_back(unknowns, 0);
    right.push_back(loop.block == 0 ? (loop.turns - 1) / unit : 0);
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      if (edges_[e].to != loop.block) continue;
      rows.back()[e] = edges_[e].from == loop.block ? 1 : 1 - loop.turns;
    }
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
      const double weight = weight_of(kind, first, last);
      for (std::size_t e = 0; e < edges_.size(); ++e) {
        const std::size_t from = edges_[e].from;
        if (!is_counted_way(e)) row[e] += weight * blocks_[from].accesses[kind] / ways(from);
        in_code += blocks_[from].accesses[kind];
      }
      for (std::size_t p = 0; p < partings_.size(); ++p)
        row[of_partings + p] -= weight * blocks_[partings_[p].at].accesses[kind];
      seen += weight * accesses[kind];
      // A warp of which no lane fulfils the predicate issues the instruction, and accesses nothing.
      if (is_predicated_[kind]) row[of_accesses + kind] = -weight;
    }
    // An operation of a warp may have become another: CUDA's libraries choose by the GPU. And the compiler
    // has some of its own: with a match, a redux and a vote it finds out whether the lanes of a mask are
    // together.
    const auto kind = static_cast<AccessKind>(first);
    const bool is_exchanged = is_exchange(kind) || kind == AccessKind::vote;
    if (in_code == 0 && seen > 0 && !is_exchanged) return std::nullopt;
    if (in_code == 0 || (seen == 0 && is_exchanged && kind != AccessKind::shuffle)) continue;
    rows.push_back(std::move(row));
    right.push_back(seen / unit);
  }
  if (rows.empty()) return std::nullopt;
  constexpr double of_passing_by = 32;  // one lane for each that has to pass by
  constexpr double of_guarded = 32;
  std::vector<double> weights(unknowns, 1);
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    if (edges_[e].passes_by) weights[e] = of_passing_by;
    if (has_way_without_guards(edges_[e])) weights[e] = of_guarded;
  }
  // That lanes part is assumed only where the accesses cannot be explained without it.
  constexpr double of_parting = 1000;
  for (std::size_t p = 0; p < partings_.size(); ++p) weights[of_partings + p] = of_parting;
  std::vector<double> taken = least_squares(rows, right, weights);
  // The simulator has seen how often it happens; more often than a warp comes to such branches it cannot.
  bool is_seen = false;
  for (const bool with_accesses : {false, true}) {
    std::vector<double> both(unknowns, 0);
    double most = 0;
    for (std::size_t p = 0; p < partings_.size(); ++p) {
      if (!partings_[p].has_two_ways || partings_[p].accesses_on_both != with_accesses) continue;
      both[of_partings + p] = 1;
      most += partings_[p].at == 0 ? 1 / unit : 0;
      for (std::size_t e = 0; e < edges_.size(); ++e) most += edges_[e].to == partings_[p].at ? taken[e] : 0;
    }
    const double seen =
        with_accesses ? seen_ways.both_with_accesses : seen_ways.both - seen_ways.both_with_accesses;
    const double times = std::min(most, seen / unit);
    if (times <= 0) continue;
    for (std::size_t p = 0; p < partings_.size(); ++p) {
      if (both[of_partings + p] > 0) weights[of_partings + p] = 1;
    }
    rows.push_back(std::move(both));
    right.push_back(times);
    is_seen = true;
  }
  if (is_seen) taken = least_squares(rows, right, weights);
  std::vector<double> times(blocks_.size(), 0);
  for (std::size_t e = 0; e < edges_.size(); ++e)
    times[edges_[e].from] += is_counted_way(e) ? 0 : unit * taken[e] / ways(edges_[e].from);
  for (std::size_t p = 0; p < partings_.size(); ++p)
    times[partings_[p].at] = std::max(0.0, times[partings_[p].at] - unit * taken[of_partings + p]);
  Executed result;
  for (std::size_t kind = 0; kind < accesses.size(); ++kind)
    result.unmade_accesses += std::max(0.0, unit * taken[of_accesses + kind]);
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
        times[one.at] * (seen_ways.part ? static_cast<double>(one.taken.size() + one.counted.size()) : 1);
  }
  std::set<LoadGroup> loads;
  struct OfBlock {
    double loads = 0;  // that are executed
    std::vector<LoadUse> uses;
  };
  std::map<unsigned, OfBlock> of_width;  // the one with most
  double exchanges = 0, groups = 0;
  constexpr double once = 0.99;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    result.instructions += times[b] * blocks_[b].instructions;
    result.integer_instructions += times[b] * blocks_[b].integer_instructions;
    result.special_reads += times[b] * blocks_[b].special_reads;
    double of_block = blocks_[b].cycles + blocks_[b].branches * cycles.branch;
    for (const double covered : blocks_[b].covered_reads)
      of_block += std::max(0.0, cycles.special_register - covered);
    result.cycles += times[b] * of_block;
    result.local_lines += times[b] * blocks_[b].local_lines;
    if (times[b] >= once) loads.insert(blocks_[b].loads_at_a_time.begin(), blocks_[b].loads_at_a_time.end());
    std::map<unsigned, OfBlock> of_block_by_width;
    for (const LoadUse& use : blocks_[b].uses_of_loads) of_block_by_width[use.bytes].uses.push_back(use);
    for (auto& [bytes, one] : of_block_by_width) {
      one.loads = times[b] * static_cast<double>(one.uses.size());
      if (times[b] >= once && one.loads > of_width[bytes].loads) of_width[bytes] = std::move(one);
    }
    for (const unsigned group : blocks_[b].exchanges_at_a_time)
      exchanges += times[b] * group, groups += times[b];
  }
  result.loads_at_a_time.assign(loads.begin(), loads.end());
  for (const auto& [bytes, one] : of_width)
    result.uses_of_loads.insert(result.uses_of_loads.end(), one.uses.begin(), one.uses.end());
  result.accesses_behind_shared_load = accesses_behind_shared_load(times);
  if (groups > 0) result.exchanges_at_a_time = exchanges / groups;
  return result;
}

}  // namespace model
