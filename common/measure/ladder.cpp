// SPDX-License-Identifier: MIT
#include "measure/ladder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "build/runner.hpp"
#include "judge/build.hpp"
#include "judge/check.hpp"
#include "measure/gpu_device.hpp"

namespace measure {

namespace {

// Threads of the peer that uses all of them, and of its machine's libraries.
constexpr unsigned most_threads = 4096;

using problems::Peer;

std::string runner_of(const workbook::Workbook& workbook, const problems::Reference& reference,
                      const Peer& peer) {
  return fmt::format("{}/common/problems/{}/peers/{}.{}", workbook.build_root, reference.problem().name(),
                     peer.name, name_of(peer.backend));
}

// Rungs with their contenders; a rung that cannot be measured has its finding instead.
class Field {
 public:
  Field(const workbook::Workbook& workbook, const Record& asked, const LadderOptions& options)
      : workbook_(workbook), asked_(asked), options_(options) {}

  void add(const workbook::ExerciseInfo& exercise, facts::Backend backend) {
    const workbook::Tree tree = exercise.is_variant() ? workbook::Tree::solution : options_.tree;
    const workbook::Target target = workbook_.target(exercise, tree, backend);
    std::optional<facts::Finding> finding = judge::not_started(workbook_, target);
    if (!finding) finding = judge::missing_backend(workbook_, backend);
    if (!finding) finding = judge::build_runner(workbook_, target);
    Contender contender{.settings = judge::runner_settings(target), .block = {}, .grid = {}, .asked = asked_};
    contender.asked.tree = name_of(tree);
    contender.asked.exercise = exercise;
    contender.asked.backend = backend;
    add(std::move(contender), finding);
  }

  void add(const Peer& peer, std::optional<unsigned> block = {}, std::optional<unsigned> grid = {}) {
    const std::string runner = runner_of(workbook_, *options_.reference, peer);
    std::optional<facts::Finding> finding;
    if (os::CommandResult built = build::update(workbook_, {runner}); built.code != 0) {
      finding = facts::Finding{facts::Verdict::build_error, built.output};
    }
    Contender contender{judge::runner_settings(runner, peer.backend), block, grid, peer.computes, asked_};
    contender.settings.limits.processes = most_threads;
    contender.asked.tree = peer_tree;
    contender.asked.exercise = {"peers", peer.name, "", true,
                                std::string(options_.reference->problem().name())};
    contender.asked.backend = peer.backend;
    add(std::move(contender), finding);
  }

  // The records, measured.
  std::vector<Record> measured(const problems::Input& input, const std::string& part) {
    ContestOptions options{.reference = options_.reference,
                           .variant = asked_.variant,
                           .rule = options_.rule,
                           .highest_clock_mhz = highest_clock_mhz(gpu_device(workbook_))};
    options.progress = [&](double fraction) {
      if (options_.progress) options_.progress(part, fraction);
    };
    std::vector<Record> measured = contest(contenders_, input, options);
    for (std::size_t i = 0; i < measured.size(); ++i) records_[places_[i]] = std::move(measured[i]);
    return std::move(records_);
  }

 private:
  void add(Contender contender, const std::optional<facts::Finding>& finding) {
    records_.push_back(contender.asked);
    if (finding) {
      records_.back().finding = *finding;
    } else {
      places_.push_back(records_.size() - 1);
      contenders_.push_back(std::move(contender));
    }
  }

  const workbook::Workbook& workbook_;
  const Record& asked_;
  const LadderOptions& options_;
  std::vector<Record> records_;
  std::vector<Contender> contenders_;
  std::vector<std::size_t> places_;  // of each contender among the records
};

// The launch with which reading alone is fastest here.
ReadLaunch best_read(const workbook::Workbook& workbook, const Peer& limit, const problems::Input& input,
                     const Record& asked, const LadderOptions& options) {
  Field field(workbook, asked, options);
  if (options.read_launch && options.read_launch->bytes == input.length()) return *options.read_launch;
  std::vector<ReadLaunch> launches;
  for (const unsigned block : {256u, 512u, 1024u}) {
    for (const unsigned blocks_each : {2u, 8u, 32u}) {
      launches.push_back({input.length(), block, blocks_each * multiprocessors(workbook, limit.backend)});
      field.add(limit, launches.back().block, launches.back().grid);
    }
  }
  const std::vector<Record> tried = field.measured(input, "the read limit");
  std::size_t best = 0;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    const auto& time = tried[i].time_ms;
    const auto& best_time = tried[best].time_ms;
    if (time && (!best_time || time->median < best_time->median)) best = i;
  }
  if (options.read_launch) *options.read_launch = launches[best];
  return launches[best];
}

// What one run of `lab bench` or `lab tour` has made: a rung that comes a second time is of the next run.
std::vector<std::vector<Record>> runs_of(const std::vector<Record>& records, const std::string& kind) {
  std::vector<std::vector<Record>> runs;
  std::map<std::tuple<std::string, std::string, std::string, std::uint64_t>, std::size_t> latest;
  for (const Record& record : records) {
    if (record.kind != kind) continue;
    const auto [entry, is_new] =
        latest.try_emplace({record.command, record.input, record.variant, record.length}, runs.size());
    const auto is_same_rung = [&](const Record& other) {
      return record.exercise.is_same(other.exercise) && record.backend == other.backend;
    };
    if (is_new || std::ranges::any_of(runs[entry->second], is_same_rung)) {
      entry->second = runs.size();
      runs.emplace_back();
    }
    runs[entry->second].push_back(record);
  }
  return runs;
}

// Whether there is something to show: not where all failed, or only the CPU was measured.
bool has_results(const Ladder& ladder) {
  return ladder.timed || std::ranges::any_of(ladder.rungs, [](const Rung& rung) {
           return rung.record.passed() && !rung.record.counters.empty();
         });
}

auto identity_of(const Ladder& ladder) {
  const Record& lab = ladder.lab();
  return std::tuple(lab.tree, lab.input, lab.variant, lab.length, lab.warm_cache, ladder.timed);
}

// Of each identity the newest, in their order.
std::vector<Ladder> newest_ladders(const std::vector<Record>& records, const std::string& kind) {
  std::vector<Ladder> kept;
  for (std::vector<Record>& run : runs_of(records, kind)) {
    Ladder ladder = compared(std::move(run));
    if (!has_results(ladder)) continue;
    std::erase_if(kept, [&](const Ladder& older) { return identity_of(older) == identity_of(ladder); });
    kept.push_back(std::move(ladder));
  }
  return kept;
}

template <class IsMeant>
const Record* find_timed(const std::vector<Rung>& rungs, IsMeant is_meant) {
  const auto found = std::ranges::find_if(
      rungs, [&](const Rung& rung) { return rung.record.is_timed() && is_meant(rung.record); });
  return found == rungs.end() ? nullptr : &found->record;
}

Gain gain_over(const Summary& before, const Summary& here) {
  return {before.median / here.median, is_faster(here, before) || is_faster(before, here)};
}

}  // namespace

