// SPDX-License-Identifier: MIT
#include "model/unrolled_loads.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "model/accesses.hpp"

namespace model {

namespace {

constexpr std::size_t most_under_way = 32;  // loads that there are registers for

bool is_load(const Step& step) {
  return step.kind == StepKind::global_load || step.kind == StepKind::shared_load;
}

// How often loads of a place follow one another with nothing but a branch back in between: calls
// with_run(place, length).
template <class WithRun>
void for_each_run(const WarpSteps& steps, WithRun with_run) {
  for (std::size_t begin = 0; begin < steps.size();) {
    std::size_t end = begin + 1;
    while (end < steps.size() && is_load(steps[end]) && steps[end].place == steps[begin].place &&
           steps[end].blocks() == 1)
      ++end;
    if (is_load(steps[begin])) with_run(steps[begin].place, end - begin);
    begin = end;
  }
}

template <class Number>
void add_clipped(Number& sum, unsigned more) {
  sum = static_cast<Number>(std::min<unsigned>(sum + more, std::numeric_limits<Number>::max()));
}

WarpSteps joined(const WarpSteps& steps, const std::array<bool, 256>& uncounted) {
  WarpSteps result;
  for (const Step& step : steps) {
    if (step.joins && !uncounted[step.place] && !result.empty()) {
      result.back().cost = std::max(result.back().cost, step.cost);
      add_clipped(result.back().arithmetic, step.arithmetic);
      add_clipped(result.back().divisions, step.divisions);
    } else {
      result.push_back(step);
    }
  }
  return result;
}

void add_computed(Step& to, const Step& from) {
  add_clipped(to.entered, std::max(0, from.entered - 1));
  add_clipped(to.folded,
              std::min<unsigned>(from.folded, static_cast<unsigned>(std::max(0, from.entered - 1))));
  add_clipped(to.arithmetic, from.arithmetic);
  add_clipped(to.branches, from.branches);
  add_clipped(to.divisions, from.divisions);
}

bool writes_global_memory(const Step& step) {
  return step.kind == StepKind::global_store || step.kind == StepKind::global_atomic ||
         step.kind == StepKind::global_atomic_common || step.kind == StepKind::global_exchange;
}

// Loads at several places with no more than stores to shared memory in between are under way together too
// where the code has so many at a time: it has put what stands between them under predicates, or behind them.
void load_across_branches(WarpSteps& steps, const std::array<std::uint8_t, 256>& turns,
                          const std::array<bool, 256>& in_company) {
  std::vector<std::uint8_t> places;  // of those under way
  std::size_t last = 0;              // of these
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Step& step = steps[i];
    if (step.kind == StepKind::shared_store) continue;
    if (step.kind != StepKind::global_load || in_company[step.place]) {
      places.clear();
      continue;
    }
    const std::uint8_t place = step.place;
    const bool goes_on = !places.empty() && steps[last].bytes == step.bytes && places.size() < turns[place] &&
                         std::ranges::find(places, place) == places.end();
    if (goes_on) {
      if (step.blocks() > 1) step.folded = static_cast<std::uint8_t>(step.entered - 1);
      const auto behind = steps.begin() + static_cast<std::ptrdiff_t>(++last),
                 here = steps.begin() + static_cast<std::ptrdiff_t>(i);
      std::rotate(behind, here, here + 1);
    } else {
      places.clear();
      last = i;
    }
    places.push_back(place);
  }
}

WarpSteps loaded_ahead(const WarpSteps& steps, const std::array<std::uint8_t, 256>& turns,
                       const std::array<bool, 256>& in_company, bool writes_stop) {
  std::vector<std::vector<std::size_t>> later(steps.size());  // by the first load of as many turns
  std::vector<bool> moved(steps.size(), false);
  std::array<std::vector<std::size_t>, 256> open;  // loads by place
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool stops = writes_stop && writes_global_memory(steps[i]);
    if (steps[i].kind == StepKind::block_barrier || stops) open.fill({});
    const std::uint8_t place = steps[i].place;
    if (steps[i].kind != StepKind::global_load || in_company[place] || turns[place] < 2) continue;
    std::vector<std::size_t>& group = open[place];
    group.push_back(i);
    if (group.size() < turns[place]) continue;
    later[group.front()].assign(group.begin() + 1, group.end());
    for (const std::size_t load : later[group.front()]) moved[load] = true;
    group.clear();
  }
  WarpSteps result;
  Step left;  // what is computed on the way to a moved load stays where it was
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (moved[i]) {
      add_computed(left, steps[i]);
      continue;
    }
    result.push_back(steps[i]);
    add_computed(result.back(), std::exchange(left, {}));
    for (const std::size_t load : later[i]) {
      result.push_back(steps[load]);
      result.back().entered = 1;
      result.back().folded = 0;
      result.back().arithmetic = result.back().branches = result.back().divisions = 0;
    }
  }
  load_across_branches(result, turns, in_company);
  return result;
}

