// SPDX-License-Identifier: MIT
#include "problems/places.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "facts/words.hpp"

namespace problems {

namespace {

using facts::counted;
using facts::separated;

std::string times_text(std::uint64_t times) {
  return times == 0 ? "never" : times == 2 ? "twice" : fmt::format("{} times", separated(times));
}

std::string place_text(std::uint64_t begin, std::uint64_t end) {
  return end - begin == 1 ? fmt::format("data[{}]", begin)
                          : fmt::format("data[{}] to data[{}]", begin, end - 1);
}

// "byte" of "bytes"
std::string_view one_of(std::string_view plural) { return plural.substr(0, plural.size() - 1); }

// Where the stretch ends that begins at `begin`. Up to `good` its elements take part `times` each, up to
// `bad` they do not: halving keeps both true.
std::optional<std::uint64_t> end_of_stretch(const Stretch& stretch, std::uint64_t before,
                                            std::uint64_t length, const TakenBefore& taken_before) {
  const auto goes_on = [&](std::uint64_t end, std::uint64_t count) {
    return count - before == stretch.times * (end - stretch.begin);
  };
  std::uint64_t good = stretch.begin + 1, bad = length;
  const auto whole = taken_before(bad);
  if (!whole) return std::nullopt;
  if (goes_on(bad, *whole)) return bad;
  while (bad - good > 1) {
    const std::uint64_t half = good + (bad - good) / 2;
    const auto count = taken_before(half);
    if (!count) return std::nullopt;
    (goes_on(half, *count) ? good : bad) = half;
  }
  return good;
}

void add_missing_end(std::vector<Stretch>& stretches, std::uint64_t length, const TakenBefore& taken_before) {
  std::uint64_t taken = stretches.back().end, all = length;
  if (taken == length) return;
  const auto before = taken_before(taken), total = taken_before(length);
  if (!before || !total) return;
  if (*before == *total) all = taken;
  while (all - taken > 1) {
    const std::uint64_t half = taken + (all - taken) / 2;
    const auto count = taken_before(half);
    if (!count) return;
    (*count == *total ? all : taken) = half;
  }
  if (all < length) stretches.push_back({all, length, 0});
}

}  // namespace

std::vector<Stretch> find_stretches(std::uint64_t length, std::size_t most, const TakenBefore& taken_before) {
  std::vector<Stretch> stretches;
  auto before = taken_before(0);
  if (before != std::uint64_t{0}) return stretches;
  for (std::uint64_t begin = 0; begin < length && stretches.size() < most;) {
    const auto behind = taken_before(begin + 1);
    if (!behind || *behind < *before) return stretches;
    Stretch stretch{begin, begin + 1, *behind - *before};
    const auto end = end_of_stretch(stretch, *before, length, taken_before);
    if (!end) return stretches;
    stretch.end = *end;
    stretches.push_back(stretch);
    before = *before + stretch.times * stretch.length();
    begin = *end;
  }
  if (!stretches.empty()) add_missing_end(stretches, length, taken_before);
  return stretches;
}

std::vector<Stretch> Places::odd() const {
  std::vector<Stretch> odd = stretches;
  std::erase_if(odd, [](const Stretch& stretch) { return stretch.times == 1; });
  return odd;
}

bool Places::is_complete() const {
  std::uint64_t end = 0;
  for (const Stretch& stretch : stretches) {
    if (stretch.begin != end) return false;
    end = stretch.end;
  }
  return end == length;
}

bool Places::has_more_odd() const {
  if (stretches.empty() || is_complete()) return false;
  // Whatever follows a stretch takes part otherwise: oddly, if the stretch does not. The end may be known
  // without what lies before it.
  const bool has_end = stretches.size() > 1 && stretches.back().end == length;
  return (has_end ? stretches[stretches.size() - 2] : stretches.back()).times == 1;
}

std::string Places::headline() const {
  const std::vector<Stretch> all = odd();
  const Stretch& first = all.front();
  if (first.length() == length)
    return fmt::format("every {} is {} {}", one_of(elements), done, times_text(first.times));
  const bool is_one = all.size() == 1 && first.length() == 1 && is_complete();
  const bool any_missed = std::ranges::any_of(all, [](const Stretch& stretch) { return stretch.times == 0; });
  const bool any_doubled = std::ranges::any_of(all, [](const Stretch& stretch) { return stretch.times > 0; });
  if (any_missed && any_doubled)
    return fmt::format("some {} are {} more than once, others never", elements, done);
  const std::string who =
      is_one ? fmt::format("one {} is", one_of(elements)) : fmt::format("some {} are", elements);
  return any_doubled ? fmt::format("{} {} more than once", who, done) : fmt::format("{} never {}", who, done);
}

std::string Places::text() const {
  constexpr std::size_t most_shown = 3;
  const std::vector<Stretch> all = odd();
  std::string text;
  bool left_out = has_more_odd();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Stretch& stretch = all[i];
    const bool is_end = i + 1 == all.size() && stretch.end == length;
    if (i >= most_shown && !is_end) {
      left_out = true;
      continue;
    }
    const bool is_one = stretch.length() == 1, is_first = i == 0, is_never = stretch.times == 0;
    text += is_first ? fmt::format("of {}, ", counted(length, elements)) : ", ";
    text += place_text(stretch.begin, stretch.end);
    const std::string times = times_text(stretch.times);
    if (is_first) text += is_one ? " is" : " are";
    text += is_first && is_never ? fmt::format(" never {}", done)
            : is_first           ? fmt::format(" {} {}", done, times)
                                 : " " + times;
    if (!is_one && !is_never) text += " each";
  }
  return left_out ? text + "; there are more such places" : text;
}

