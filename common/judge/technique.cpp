// SPDX-License-Identifier: MIT
#include "judge/technique.hpp"

#include <fmt/core.h>

#include "problems/histogram/binnings.hpp"

namespace judge {

namespace {

// Where a launch does not grow with the input the rules need more bytes, but not beyond what takes seconds.
constexpr std::uint64_t longest_technique_length = (1 << 23) + 3;

constexpr std::uint64_t fewest_counting_threads = 1024;
constexpr std::uint64_t sector_bytes = 32;

// A lab's number, 0 where the exercise is none of the course's six.
unsigned number_of(const workbook::ExerciseInfo& exercise) {
  const std::string& lab = exercise.lab;
  const bool numbered = lab.size() > 2 && lab[0] == '0' && lab[1] >= '2' && lab[1] <= '6' && lab[2] == '_';
  return numbered ? static_cast<unsigned>(lab[1] - '0') : 0;
}

std::string but(std::string fault) { return "counts are right, but " + std::move(fault); }

std::optional<std::string> counts_by_global_atomics(const Conduct& conduct) {
  const std::uint64_t threads = conduct.of("atomic_threads"), atomics = conduct.of("result_atomics");
  if (threads == 0) return but("no thread counts by an atomic on histo");
  if (threads < fewest_counting_threads) {
    return but(fmt::format("only {} threads count by atomics on histo; this lab asks for {} at least",
                           threads, fewest_counting_threads));
  }
  if (conduct.of("shared_atomics") > atomics) {
    return but(
        fmt::format("the counting happens in shared memory, with {} atomics there and {} on histo; this lab "
                    "counts on histo",
                    conduct.of("shared_atomics"), atomics));
  }
  return std::nullopt;
}

std::optional<std::string> counts_on_private_copies(const Conduct& conduct) {
  const std::uint64_t allowed = conduct.grid * conduct.bins,
                      others = conduct.of("result_writes_of_other_blocks");
  if (others > allowed) {
    return but(
        fmt::format("blocks other than block 0 still change block 0's copy {} times; this lab allows {}",
                    others, allowed));
  }
  const std::uint64_t copies = conduct.of("elsewhere_writes");
  if (copies == 0) return but("no block counts on a copy of its own in global memory");
  if (conduct.of("shared_atomics") > copies) {
    return but(
        fmt::format("the counting happens in shared memory, with {} atomics there and {} writes to private "
                    "copies in global "
                    "memory",
                    conduct.of("shared_atomics"), copies));
  }
  return std::nullopt;
}

std::optional<std::string> counts_in_shared_memory(const Conduct& conduct) {
  const std::uint64_t allowed = conduct.grid * conduct.bins, atomics = conduct.of("global_atomics");
  if (atomics > allowed) {
    return but(fmt::format("{}: {} of them; this lab allows {}",
                           atomics >= conduct.length ? "every byte still costs a global atomic"
                                                     : "there are more global atomics than commits need",
                           atomics, allowed));
  }
  const std::uint64_t writes = conduct.of("result_writes");
  if (writes > allowed)
    return but(fmt::format("histo is written {} times; this lab allows {}", writes, allowed));
  if (conduct.of("shared_writes") == 0) return but("nothing is counted in shared memory");
  return std::nullopt;
}

std::optional<std::string> takes_several_bytes(const Conduct& conduct) {
  // The last block may be there for a few bytes.
  const std::uint64_t allowed = conduct.length / 2 + conduct.block;
  if (conduct.threads() <= allowed) return std::nullopt;
  return but(fmt::format("{} threads are launched for {} bytes; this lab allows {}", conduct.threads(),
                         conduct.length, allowed));
}

std::optional<std::string> takes_neighbours(const Conduct& conduct) {
  const std::uint64_t bytes = conduct.of("input_bytes"), near = conduct.of("input_near_bytes");
  if (4 * near >= bytes)
    return std::nullopt;  // in pieces of two bytes every other one has its neighbour before it
  return but(
      fmt::format("a thread's bytes are no neighbours: of {} bytes that were read, {} lie beside the byte "
                  "that the same thread "
                  "read before",
                  bytes, near));
}

std::optional<std::string> reads_together(const Conduct& conduct) {
  const std::uint64_t sectors = conduct.of("input_sectors"), requests = conduct.of("input_requests");
  const std::uint64_t allowed = conduct.of("input_bytes") / sector_bytes + requests;
  if (sectors <= allowed) return std::nullopt;
  return but(
      fmt::format("the lanes of a warp read far from each other: {} requests for {} bytes of data touch {} "
                  "sectors; this lab "
                  "allows {}",
                  requests, conduct.of("input_bytes"), sectors, allowed));
}

}  // namespace

std::uint64_t Conduct::of(const std::string& counter) const {
  const auto found = counts.find(counter);
  return found == counts.end() ? 0 : found->second;
}

std::uint64_t bytes_per_thread(const workbook::ExerciseInfo& exercise) {
  const unsigned lab = number_of(exercise);
  return lab == 6 ? 8 : lab == 5 ? 2 : 1;
}

std::optional<std::string> technique_fault(const workbook::ExerciseInfo& exercise, const Conduct& conduct) {
  const unsigned lab = number_of(exercise);
  if (lab == 2) return counts_by_global_atomics(conduct);
  if (lab == 3) return counts_on_private_copies(conduct);
  if (lab < 4) return std::nullopt;
  if (auto fault = counts_in_shared_memory(conduct)) return fault;
  if (lab == 4) return std::nullopt;
  if (auto fault = takes_several_bytes(conduct)) return fault;
  if (exercise.name == "contiguous") return takes_neighbours(conduct);
  if (exercise.name == "interleaved") return reads_together(conduct);
  return std::nullopt;
}

std::optional<std::string> technique_fault_on_same(const workbook::ExerciseInfo& exercise,
                                                   const Conduct& on_same) {
  // One run of equal bytes and its end; threads that take two or three bytes cannot need the second.
  const std::uint64_t each = on_same.length >= 4 * on_same.threads() ? 2 : 1;
  const std::uint64_t atomics = on_same.of("shared_atomics"), allowed = each * on_same.threads();
  if (number_of(exercise) != 6 || atomics <= allowed) return std::nullopt;
  return but(fmt::format("{} equal bytes cost {} shared atomics; this lab allows {} for {} threads",
                         on_same.length, atomics, allowed, on_same.threads()));
}

namespace {

// A finding of `technique` with the case that shows it; what else went wrong stays as it is.
void add_fault(CaseResult& result, std::optional<std::string> fault) {
  if (fault && result.findings.empty())
    result.findings.push_back({facts::Verdict::technique, std::move(*fault)});
}

Conduct conduct_of(const CaseResult& result) {
  const auto bins = static_cast<std::uint64_t>(histogram::find_binning(result.what.binning).value().bins);
  Conduct conduct{result.what.length, bins, result.answer->grid, result.answer->block,
                  result.answer->conduct};
  for (const auto& [name, value] : result.answer->counters) conduct.counts[std::string(name)] = value;
  return conduct;
}

}  // namespace

std::vector<CaseResult> judge_technique(const workbook::ExerciseInfo& exercise, const RunCase& run) {
  std::vector<CaseResult> results;
  if (number_of(exercise) == 0) return results;
  Case what{.binning = "letters4", .input = "letters", .length = technique_length};
  results.push_back(run(what));
  if (!results.back().passed()) return results;
  // Fewer threads than bytes have to go round: where they are many, the input must be long enough to show it.
  const std::uint64_t threads = conduct_of(results.back()).threads();
  const std::uint64_t wanted = threads * bytes_per_thread(exercise) + 3;
  if (threads < what.length && wanted > what.length && wanted <= longest_technique_length) {
    what.length = wanted;
    results.push_back(run(what));
    if (!results.back().passed()) return results;
  }
  add_fault(results.back(), technique_fault(exercise, conduct_of(results.back())));
  if (!results.back().passed() || number_of(exercise) != 6) return results;
  what.input = "same";
  results.push_back(run(what));
  if (results.back().passed())
    add_fault(results.back(), technique_fault_on_same(exercise, conduct_of(results.back())));
  return results;
}

}  // namespace judge