// Of loops with more turns than that, with nothing in between that waits for loads, a compiler unrolls a few
// at a time. Where some turns have more blocks in front than others, these are an outer loop's.
void wait_in_long_loops(WarpSteps& steps) {
  constexpr unsigned turns_at_a_time = 4;
  constexpr std::uint8_t behind_a_branch = 2;  // basic blocks
  const auto goes_on = [](const Step& step) {
    return step.blocks() == 0 && (is_load(step) || step.kind == StepKind::shared_store);
  };
  for (std::size_t begin = 0; begin < steps.size();) {
    std::array<unsigned, 256> loads{}, made{};
    std::array<std::uint8_t, 256> fewest{}, most{};
    std::size_t end = begin;
    do {
      const Step& step = steps[end];
      if (step.kind != StepKind::global_load) continue;
      if (++loads[step.place] <= 1) continue;  // what comes in front of the first is no turn's
      fewest[step.place] = loads[step.place] == 2 ? step.entered : std::min(fewest[step.place], step.entered);
      most[step.place] = std::max(most[step.place], step.entered);
    } while (++end < steps.size() && goes_on(steps[end]));
    for (std::size_t i = begin; i < end; ++i) {
      Step& step = steps[i];
      if (step.kind != StepKind::global_load || loads[step.place] <= most_under_way) continue;
      const bool is_of_outer = step.entered > fewest[step.place],
                 is_one_of_some = made[step.place]++ % turns_at_a_time == 0;
      if (!(most[step.place] > fewest[step.place] ? is_of_outer : is_one_of_some)) continue;
      step.entered = std::max(step.entered, behind_a_branch);
      step.folded = static_cast<std::uint8_t>(step.entered - behind_a_branch);
    }
    begin = end;
  }
}

}  // namespace

WarpSteps loaded_first(WarpSteps steps) {
  wait_in_long_loops(steps);
  // A branch that is left over of several is more than the turn of a short loop.
  for (Step& step : steps) {
    if (step.blocks() == 1 && step.folded > 0) --step.folded;
  }
  std::size_t loads = 0, first_store = 0;  // of the block; where the next load goes
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool is_load = steps[i].kind == StepKind::global_load,
               is_store = steps[i].kind == StepKind::shared_store;
    if (steps[i].blocks() > 0 || (!is_load && !is_store) || (is_load && loads >= most_under_way))
      loads = 0, first_store = is_store ? i : i + 1;
    if (!is_load) continue;
    ++loads;
    if (first_store > i) continue;
    const auto begin = steps.begin() + static_cast<std::ptrdiff_t>(first_store),
               here = steps.begin() + static_cast<std::ptrdiff_t>(i);
    std::swap(begin->entered, here->entered);
    std::swap(begin->folded, here->folded);
    std::rotate(begin, here, here + 1);
    ++first_store;
  }
  return steps;
}

std::array<bool, 256> uncounted_turns(const std::vector<Sample>& samples) {
  std::array<bool, 256> varies{};
  std::array<std::size_t, 256> length{};
  const auto with_run = [&](std::uint8_t place, std::size_t run) {
    if (run < 2) return;  // nothing is repeated, or only in another sample
    if (length[place] != 0 && length[place] != run) varies[place] = true;
    length[place] = run;
  };
  for (const Sample& sample : samples) {
    for (const BlockSteps& block : sample.stream.blocks) {
      for (const WarpSteps& warp : block.warps) for_each_run(warp, with_run);
    }
  }
  return varies;
}

std::vector<Sample> joined(std::vector<Sample> samples, const Launch& launch,
                           const std::array<bool, 256>& uncounted) {
  constexpr unsigned widest = 16;
  if (launch.code && launch.code->widest_shared_load() < widest) return samples;
  for (Sample& sample : samples) {
    for (BlockSteps& block : sample.stream.blocks) {
      for (WarpSteps& warp : block.warps) warp = joined(warp, uncounted);
    }
  }
  return samples;
}