std::string words_of(const LaunchSize& launch) {
  return counted(launch.grid, "blocks") + " of " + counted(launch.block, "threads");
}

namespace {

// A way to go through an input: thread t of block k begins at element first + of_block * k + of_thread * t,
// and takes `piece` elements there and after each `step`; once if that is 0.
struct Walk {
  std::uint64_t first, of_block, of_thread, piece, step;
};

// The same way for launches of every shape.
struct Plan {
  enum class Piece { fixed, share, share_but_one, share_and_one, two_shares };
  enum class Block { threads, nothing, block, grid, one };
  enum class Step { none, block, grid_threads, two_grids, grid, pieces, pieces_of_block, piece, one };

  Piece piece;
  std::uint64_t fixed;
  bool side_by_side;  // a thread begins where the share of the thread before ends, else one element further
  Block block;
  Step step;
  bool from_second = false;  // all begin where the second block should

  Walk walk(std::uint64_t length, const LaunchSize& launch) const {
    const std::uint64_t threads = launch.threads(), share = (length + threads - 1) / threads;
    Walk walk{};
    walk.piece = piece == Piece::fixed           ? fixed
                 : piece == Piece::share         ? share
                 : piece == Piece::share_but_one ? share - 1
                 : piece == Piece::share_and_one ? share + 1
                                                 : 2 * share;
    walk.of_thread = !side_by_side ? 1 : piece == Piece::fixed ? fixed : share;
    walk.of_block = block == Block::threads   ? walk.of_thread * launch.block
                    : block == Block::nothing ? 0
                    : block == Block::block   ? launch.block
                    : block == Block::grid    ? launch.grid
                                              : 1;
    walk.step = step == Step::none              ? 0
                : step == Step::block           ? launch.block
                : step == Step::grid_threads    ? threads
                : step == Step::two_grids       ? 2 * threads
                : step == Step::grid            ? launch.grid
                : step == Step::pieces          ? walk.of_thread * threads
                : step == Step::pieces_of_block ? walk.of_thread * launch.block
                : step == Step::piece           ? walk.of_thread
                                                : 1;
    walk.first = from_second ? walk.of_block : 0;
    return walk;
  }
};

// How often each element is taken; empty if that is not `total` times in all.
std::vector<std::uint32_t> times_of(const Walk& walk, std::uint64_t length, const LaunchSize& launch,
                                    std::uint64_t total) {
  std::vector<std::uint32_t> times(length);
  std::uint64_t taken = 0;
  for (std::uint64_t k = 0; k < launch.grid; ++k) {
    for (std::uint64_t t = 0; t < launch.block; ++t) {
      for (std::uint64_t at = walk.first + walk.of_block * k + walk.of_thread * t; at < length;
           at += walk.step) {
        for (std::uint64_t i = at; i < std::min(at + walk.piece, length); ++i) ++times[i];
        taken += std::min(walk.piece, length - at);
        if (taken > total) return {};
        if (walk.step == 0) break;
      }
    }
  }
  return taken == total ? times : std::vector<std::uint32_t>();
}

bool fits(const Plan& plan, std::span<const PlacesSample> samples) {
  return std::ranges::all_of(samples, [&](const PlacesSample& sample) {
    const Walk walk = plan.walk(sample.length, sample.launch);
    if (walk.piece == 0) return sample.total == 0;
    const auto times = times_of(walk, sample.length, sample.launch, sample.total);
    return !times.empty() && sample.is_from(times);
  });
}

// The simplest first.
std::vector<Plan> plans() {
  std::vector<Plan> all;
  const auto add = [&](Plan::Piece piece, std::uint64_t fixed) {
    for (const bool side_by_side : {true, false}) {
      if (!side_by_side && piece == Plan::Piece::fixed && fixed == 1) continue;
      for (const auto block : {Plan::Block::threads, Plan::Block::nothing, Plan::Block::block,
                               Plan::Block::grid, Plan::Block::one}) {
        for (const auto step : {Plan::Step::none, Plan::Step::block, Plan::Step::grid_threads,
                                Plan::Step::two_grids, Plan::Step::grid, Plan::Step::pieces,
                                Plan::Step::pieces_of_block, Plan::Step::piece, Plan::Step::one})
          all.push_back({piece, fixed, side_by_side, block, step});
      }
    }
  };
  add(Plan::Piece::fixed, 1);
  add(Plan::Piece::share, 0);
  for (const std::uint64_t fixed : {2, 4, 8, 16, 32, 64}) add(Plan::Piece::fixed, fixed);
  add(Plan::Piece::share_but_one, 0);
  add(Plan::Piece::share_and_one, 0);
  add(Plan::Piece::two_shares, 0);
  for (const auto step : {Plan::Step::none, Plan::Step::grid_threads})
    all.push_back({Plan::Piece::fixed, 1, true, Plan::Block::threads, step, true});
  return all;
}

// ", the number of blocks", where the number is one of the launch's.
std::string name_of(std::uint64_t number, const LaunchSize& launch) {
  if (launch.grid == 1) return number == launch.block ? ", the number of threads of the block" : "";
  return number == launch.threads()       ? ", the number of threads of the grid"
         : number == 2 * launch.threads() ? ", twice the number of threads of the grid"
         : number == launch.block         ? ", the number of threads of a block"
         : number == launch.grid          ? ", the number of blocks"
                                          : "";
}

// `is_sure`: pieces of no other length come to the same.
std::string words_of(const Walk& walk, bool is_sure, const LaunchSize& launch, std::string_view elements) {
  std::string text;
  const bool goes_by_thread = walk.of_block == walk.of_thread * launch.block;
  if (walk.first > 0) text = fmt::format("block 0 began at data[{}] and ", walk.first);
  if (launch.grid > 1 && walk.of_block == 0) text = "each block began at data[0] and ";
  if (launch.grid > 1 && walk.of_block > 0 && !goes_by_thread)
    text = launch.grid > 2 ? fmt::format("block 1 began at data[{}], block 2 at data[{}], and ",
                                         walk.of_block, 2 * walk.of_block)
                           : fmt::format("block 1 began at data[{}], and ", walk.of_block);
  const std::string steps = fmt::format("in steps of {}{}", separated(walk.step), name_of(walk.step, launch));
  if (!is_sure && walk.step > 0) return text + "each thread went on " + steps;
  if (walk.of_thread != walk.piece && launch.block > 2)
    text += fmt::format("thread 1 began at data[{}], thread 2 at data[{}], and ", walk.of_thread,
                        2 * walk.of_thread);
  text += fmt::format("each thread took {}", walk.piece == 1 ? fmt::format("one {}", one_of(elements))
                                                             : counted(walk.piece, elements));
  return walk.step > 0 ? text + " at a time, " + steps : text;
}

// Samples of which something is known.
std::vector<PlacesSample> usable(std::span<const PlacesSample> samples) {
  std::vector<PlacesSample> all(samples.begin(), samples.end());
  std::erase_if(all, [](const PlacesSample& sample) { return sample.launch.threads() < 2; });
  std::ranges::stable_sort(all, {}, &PlacesSample::length);
  return all;
}

}  // namespace

