// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>

#include "facts/words.hpp"
#include "problems/histogram/histogram_reference.hpp"
#include "problems/known_rules.hpp"

namespace histogram {

namespace {

using problems::Case;
using problems::Rule;
using problems::TechniqueFault;

// Where a launch does not grow with the input the rules need more bytes, but not beyond what takes seconds.
constexpr std::uint64_t longest_technique_length = (1 << 23) + 3;

constexpr std::uint64_t sector_bytes = 32;

using Fault = std::optional<std::string>;

Fault by_global_atomics(const Conduct& conduct, std::uint64_t fewest_threads) {
  const std::uint64_t threads = conduct.of("atomic_threads"), atomics = conduct.of("result_atomics");
  if (threads == 0) return "no thread counts by an atomic on `histo`";
  if (threads < fewest_threads) {
    return fmt::format("only {} by atomics on `histo`; this lab asks for at least {}",
                       threads == 1 ? "1 thread counts" : facts::counted(threads, "threads") + " count",
                       facts::separated(fewest_threads));
  }
  if (conduct.of("shared_atomics") > atomics) {
    return fmt::format(
        "the counting happens in shared memory, with {} atomics there and {} on `histo`; this lab counts on "
        "`histo`",
        facts::separated(conduct.of("shared_atomics")), facts::separated(atomics));
  }
  return std::nullopt;
}

// No thread does more than two of so many parts of the work. A loop of one thread does all of it, whatever
// the others read meanwhile; a single thread may do for all what is done once, such as the sum of the copies.
Fault by_many_threads(const Conduct& conduct, std::uint64_t fewest_threads) {
  constexpr std::uint64_t parts_for_all = 16;
  const std::uint64_t bytes = conduct.of("most_input_bytes"), writes = conduct.of("most_writes");
  if (bytes > 2 * conduct.length / fewest_threads) {
    return fmt::format(
        "one thread reads {} of {} bytes; this lab asks for at least {} threads that share the work",
        facts::separated(bytes), facts::separated(conduct.length), facts::separated(fewest_threads));
  }
  if (writes > conduct.length / parts_for_all) {
    return fmt::format(
        "one thread writes {} times for {} bytes; this lab asks for at least {} threads that share the work",
        facts::separated(writes), facts::separated(conduct.length), facts::separated(fewest_threads));
  }
  return std::nullopt;
}

Fault on_private_copies(const Conduct& conduct, std::uint64_t) {
  const std::uint64_t others = conduct.of("result_writes_of_other_blocks");
  if (others > conduct.commits()) {
    return fmt::format("blocks other than block 0 still change block 0's copy {} times; this lab allows {}",
                       facts::separated(others), facts::separated(conduct.commits()));
  }
  const std::uint64_t copies = conduct.of("elsewhere_writes");
  if (copies == 0) return "no block counts on a copy of its own in global memory";
  if (conduct.of("shared_atomics") > copies) {
    return fmt::format(
        "the counting happens in shared memory, with {} atomics there and {} writes to private copies in "
        "global memory",
        facts::separated(conduct.of("shared_atomics")), facts::separated(copies));
  }
  return std::nullopt;
}

Fault in_shared_memory(const Conduct& conduct, std::uint64_t) {
  // Small counters are committed before they are full: those of 16 bits twice for the bytes that fill one.
  constexpr std::uint64_t bytes_of_commit = 1 << 15;
  const std::uint64_t allowed = conduct.commits() + conduct.length / bytes_of_commit * conduct.bins;
  const std::uint64_t atomics = conduct.of("global_atomics");
  const std::uint64_t writes = conduct.of("result_writes"), of_result = conduct.of("result_atomics");
  // Blocks may also draw pieces of the input from a counter, and count which of them is the last. Commits
  // that are no atomics may stand under a lock, which is taken and given back; of these no more than are
  // allowed.
  constexpr std::uint64_t bytes_of_piece = 256, of_block = 2, of_lock = 2;
  const std::uint64_t elsewhere = atomics - std::min(atomics, of_result);
  const std::uint64_t locked = std::min(writes - std::min(writes, of_result), allowed);
  const std::uint64_t drawn = std::min(
      elsewhere, conduct.length / bytes_of_piece + of_block * conduct.launch.grid + of_lock * locked);
  if (atomics - drawn > allowed) {
    return fmt::format("{}: {} of them; this lab allows {}",
                       atomics >= conduct.length ? "every byte still costs a global atomic"
                                                 : "there are more global atomics than commits need",
                       facts::separated(atomics), facts::separated(allowed));
  }
  if (writes > allowed)
    return fmt::format("`histo` is written {} times; this lab allows {}", facts::separated(writes),
                       facts::separated(allowed));
  if (conduct.of("shared_writes") == 0) return "nothing is counted in shared memory";
  return std::nullopt;
}

Fault coarsened(const Conduct& conduct, std::uint64_t bytes_per_thread) {
  // The last block may be there for a few bytes.
  const std::uint64_t allowed = conduct.length / bytes_per_thread + conduct.launch.block;
  if (conduct.threads() <= allowed) return std::nullopt;
  return fmt::format("{} threads are launched for {} bytes; this lab allows {}",
                     facts::separated(conduct.threads()), facts::separated(conduct.length),
                     facts::separated(allowed));
}

Fault contiguous(const Conduct& conduct, std::uint64_t) {
  const std::uint64_t bytes = conduct.of("input_bytes"), near = conduct.of("input_near_bytes");
  // In pieces of two bytes every other one has its neighbour before it.
  if (4 * near >= bytes) return std::nullopt;
  return fmt::format(
      "a thread does not read contiguous bytes: of {} bytes that are read, {} beside the byte that the same "
      "thread read before",
      facts::separated(bytes),
      near == 0   ? "none lies"
      : near == 1 ? "only 1 lies"
                  : fmt::format("only {} lie", facts::separated(near)));
}

Fault coalesced(const Conduct& conduct, std::uint64_t) {
  const std::uint64_t sectors = conduct.of("input_sectors"), requests = conduct.of("input_requests");
  const std::uint64_t allowed = conduct.of("input_bytes") / sector_bytes + requests;
  if (sectors <= allowed) return std::nullopt;
  return fmt::format(
      "the lanes of a warp read bytes that do not lie side by side: {} loads of warps for {} bytes of data "
      "touch {} "
      "sectors of 32 bytes; this lab allows {}",
      facts::separated(requests), facts::separated(conduct.of("input_bytes")), facts::separated(sectors),
      facts::separated(allowed));
}

// On equal bytes.
Fault aggregated(const Conduct& conduct, std::uint64_t bytes_per_thread) {
  // One run of equal bytes and its end; threads that take two or three bytes cannot need the second. Who adds
  // up a vector of bytes at a time ends a run with each: where threads take several vectors, these count.
  const std::uint64_t each = conduct.length >= 4 * conduct.threads() ? 2 : 1;
  const std::uint64_t pieces = conduct.length >= bytes_per_thread * conduct.threads()
                                   ? conduct.length / bytes_per_thread + conduct.threads()
                                   : 0;
  const std::uint64_t atomics = conduct.of("shared_atomics"),
                      allowed = std::max(each * conduct.threads(), pieces);
  if (atomics <= allowed) return std::nullopt;
  return fmt::format("{} equal bytes cost {} shared atomics; this lab allows {} for {} threads",
                     facts::separated(conduct.length), facts::separated(atomics), facts::separated(allowed),
                     facts::separated(conduct.threads()));
}

constexpr problems::KnownRule<Conduct> rules_by_name[] = {
    {"global_atomics", "letters", by_global_atomics, 1024, false},
    {"many_threads", "letters", by_many_threads, 256, false},
    {"private_copies", "letters", on_private_copies, 0, false},
    {"shared_memory", "letters", in_shared_memory, 0, false},
    {"coarsening", "letters", coarsened, 2, true},
    {"contiguous", "letters", contiguous, 0, false},
    {"coalesced", "letters", coalesced, 0, false},
    {"aggregation", "same", aggregated, 8, true},
};
constexpr problems::KnownRules<Conduct> known_rules{rules_by_name};

}  // namespace

std::vector<std::string_view> technique_rules() { return known_rules.names(); }

std::optional<std::string> rule_fault(const Rule& rule, const Conduct& conduct) {
  const Fault fault = known_rules.fault(rule, conduct);
  return fault ? std::optional("all counts are right, but " + *fault) : std::nullopt;
}

std::optional<TechniqueFault> technique_fault(const std::vector<Rule>& rules, std::uint64_t length,
                                              const problems::RunCase& run) {
  if (rules.empty()) return std::nullopt;
  Case what{.variant = "letters4", .input = "letters", .length = length};
  std::optional<problems::Launch> launch = known_rules.run(what, rules, longest_technique_length, run);
  const auto bins = static_cast<std::uint64_t>(find_binning(what.variant).value().bins);
  for (const char* const input : {"letters", "same"}) {
    const auto is_judged_here = [&](const Rule& rule) { return known_rules.is_judged_on(rule, input); };
    if (std::ranges::none_of(rules, is_judged_here)) continue;
    if (launch && input != what.input) {
      what.input = input;
      launch = run(what);
    }
    if (!launch) return std::nullopt;
    const Conduct conduct{*launch, what.length, bins};
    for (const Rule& rule : rules) {
      if (!is_judged_here(rule)) continue;
      if (auto fault = rule_fault(rule, conduct)) return TechniqueFault{what, std::move(*fault)};
    }
  }
  return std::nullopt;
}

}  // namespace histogram