StreamGroups groups_of(const Stream& stream, const std::array<bool, 256>& uncounted) {
  StreamGroups result;
  std::vector<std::uint8_t> group;  // places
  const auto end_group = [&] {
    for (const std::uint8_t place : group) {
      result.groups.insert({result.bytes_of[place], static_cast<unsigned>(group.size())});
      result.in_company[place] = result.in_company[place] || group.size() > 1;
    }
    group.clear();
  };
  for (const BlockSteps& block : stream.blocks) {
    for (const WarpSteps& warp : block.warps) {
      unsigned place = 0;
      for (const Step& step : warp) {
        const bool goes_on =
            is_load(step) && step.blocks() <= 1 && !(step.place == place && uncounted[place]);
        if (!goes_on) end_group();
        if (step.kind == StepKind::global_load) {
          group.push_back(step.place);
          result.bytes_of[step.place] = step.bytes;
        }
        place = step.place;
      }
      end_group();
    }
  }
  return result;
}

unsigned turns_at_a_time(const std::vector<LoadGroup>& in_code, const std::set<LoadGroup>& in_stream,
                         unsigned bytes) {
  unsigned turns = 1;
  for (const LoadGroup& group : in_code) {
    if (group.bytes == bytes && !in_stream.contains(group)) turns = group.loads;
  }
  return std::min(turns, 255u);
}

// nvcc 13.0 unrolls turns with up to eight atomics on shared memory four times, and with sixteen twice.
std::array<std::uint8_t, 256> turns_of_counted_loops(const Stream& stream) {
  constexpr double short_turn = 12, long_turn = 24;  // steps
  std::array<double, 256> steps{}, turns{};
  for (const BlockSteps& block : stream.blocks) {
    for (const WarpSteps& warp : block.warps) {
      std::array<std::size_t, 256> last{};
      for (std::size_t i = 0; i < warp.size(); ++i) {
        const Step& step = warp[i];
        if (step.kind != StepKind::global_load || !step.in_counted_loop) continue;
        if (last[step.place] > 0) {
          steps[step.place] += static_cast<double>(i + 1 - last[step.place]);
          ++turns[step.place];
        }
        last[step.place] = i + 1;
      }
    }
  }
  std::array<std::uint8_t, 256> result{};
  for (std::size_t place = 0; place < result.size(); ++place) {
    if (turns[place] == 0) continue;
    const double mean = steps[place] / turns[place];
    result[place] = mean <= short_turn ? 4 : mean <= long_turn ? 2 : 1;
  }
  return result;
}

std::vector<Sample> loaded_ahead(std::vector<Sample> samples, const std::array<std::uint8_t, 256>& turns,
                                 const std::array<bool, 256>& in_company, bool writes_stop) {
  for (Sample& sample : samples) {
    for (BlockSteps& block : sample.stream.blocks) {
      for (WarpSteps& warp : block.warps) warp = loaded_ahead(warp, turns, in_company, writes_stop);
    }
  }
  return samples;
}

std::array<std::uint8_t, 256> turns_of_last_block(const Launch& launch) {
  Stream stream;
  stream.blocks = {launch.last_block->all};
  const auto found = launch.code ? launch.code->executed(accesses_of(stream)) : std::nullopt;
  const std::vector<LoadGroup> in_code = found ? found->loads_at_a_time : std::vector<LoadGroup>{};
  std::array<bool, 256> is_loop{};
  std::array<std::uint8_t, 256> bytes_of{};
  std::set<LoadGroup> counted;
  for (const WarpSteps& warp : launch.last_block->part.warps) {
    for (const Step& step : warp) bytes_of[step.place] = step.bytes;
    for_each_run(warp, [&](std::uint8_t place, std::size_t run) {
      const LoadGroup group{bytes_of[place], static_cast<unsigned>(run)};
      if (run > 1 && std::ranges::count(in_code, group) == 0) is_loop[place] = true;
      counted.insert({group.bytes, is_loop[place] ? 1 : group.loads});
    });
  }
  std::array<std::uint8_t, 256> result{};
  for (std::size_t place = 0; place < result.size(); ++place) {
    result[place] =
        static_cast<std::uint8_t>(is_loop[place] ? turns_at_a_time(in_code, counted, bytes_of[place]) : 0);
  }
  return result;
}

}  // namespace model