std::optional<std::string> account_of(const Places& places, std::span<const PlacesSample> samples) {
  const std::vector<PlacesSample> all = usable(samples);
  const auto shown = std::ranges::find(all, places.length, &PlacesSample::length);
  const std::vector<Stretch> odd = places.odd();
  if (shown == all.end() || all.size() != samples.size() || odd.empty()) return std::nullopt;
  const LaunchSize launch = shown->launch;
  const std::string begin = words_of(launch) + ": ";
  const std::string plain =
      "the launch has " + words_of(launch) +
      (launch.grid > 1 ? fmt::format(", {} in all", counted(launch.threads(), "threads")) : "");
  const auto each_is = [&](auto times_at) {
    return std::ranges::all_of(all, [&](const PlacesSample& sample) {
      std::vector<std::uint32_t> times(sample.length);
      for (std::uint64_t i = 0; i < sample.length; ++i)
        times[i] = static_cast<std::uint32_t>(times_at(i, sample.launch));
      return sample.is_from(times);
    });
  };
  using Size = const LaunchSize&;
  if (launch.grid > 1 && each_is([](std::uint64_t, Size size) { return size.grid; }))
    return begin + fmt::format("as if each block took every {}", one_of(places.elements));
  if (each_is([](std::uint64_t, Size size) { return size.block; }))
    return begin + fmt::format("every {} is {} as often as a block has threads", one_of(places.elements),
                               places.done);
  if (each_is([](std::uint64_t, Size size) { return size.threads(); }))
    return begin + fmt::format("as if each thread took every {}", one_of(places.elements));
  if (odd.front().length() == places.length) return std::nullopt;
  const bool has_blocks = launch.grid > 2;
  if (has_blocks && each_is([](std::uint64_t i, Size size) { return i < size.block ? 1 : size.block; }))
    return begin + fmt::format("as if in every block but block 0 each thread added what its block has {}",
                               places.done);
  if (has_blocks && each_is([](std::uint64_t i, Size size) { return i < size.block ? 2 : 1; }))
    return begin + fmt::format("as if what block 0 has {} were added once more", places.done);
  // Hundreds of plans are tried.
  constexpr std::uint64_t longest = 1 << 16;
  if (all.front().length > longest) return plain;
  std::optional<Walk> first;
  bool is_sure = true;
  for (const Plan& plan : plans()) {
    const Walk walk = plan.walk(places.length, launch);
    if ((first && (walk.step != first->step || walk.piece == first->piece)) || !fits(plan, all)) continue;
    is_sure = !first;
    if (!first) first = walk;
    if (!is_sure) break;
  }
  if (!first) return plain;
  return begin + "as if " + words_of(*first, is_sure, launch, places.elements);
}

