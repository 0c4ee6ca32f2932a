// SPDX-License-Identifier: MIT
// What a right kernel does with an input, it does with a longer one, at the same places of a grid that has
// grown with it: the blocks of the sample that have read in the last fifth of the short input read in the
// last fifth of the long one, too, unless their positions no longer fit. That fifth begins at 2^32.
#include "judge/beyond_32_bits.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "facts/words.hpp"
#include "judge/case.hpp"
#include "judge/finding_details.hpp"
#include "problems/random.hpp"

namespace judge {

namespace {

constexpr std::uint64_t two_to_31 = std::uint64_t{1} << 31, two_to_32 = std::uint64_t{1} << 32;
constexpr std::uint64_t long_length = two_to_32 / 4 * 5, short_length = long_length / 4;
constexpr std::uint64_t last_fifth = short_length / 5 * 4;

// The first and the last block, and two between them; which, nobody knows before.
std::vector<unsigned> sampled_places(std::uint64_t seed) {
  problems::Random random(seed, 32);
  const auto between = [&](unsigned from, unsigned to) {
    return from + static_cast<unsigned>(random.next() % (to - from));
  };
  return {0, between(200, 700), between(810, 990), 1000};
}

// How many elements a block takes, where blocks of a long launch would have more. Fewer are quicker, unless
// all threads of a block together take more at a time: then the last blocks have nothing to do.
constexpr std::uint64_t usual_parts[] = {1 << 14, 1 << 16};

std::optional<runner::RunAnswer> run_sample(RunnerSession& session, std::string_view variant,
                                            std::uint64_t length, const runner::BlockSample& sample) {
  runner::RunRequest request{.variant = std::string(variant), .length = length};
  request.options.sample = sample;
  auto outcome = session.run(request);
  auto* const answer = std::get_if<runner::RunAnswer>(&outcome);
  return answer ? std::optional(std::move(*answer)) : std::nullopt;
}

// Of a kernel's way there, nothing but reads outside of the input is its own fault: other blocks, which do
// not run, may have to do something before, and of memory that each block has there may be less than blocks
// here.
const facts::Observation* outside(const runner::RunAnswer& answer) {
  constexpr std::string_view reads_input = " read data[";  // as entry headers call it (runner/exercise.hpp)
  const auto found = std::ranges::find_if(answer.observations, [&](const facts::Observation& seen) {
    return seen.verdict == facts::Verdict::out_of_bounds &&
           seen.message.find(reads_input) != std::string::npos;
  });
  return found == answer.observations.end() ? nullptr : &*found;
}

// Where the reads of all blocks end that were looked at, if blocks at many other places do not get there
// either: whatever order blocks take their parts in, some of these would. Of a loop that never ends, if
// blocks at two places do not come to an end, each alone.
std::optional<std::uint64_t> confirmed_end(RunnerSession& session, std::string_view variant,
                                           const runner::BlockSample& known,
                                           const runner::SampledReads& reads, std::uint64_t seed) {
  std::uint64_t end = reads.end;
  const auto stays_below = [&](std::vector<unsigned> places, std::uint64_t most_accesses) {
    runner::BlockSample sample = known;
    sample.places = std::move(places);
    sample.most_accesses = most_accesses;
    const auto answer = run_sample(session, variant, long_length, sample);
    if (answer && answer->sample) end = std::max(end, answer->sample->end);
    return answer && answer->sample && answer->sample->end <= two_to_32 &&
           answer->sample->given_up == reads.given_up && (reads.given_up || answer->observations.empty());
  };
  const auto end_if = [&](bool is_confirmed) { return is_confirmed ? std::optional(end) : std::nullopt; };
  if (reads.given_up)
    return end_if(stays_below({500}, known.most_accesses) && stays_below({1000}, known.most_accesses));
  constexpr int many = 60;
  problems::Random random(seed, 33);
  std::vector<unsigned> places;
  for (int i = 0; i < many; ++i) places.push_back(static_cast<unsigned>(random.next() % 1001));
  return end_if(stays_below(std::move(places), many * known.most_accesses));
}

// A block that has more equal elements than a small counter holds, as in a long launch whose grid does not
// grow. One that counts all that it reads where these are few, and 2^8 or 2^16 fewer, or so many times that,
// where they are many, has such counters.
std::optional<BeyondFinding> loses_counts(RunnerSession& session, const problems::Reference& reference,
                                          std::uint64_t seed) {
  const std::string_view variant = reference.variant_for_zeros();
  if (variant.empty()) return std::nullopt;
  // What the block reads, and how much of it it does not count.
  struct Counted {
    std::uint64_t reads, missing;
  };
  const auto counted = [&](std::uint64_t part) -> std::optional<Counted> {
    const auto answer = run_sample(session, variant, long_length,
                                   {.places = {sampled_places(seed)[1]},
                                    .longest = long_length,
                                    .part = part,
                                    .most_accesses = std::uint64_t{1} << 20});
    const bool is_whole = answer && answer->sample && !answer->failure && answer->observations.empty() &&
                          !answer->sample->given_up && !answer->outputs.empty();
    if (!is_whole) return std::nullopt;
    const std::uint64_t zeros = reference.counted_zeros(answer->outputs.front());
    if (zeros > answer->sample->reads) return std::nullopt;
    return Counted{answer->sample->reads, answer->sample->reads - zeros};
  };
  constexpr std::uint64_t few = 1 << 12, many = 1 << 17, of_8_bits = 1 << 8, of_16_bits = 1 << 16;
  const auto in_short = counted(few);
  if (!in_short || in_short->reads == 0 || in_short->missing > 0) return std::nullopt;
  const auto in_long = counted(many);
  if (!in_long || in_long->missing == 0 || in_long->missing % of_8_bits != 0) return std::nullopt;
  return BeyondFinding{
      .what = {std::string(variant), "zeros", long_length},
      .finding = {
          .verdict = facts::Verdict::wrong_answer,
          .message = fmt::format(
              "a block that has many equal {0} counts too few of them, by a multiple of {1}\n"
              "  of {2} {0} that are all 0, in a block of a launch over {3}, {4} are counted",
              reference.problem().elements(), in_long->missing % of_16_bits == 0 ? of_16_bits : of_8_bits,
              facts::separated(in_long->reads), facts::separated(long_length),
              facts::separated(in_long->reads - in_long->missing)),
          .diagnosis = "overflow"}};
}

std::string power_text(std::uint64_t end) { return end <= two_to_31 ? "2^31" : "2^32"; }

}  // namespace

std::optional<BeyondFinding> fails_beyond_32_bits(const RunnerSettings& settings,
                                                  const problems::Reference& reference, std::uint64_t seed) {
  // In a process of its own: variables of the kernel's file that all blocks would set are left half set.
  RunnerSession session(settings);
  if (start_session(session)) return std::nullopt;
  const std::string variant = reference.cases(1, 0).front().variant;
  runner::BlockSample sample{
      .places = sampled_places(seed), .longest = long_length, .most_accesses = std::uint64_t{1} << 21};
  std::optional<runner::RunAnswer> known;
  for (const std::uint64_t part : usual_parts) {
    sample.part = part;
    known = run_sample(session, variant, short_length, sample);
    if (!known || !known->sample || known->failure || !known->observations.empty() || known->sample->given_up)
      return std::nullopt;
    if (known->sample->end > last_fifth) break;
  }
  if (known->sample->end <= last_fifth) return std::nullopt;
  // Threads have up to four times as much to do.
  sample.most_accesses = 8 * known->sample->accesses + (1 << 18);
  const auto longer = run_sample(session, variant, long_length, sample);
  if (!longer) return std::nullopt;
  const std::string elements(reference.problem().elements());
  BeyondFinding found{.what = {variant, "zeros", long_length}, .finding = {}};
  const std::string with = fmt::format("\n  with {}", facts::counted(long_length, elements));
  if (longer->failure) {
    if (longer->failure->kind != runner::RunFailure::Kind::launch_error) return std::nullopt;
    found.finding = {facts::Verdict::launch_error, longer->failure->message + with};
    return found;
  }
  if (const facts::Observation* const fault = outside(*longer)) {
    found.finding = {.verdict = facts::Verdict::out_of_bounds,
                     .message = fault->message + with + ", where positions need more than 32 bits",
                     .where = places_of(settings.program, *fault),
                     .threads = fault->threads};
    return found;
  }
  const auto& reads = longer->sample;
  if (!reads || (!longer->observations.empty() && !reads->given_up)) return std::nullopt;
  if (reads->end > two_to_32) {
    // The exercise's own blocks have more than a part only where there are more of them here.
    const bool has_long_blocks = longer->grid == long_length / sample.part;
    return has_long_blocks ? loses_counts(session, reference, seed) : std::nullopt;
  }
  const auto end = confirmed_end(session, variant, sample, *reads, seed);
  if (!end) return std::nullopt;
  if (longer->grid < known->grid) {
    found.finding = {
        .verdict = facts::Verdict::wrong_answer,
        .message = fmt::format("launch_shape gives too few blocks for a long input\n"
                               "  {} for {}, but {} for {}; no block that was looked at reads any "
                               "behind the first {}",
                               facts::counted(longer->grid, "blocks"), facts::counted(long_length, elements),
                               facts::separated(known->grid), facts::separated(short_length),
                               facts::separated(*end)),
        .diagnosis = "overflow"};
    return found;
  }
  found.finding = {
      .verdict = facts::Verdict::wrong_answer,
      .message = fmt::format(
          "positions from {} on are not reached: an index or a length of 32 bits ends there\n"
          "  of {} no block that was looked at reads any behind the first {}{}\n"
          "  of {} such blocks read all parts",
          power_text(*end), facts::counted(long_length, elements),
          facts::separated(*end <= two_to_31 ? two_to_31 : two_to_32),
          reads->given_up ? ", and one of them never ends" : "", facts::counted(short_length, elements)),
      .diagnosis = "overflow",
      .where = places_of(settings.program, facts::Observation{.sites = known->sample->sites})};
  return found;
}

}  // namespace judge
