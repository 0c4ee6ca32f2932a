// SPDX-License-Identifier: MIT
#include "report/page/ladders.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace report::page {

namespace {

// What one run of `lab bench` or `lab tour` has made: a rung that comes a second time is of the next run.
std::vector<Ladder> runs_of(const std::vector<Record>& records, const std::string& kind) {
  std::vector<Ladder> runs;
  std::map<std::tuple<std::string, std::string, std::string, std::uint64_t>, std::size_t> latest;
  for (const Record& record : records) {
    if (record.kind != kind) continue;
    const auto [entry, is_new] =
        latest.try_emplace({record.command, record.input, record.binning, record.length}, runs.size());
    const auto is_same_rung = [&](const Record& other) {
      return std::tie(record.lab, record.exercise, record.backend) ==
             std::tie(other.lab, other.exercise, other.backend);
    };
    if (is_new || std::ranges::any_of(runs[entry->second].rungs, is_same_rung)) {
      entry->second = runs.size();
      runs.emplace_back();
    }
    runs[entry->second].rungs.push_back(record);
  }
  for (Ladder& run : runs) {
    run.timed = std::ranges::any_of(run.rungs,
                                    [](const Record& rung) { return rung.backend == "gpu" && rung.time_ms; });
  }
  // Nothing to show: all failed, or lab 01 alone.
  std::erase_if(runs, [](const Ladder& run) {
    return !run.timed && std::ranges::none_of(run.rungs, [](const Record& rung) {
      return rung.passed() && !rung.counters.empty();
    });
  });
  return runs;
}

using Identity = std::tuple<std::string, std::string, std::string, std::uint64_t, bool>;

Identity identity_of(const Ladder& ladder) {
  const Record& lab = ladder.lab();
  return {lab.tree, lab.input, lab.binning, lab.length, ladder.timed};
}

// Of each identity the newest, in their order.
std::vector<Ladder> newest(const std::vector<Ladder>& all) {
  std::map<Identity, std::size_t> last;
  for (std::size_t i = 0; i < all.size(); ++i) last[identity_of(all[i])] = i;
  std::vector<Ladder> kept;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (last.at(identity_of(all[i])) == i) kept.push_back(all[i]);
  }
  return kept;
}

const Record* find_passed(const std::vector<Record>& rungs, std::string_view lab, std::string_view exercise) {
  const auto found = std::ranges::find_if(rungs, [&](const Record& rung) {
    return rung.lab == lab && rung.exercise == exercise && rung.passed() && rung.time_ms;
  });
  return found == rungs.end() ? nullptr : &*found;
}

}  // namespace

const Record& Ladder::lab() const {
  const auto found = std::ranges::find_if(rungs, [](const Record& rung) { return !rung.is_peer(); });
  return found == rungs.end() ? rungs.front() : *found;
}

const Record* Ladder::read_limit() const { return find_passed(rungs, "peers", "read"); }

const Record* Ladder::cpu_baseline() const { return find_passed(rungs, "01_sequential", "histogram"); }

std::vector<Ladder> ladders(const std::vector<Record>& records) {
  std::vector<Ladder> kept = newest(runs_of(records, "bench"));
  const std::vector<Ladder> tours = newest(runs_of(records, "tour"));
  for (const bool timed : {true, false}) {
    const auto is_such = [&](const Ladder& ladder) { return ladder.timed == timed; };
    if (std::ranges::none_of(kept, is_such)) std::ranges::copy_if(tours, std::back_inserter(kept), is_such);
  }
  return kept;
}

}  // namespace report::page