std::optional<std::string> rule_of(const Places& places, std::span<const PlacesSample> samples) {
  const std::vector<Stretch> odd = places.odd();
  if (odd.size() < 2) return std::nullopt;
  const Stretch &first = odd[0], &second = odd[1];
  if (first.times != second.times || first.length() != second.length()) return std::nullopt;
  const std::uint64_t period = second.begin - first.begin;
  std::vector<std::uint32_t> times(places.length, 1);
  std::uint64_t total = 0;
  for (std::uint64_t i = 0; i < places.length; ++i) {
    if (i >= first.begin && (i - first.begin) % period < first.length())
      times[i] = static_cast<std::uint32_t>(first.times);
    total += times[i];
  }
  std::optional<LaunchSize> launch;
  for (const PlacesSample& sample : samples) {
    if (sample.length != places.length) continue;
    if (sample.total != total || !sample.is_from(times)) return std::nullopt;
    launch = sample.launch;
  }
  if (!launch) return std::nullopt;
  std::string note;
  if (const std::uint64_t threads = launch->threads(); threads > 1) {
    const std::uint64_t share = (places.length + threads - 1) / threads;
    note = name_of(period, *launch);
    if (note.empty() && period == 2 * launch->block) note = ", two for each thread of a block";
    if (note.empty() && period == share && share > 1)
      note = fmt::format(", the share of one of {}", counted(threads, "threads"));
  }
  const bool is_one = first.length() == 1;
  return fmt::format("of {}, {} {} {}{}, and so on every {} {}{}", counted(places.length, places.elements),
                     place_text(first.begin, first.end), is_one ? "is" : "are",
                     first.times == 0 ? fmt::format("never {}", places.done)
                                      : fmt::format("{} {}", places.done, times_text(first.times)),
                     is_one || first.times == 0 ? "" : " each", separated(period), places.elements, note);
}

std::string headline_of(const Beginning& shown) {
  const std::uint64_t missing = shown.length - shown.end, threads = shown.launch.threads();
  const bool is_end = threads < 2 || (missing < threads && shown.end >= missing);
  return is_end ? "the end of the input is missing from the result"
                : "only the beginning of the input is in the result";
}

std::optional<std::string> account_of_beginning(std::span<const Beginning> all, const Beginning& shown,
                                                std::string_view elements) {
  const auto each = [&](auto holds) {
    return std::ranges::all_of(all,
                               [&](const Beginning& one) { return one.launch.threads() > 1 && holds(one); });
  };
  const std::uint64_t threads = shown.launch.threads();
  if (each([](const Beginning& one) { return one.end > 0 && one.end % one.launch.threads() == 0; })) {
    const std::uint64_t number = shown.end / threads;
    const std::string of_launch =
        shown.launch.grid == 1 ? " of one block" : fmt::format(" ({})", words_of(shown.launch));
    return fmt::format("that is {} for each of the {}{}", number == 1 ? "one" : separated(number),
                       counted(threads, "threads"), of_launch);
  }
  if (each([](const Beginning& one) { return one.end == one.launch.block; }) && shown.launch.grid > 2)
    return fmt::format("{}: as if only what block 0 has taken were in the result, one {} for each thread",
                       words_of(shown.launch), one_of(elements));
  return std::nullopt;
}

}  // namespace problems
