// SPDX-License-Identifier: MIT
#include "measure/ladder.hpp"

#include <fmt/core.h>

#include <algorithm>

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

Rung rung_of(const problems::Reference& reference, const Peer& peer) {
  return {{"peers", peer.name, "", true, std::string(reference.problem().name())}, peer, peer.backend, {}};
}

// Rungs with their contenders; a rung that cannot be measured has its finding instead.
class Field {
 public:
  Field(const workbook::Workbook& workbook, const LadderOptions& options)
      : workbook_(workbook), options_(options) {}

  void add(const workbook::ExerciseInfo& exercise, facts::Backend backend) {
    Rung rung{exercise, std::nullopt, backend, {}};
    std::optional<facts::Finding> finding = judge::not_started(workbook_, exercise, options_.tree);
    if (!finding) finding = judge::missing_backend(workbook_, backend);
    if (!finding) finding = judge::build_runner(workbook_, exercise, options_.tree, backend);
    const Contender contender{
        .settings = judge::runner_settings(workbook_.runner(exercise, options_.tree, backend), backend),
        .block = {},
        .grid = {}};
    add(std::move(rung), contender, finding);
  }

  void add(const Peer& peer, std::optional<unsigned> block = {}, std::optional<unsigned> grid = {}) {
    const std::string runner = runner_of(workbook_, *options_.reference, peer);
    std::optional<facts::Finding> finding;
    if (os::CommandResult built = build::update(workbook_, {runner}); built.code != 0) {
      finding = facts::Finding{facts::Verdict::build_error, built.output};
    }
    Contender contender{judge::runner_settings(runner, peer.backend), block, grid, peer.computes};
    contender.settings.limits.processes = most_threads;
    add(rung_of(*options_.reference, peer), contender, finding);
  }

  // The rungs, measured.
  std::vector<Rung> measured(const problems::Input& input, const std::string& what) {
    ContestOptions options{.reference = options_.reference,
                           .binning = options_.binning,
                           .rule = options_.rule,
                           .highest_clock_mhz = highest_clock_mhz(gpu_device(workbook_))};
    options.progress = [&](double fraction) {
      if (options_.progress) options_.progress(what, fraction);
    };
    std::vector<RunReport> reports = contest(contenders_, input, options);
    for (std::size_t i = 0; i < reports.size(); ++i) rungs_[places_[i]].report = std::move(reports[i]);
    return std::move(rungs_);
  }

 private:
  void add(Rung rung, Contender contender, const std::optional<facts::Finding>& finding) {
    if (finding) {
      rung.report.finding = *finding;
    } else {
      places_.push_back(rungs_.size());
      contenders_.push_back(std::move(contender));
    }
    rungs_.push_back(std::move(rung));
  }

  const workbook::Workbook& workbook_;
  const LadderOptions& options_;
  std::vector<Rung> rungs_;
  std::vector<Contender> contenders_;
  std::vector<std::size_t> places_;  // of each contender among the rungs
};

unsigned multiprocessors(const workbook::Workbook& workbook) {
  const auto& properties = gpu_device(workbook).properties;
  const auto found = properties.find("multiprocessors");
  return found == properties.end() ? 1 : static_cast<unsigned>(std::stoul(found->second));
}

// The launch with which reading alone is fastest here.
Contender best_read(const workbook::Workbook& workbook, const Peer& limit, const problems::Input& input,
                    const LadderOptions& options) {
  Field field(workbook, options);
  std::vector<Contender> launches;
  for (const unsigned block : {256u, 512u, 1024u}) {
    for (const unsigned blocks_each : {2u, 8u, 32u}) {
      launches.push_back({{}, block, blocks_each * multiprocessors(workbook)});
      field.add(limit, launches.back().block, launches.back().grid);
    }
  }
  const std::vector<Rung> tried = field.measured(input, "the read limit");
  std::size_t best = 0;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    const auto& time = tried[i].report.time_ms;
    const auto& best_time = tried[best].report.time_ms;
    if (time && (!best_time || time->median < best_time->median)) best = i;
  }
  return launches[best];
}

}  // namespace

std::string_view description_of_peer(std::string_view name) {
  for (const problems::Problem* const problem : problems::problems()) {
    for (const Peer& peer : problems::reference_of(problem->name()).peers()) {
      if (peer.name == name) return peer.description;
    }
  }
  return name;
}

std::vector<Rung> ladder(const workbook::Workbook& workbook, const problems::Input& input,
                         const LadderOptions& options) {
  const problems::Reference& reference = *options.reference;
  const auto add_labs = [&](Field& field, facts::Backend backend) {
    for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
      const bool runs_there = exercise.launched == (backend == facts::Backend::gpu);
      if (runs_there && exercise.problem == reference.problem().name()) field.add(exercise, backend);
    }
  };
  // The CPU apart: it would keep the GPU waiting.
  Field cpu(workbook, options), gpu(workbook, options);
  add_labs(cpu, facts::Backend::cpu);
  for (const Peer& peer : reference.peers()) {
    if (peer.backend == facts::Backend::cpu) cpu.add(peer);
  }
  std::vector<Rung> rungs = cpu.measured(input, "the CPU");

  add_labs(gpu, facts::Backend::gpu);
  const auto limit = std::ranges::find_if(reference.peers(), &Peer::is_limit);
  const Contender read = best_read(workbook, *limit, input, options);
  for (const Peer& peer : reference.peers()) {
    if (peer.backend != facts::Backend::gpu) continue;
    // Sweeps over memory are launched as the limit is; what computes has a launch of its own.
    gpu.add(peer, peer.computes ? std::nullopt : read.block, peer.computes ? std::nullopt : read.grid);
  }
  for (Rung& rung : gpu.measured(input, "the labs and their peers")) rungs.push_back(std::move(rung));
  return rungs;
}

}  // namespace measure