const Peer* find_peer(std::string_view name) {
  for (const problems::Problem* const problem : problems::problems()) {
    for (const Peer& peer : problems::reference_of(problem->name()).peers()) {
      if (peer.name == name) return &peer;
    }
  }
  return nullptr;
}

const Record& Ladder::lab() const {
  const auto found = std::ranges::find_if(rungs, [](const Rung& rung) { return !rung.record.is_peer(); });
  return found == rungs.end() ? rungs.front().record : found->record;
}

const Record* Ladder::limit() const {
  return find_timed(rungs, [](const Record& record) {
    const Peer* const peer = record.is_peer() ? find_peer(record.exercise.name) : nullptr;
    return peer && peer->is_limit;
  });
}

const Record* Ladder::cpu_baseline() const {
  return find_timed(rungs,
                    [](const Record& record) { return !record.is_peer() && !record.exercise.launched; });
}

Ladder compared(std::vector<Record> records) {
  Ladder ladder;
  for (Record& record : records) ladder.rungs.push_back({std::move(record)});
  ladder.timed = std::ranges::any_of(ladder.rungs, [](const Rung& rung) {
    return traits_of(rung.record.backend).accelerator && rung.record.time_ms;
  });
  const Record *const limit = ladder.limit(), *const cpu = ladder.cpu_baseline(), *before = nullptr;
  for (Rung& rung : ladder.rungs) {
    if (!rung.record.is_timed()) continue;
    const Summary& time = *rung.record.time_ms;
    if (limit && rung.record.backend == limit->backend) rung.of_limit = limit->time_ms->median / time.median;
    if (cpu) rung.over_cpu = cpu->time_ms->median / time.median;
    if (rung.record.is_peer()) continue;
    if (before) rung.over_before = gain_over(*before->time_ms, time);
    before = &rung.record;
  }
  return ladder;
}

std::vector<Ladder> ladders(const std::vector<Record>& records) {
  std::vector<Ladder> kept = newest_ladders(records, "bench");
  const std::vector<Ladder> tours = newest_ladders(records, "tour");
  for (const bool timed : {true, false}) {
    const auto is_such = [&](const Ladder& ladder) { return ladder.timed == timed; };
    if (std::ranges::none_of(kept, is_such)) std::ranges::copy_if(tours, std::back_inserter(kept), is_such);
  }
  return kept;
}

Ladder measured_ladder(const workbook::Workbook& workbook, const problems::Input& input, const Record& asked,
                       const LadderOptions& options) {
  const problems::Reference& reference = *options.reference;
  const auto add_labs = [&](Field& field, facts::Backend backend) {
    for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
      const bool runs_there = exercise.launched == traits_of(backend).launches;
      if (runs_there && exercise.problem == reference.problem().name()) field.add(exercise, backend);
    }
  };
  // The CPU apart: it would keep the GPU waiting.
  Field cpu(workbook, asked, options), gpu(workbook, asked, options);
  add_labs(cpu, facts::without_kernels);
  for (const Peer& peer : reference.peers()) {
    if (peer.backend == facts::without_kernels) cpu.add(peer);
  }
  std::vector<Record> records = cpu.measured(input, "the CPU");

  add_labs(gpu, facts::accelerator);
  const auto limit = std::ranges::find_if(reference.peers(), &Peer::is_limit);
  const ReadLaunch read = best_read(workbook, *limit, input, asked, options);
  for (const Peer& peer : reference.peers()) {
    if (peer.backend != facts::accelerator) continue;
    // Sweeps over memory are launched as the limit is; what computes has a launch of its own.
    using Number = std::optional<unsigned>;
    gpu.add(peer, peer.computes ? Number() : read.block, peer.computes ? Number() : read.grid);
  }
  for (Record& record : gpu.measured(input, "the labs and their peers")) records.push_back(std::move(record));
  return compared(std::move(records));
}

std::vector<Record> measured_versions(const workbook::Workbook& workbook,
                                      const std::vector<workbook::ExerciseInfo>& versions,
                                      const problems::Input& input, const Record& asked,
                                      const LadderOptions& options) {
  Field field(workbook, asked, options);
  for (const workbook::ExerciseInfo& version : versions) field.add(version, facts::accelerator);
  return field.measured(input, "the solutions and their variants");
}

}  // namespace measure
