// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "facts/words.hpp"
#include "problems/known_rules.hpp"
#include "problems/reduction/reduction_reference.hpp"

namespace reduction {

namespace {

using problems::Case;
using problems::Rule;
using problems::TechniqueFault;

// Where a launch does not grow with the input the rules need more elements, but not beyond what takes
// seconds.
constexpr std::uint64_t longest_technique_length = (1 << 23) + 3;

constexpr std::uint64_t sector_bytes = 32, element_bytes = 4, lanes = 32;

using Fault = std::optional<std::string>;

// No thread does more than two of so many parts of the work. A loop of one thread does all of it.
Fault by_many_threads(const Conduct& conduct, std::uint64_t fewest_threads) {
  constexpr std::uint64_t parts_for_all = 16;
  const std::uint64_t elements = conduct.of("most_input_bytes") / element_bytes,
                      writes = conduct.of("most_writes");
  if (elements > 2 * conduct.length / fewest_threads) {
    return fmt::format(
        "one thread reads {} of {} elements; this lab asks for at least {} threads that share the work",
        facts::separated(elements), facts::separated(conduct.length), facts::separated(fewest_threads));
  }
  if (writes > conduct.length / parts_for_all) {
    return fmt::format(
        "one thread writes {} times for {} elements; this lab asks for at least {} threads that share the "
        "work",
        facts::separated(writes), facts::separated(conduct.length), facts::separated(fewest_threads));
  }
  return std::nullopt;
}

// Pairs are combined in a number of steps that grows with the logarithm of the block's size: no thread goes
// through all of the block's values, and no atomic has them wait for each other. Atomics that draw numbers or
// count threads combine no values.
Fault by_a_tree(const Conduct& conduct, std::uint64_t) {
  const std::uint64_t atomics = conduct.of("combining_atomics");
  if (atomics > 0)
    return fmt::format(
        "values are combined by {} atomics, one after another; this lab combines them in a tree",
        facts::separated(atomics));
  // Both values of a pair, and as much again for another way to write it; what a thread collects in shared
  // memory while it reads its elements is not of the tree.
  const auto steps = static_cast<std::uint64_t>(std::bit_width(2 * conduct.launch.block));
  const std::uint64_t collected = 2 * conduct.of("most_input_bytes") / element_bytes,
                      allowed = 4 * (steps + 1) + collected, reads = conduct.of("most_shared_reads");
  if (reads > allowed) {
    return fmt::format(
        "one thread reads shared memory {} times; in a tree over a block of {} threads {} times are enough",
        facts::separated(reads), facts::separated(conduct.launch.block), facts::separated(allowed));
  }
  return std::nullopt;
}

Fault one_value_a_block(const Conduct& conduct, std::uint64_t) {
  const std::uint64_t writes = conduct.of("partial_writes"), elsewhere = conduct.of("elsewhere_writes");
  if (writes > conduct.launch.grid) {
    return fmt::format("`partials` is written {} times by {} blocks; each has one value to write",
                       facts::separated(writes), facts::separated(conduct.launch.grid));
  }
  if (elsewhere > 0)
    return fmt::format("there are {} writes to global memory besides `partials`",
                       facts::separated(elsewhere));
  return std::nullopt;
}

Fault in_shared_memory(const Conduct& conduct, std::uint64_t) {
  if (conduct.of("shared_writes") > 0) return std::nullopt;
  return "no value of a block is combined in shared memory";
}

Fault coalesced(const Conduct& conduct, std::uint64_t) {
  const std::uint64_t sectors = conduct.of("input_sectors"), requests = conduct.of("input_requests"),
                      bytes = conduct.of("input_bytes"), allowed = bytes / sector_bytes + requests;
  if (sectors <= allowed) return std::nullopt;
  return fmt::format(
      "the lanes of a warp read elements that do not lie side by side: {} loads of warps for {} bytes of "
      "data touch {} "
      "sectors of 32 bytes; this lab allows {}",
      facts::separated(requests), facts::separated(bytes), facts::separated(sectors),
      facts::separated(allowed));
}

// Where every second, fourth, ... thread combines, most warps have a lane that does, up to the last steps.
// Where those that combine are neighbours, as many warps take part as these lanes fill. In blocks of two
// warps the one takes 1.6 times as many as the other, in larger blocks more.
Fault converged(const Conduct& conduct, std::uint64_t) {
  const std::uint64_t requests = conduct.of("shared_requests"), fewest = conduct.of("fewest_shared_requests");
  if (2 * requests <= 3 * fewest) return std::nullopt;
  return fmt::format(
      "the lanes that combine lie apart: warps read shared memory {} times for {} values; {} times would do "
      "if the threads that combine were neighbours",
      facts::separated(requests), facts::separated(conduct.of("shared_reads")), facts::separated(fewest));
}

Fault coarsened(const Conduct& conduct, std::uint64_t elements_per_thread) {
  // The last block may be there for a few elements.
  const std::uint64_t allowed = conduct.length / elements_per_thread + conduct.launch.block;
  if (conduct.threads() <= allowed) return std::nullopt;
  return fmt::format("{} threads are launched for {} elements; this lab allows {}",
                     facts::separated(conduct.threads()), facts::separated(conduct.length),
                     facts::separated(allowed));
}

// One value for each warp goes through shared memory, and one more for another way to write it. The first
// warp of a block may clear a value for each of its lanes before that, and reads as many.
Fault by_shuffles(const Conduct& conduct, std::uint64_t) {
  const std::uint64_t warps = conduct.launch.grid * ((conduct.launch.block + lanes - 1) / lanes);
  const std::uint64_t writes = conduct.of("shared_writes"), reads = conduct.of("shared_reads"),
                      allowed = 2 * warps + lanes * conduct.launch.grid;
  if (writes <= allowed && reads <= allowed) return std::nullopt;
  return fmt::format(
      "the lanes of a warp exchange values through shared memory: {} values are written there and {} read; "
      "this lab allows {} of each for {} warps",
      facts::separated(writes), facts::separated(reads), facts::separated(allowed), facts::separated(warps));
}

constexpr const char* judged_on = "uniform";

constexpr problems::KnownRule<Conduct> rules_by_name[] = {
    {"many_threads", judged_on, by_many_threads, 256, false},
    {"tree", judged_on, by_a_tree, 0, false},
    {"partials", judged_on, one_value_a_block, 0, false},
    {"shared_memory", judged_on, in_shared_memory, 0, false},
    {"coalesced", judged_on, coalesced, 0, false},
    {"converged", judged_on, converged, 0, false},
    {"coarsening", judged_on, coarsened, 2, true},
    {"shuffles", judged_on, by_shuffles, 0, false},
};
constexpr problems::KnownRules<Conduct> known_rules{rules_by_name};

}  // namespace

std::vector<std::string_view> technique_rules() { return known_rules.names(); }

std::optional<std::string> rule_fault(const Rule& rule, const Conduct& conduct) {
  const Fault fault = known_rules.fault(rule, conduct);
  return fault ? std::optional("the result is right, but " + *fault) : std::nullopt;
}

std::optional<TechniqueFault> technique_fault(const std::vector<Rule>& rules, std::uint64_t length,
                                              const problems::RunCase& run) {
  if (rules.empty()) return std::nullopt;
  Case what{.variant = Sum::name, .input = judged_on, .length = length};
  const std::optional<problems::Launch> launch = known_rules.run(what, rules, longest_technique_length, run);
  if (!launch) return std::nullopt;
  for (const Rule& rule : rules) {
    if (auto fault = rule_fault(rule, {*launch, what.length})) return TechniqueFault{what, std::move(*fault)};
  }
  return std::nullopt;
}

}  // namespace reduction
