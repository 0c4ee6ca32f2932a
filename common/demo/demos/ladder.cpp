// SPDX-License-Identifier: MIT
// All labs at once over the same input, with times to scale, and then what holds each of them back: times and
// profiles that docs/records holds of a GPU.
#include "measure/ladder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "demo/stage.hpp"
#include "facts/errors.hpp"
#include "measure/ncu/bound.hpp"
#include "measure/records.hpp"
#include "report/numbers.hpp"
#include "report/page/labs.hpp"

namespace demo {

namespace in_ladder {

constexpr int steps = 40;

// The lanes of the race: a record, its title, time and colour.
struct Runner {
  measure::Record record;
  std::string title;
  double time_ms;
  unsigned series;
};

std::vector<Runner> runners_of(const measure::Ladder& ladder) {
  std::vector<Runner> runners;
  for (const measure::Rung& rung : ladder.rungs) {
    const measure::Record& record = rung.record;
    if (!record.is_timed() || !traits_of(record.backend).accelerator) continue;
    const int series = report::page::series_of(record);
    runners.push_back({record, measure::title_of(record), record.time_ms->median,
                       series < 0 ? 0 : static_cast<unsigned>(series) + 1});
  }
  return runners;
}

void tell(Demonstration& demonstration, const std::vector<Runner>& runners, Scene& scene) {
  const double slowest = std::ranges::max(runners, {}, &Runner::time_ms).time_ms;
  for (int step = 0; step <= steps; ++step) {
    // The fast ones are told apart in the first moments.
    const double now = slowest * std::pow(static_cast<double>(step) / steps, 2);
    Panel panel{.kind = Panel::Kind::bars, .title = "The part of its time that each has run"};
    std::size_t done = 0;
    for (const Runner& runner : runners) {
      const bool is_done = now >= runner.time_ms;
      done += is_done;
      panel.cells.push_back({.text = is_done ? report::duration_text(runner.time_ms) : "",
                             .label = runner.title,
                             .series = runner.series,
                             .look = is_done ? Look::now : Look::plain,
                             .share = std::min(1.0, now / runner.time_ms)});
    }
    Frame frame{.caption = fmt::format("After {}: {} of {} are done", report::duration_text(now), done,
                                       runners.size())};
    frame.panels.push_back(std::move(panel));
    frame.in_handout = step == steps / 2 || step == steps;
    scene.frames.push_back(add_frame(demonstration, std::move(frame)));
  }
}

double elements_of_thread(const measure::Record& record) {
  return static_cast<double>(record.length) /
         (static_cast<double>(record.launch.grid) * static_cast<double>(record.launch.block));
}

// The newest profile of a launch like this one: as many threads per block and, but for a tenth, as many
// elements per thread. nullptr: there is none.
const measure::Record* profile_of(const measure::Record& timed, const std::vector<measure::Record>& records) {
  const auto found = std::find_if(records.rbegin(), records.rend(), [&](const measure::Record& other) {
    constexpr double tolerance = 1.1;
    if (other.kind != "profile" || other.figures.empty() || !other.passed() ||
        !other.exercise.is_same(timed.exercise) || other.tree != timed.tree ||
        other.variant != timed.variant || other.input != timed.input ||
        other.launch.block != timed.launch.block)
      return false;
    const double ratio = elements_of_thread(other) / elements_of_thread(timed);
    return ratio < tolerance && ratio > 1 / tolerance;
  });
  return found == records.rend() ? nullptr : &*found;
}

std::string value_text(const measure::MeasuredBound& bound) {
  return bound.is_share ? fmt::format("{:.0f} %", bound.value)
                        : fmt::format("{} warps", report::number_text(bound.value, 2));
}

// What holds each profiled lab back, one after the other, so that the audience may guess.
void tell_bounds(Demonstration& demonstration, const std::vector<Runner>& runners,
                 const std::vector<measure::Record>& records, Scene& scene) {
  struct Bounded {
    const Runner* runner;
    measure::MeasuredBound bound;
  };
  std::vector<Bounded> all;
  for (const Runner& runner : runners) {
    const measure::Record* const profile = profile_of(runner.record, records);
    if (!profile) continue;
    if (const auto bound = measure::bound_of(profile->figures)) all.push_back({&runner, *bound});
  }
  for (std::size_t shown = 0; shown <= all.size(); ++shown) {
    Panel panel{.kind = Panel::Kind::table,
                .title = "What the profiler says",
                .headings = {"lab", "time", "held back because", "measured"}};
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool is_known = i < shown;
      const Look look = i + 1 == shown ? Look::now : Look::plain;
      panel.cells.push_back({.text = all[i].runner->title, .series = all[i].runner->series, .look = look});
      panel.cells.push_back({.text = report::duration_text(all[i].runner->time_ms), .look = look});
      panel.cells.push_back({.text = is_known ? std::string(all[i].bound.words) : "?", .look = look});
      panel.cells.push_back({.text = is_known ? value_text(all[i].bound) : "", .look = look});
    }
    Frame frame{.caption = "What holds each lab back"};
    if (shown > 0) {
      const Bounded& now = all[shown - 1];
      frame.caption = fmt::format("{}: {} ({}: {})", now.runner->title, now.bound.words, now.bound.figure,
                                  value_text(now.bound));
    }
    frame.panels.push_back(std::move(panel));
    scene.frames.push_back(add_frame(demonstration, std::move(frame)));
  }
  demonstration.frames.back().in_handout = true;
}

Demonstration make_ladder(Stage& stage) {
  Demonstration demonstration;
  demonstration.question = "Which lab is done first, and how much earlier than lab 02?";
  std::vector<nlohmann::ordered_json> kept;
  for (const std::string& file : measure::record_files(measure::recorded_elsewhere(stage.workbook()))) {
    for (nlohmann::ordered_json& json : measure::read_records(file).records) {
      if (json.value("backend", "") != name_of(facts::simulator)) kept.push_back(std::move(json));
    }
  }
  const measure::Selected selected = measure::select(kept);
  const std::string course = stage.exercise("02").problem;
  for (const measure::Ladder& ladder : measure::ladders(selected.records)) {
    const std::vector<Runner> runners = ladder.timed ? runners_of(ladder) : std::vector<Runner>();
    if (runners.size() < 3 || ladder.lab().exercise.problem != course ||
        !report::page::is_usual(ladder.lab()))
      continue;
    Scene scene{
        .title = fmt::format("{} of {}", report::bytes_text(ladder.lab().bytes()), ladder.lab().input),
        .frames = {}};
    tell(demonstration, runners, scene);
    demonstration.scenes.push_back(std::move(scene));
    Scene bounds{.title = "What holds each back", .frames = {}};
    tell_bounds(demonstration, runners, selected.records, bounds);
    if (bounds.frames.size() > 1) demonstration.scenes.push_back(std::move(bounds));
    demonstration.notes.push_back(fmt::format("Median times measured on {}, {} (docs/records)",
                                              selected.machine.gpu.at("name"),
                                              ladder.lab().time.substr(0, 10)));
    demonstration.notes.push_back(
        "Bounds are those of ncu, of launches like these: the unit that is busy for 60 % of its throughput "
        "or "
        "more, else what most warps wait for, counted in warps that wait for each instruction issued "
        "(docs/profiling.md)");
    break;
  }
  if (demonstration.scenes.empty()) throw facts::MachineError("docs/records holds no times of a GPU to show");
  demonstration.sources.push_back({.file = "docs/records"});
  return demonstration;
}

}  // namespace in_ladder

extern const Entry ladder_demo{"ladder",
                               "all labs at once, with times to scale",
                               in_ladder::make_ladder,
                               {.kernel = false, .text = false}};

}  // namespace demo
