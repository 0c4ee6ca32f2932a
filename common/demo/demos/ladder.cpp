// SPDX-License-Identifier: MIT
// All labs at once over the same input, with times to scale: those that docs/records holds of a GPU.
#include "measure/ladder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "demo/stage.hpp"
#include "facts/errors.hpp"
#include "measure/records.hpp"
#include "report/numbers.hpp"
#include "report/page/labs.hpp"

namespace demo {

namespace in_ladder {

constexpr int steps = 40;

// The lanes of the race: a record's title, time and colour.
struct Runner {
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
    runners.push_back({measure::title_of(record), record.time_ms->median,
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
    scene.frames.push_back(demonstration.frames.size());
    demonstration.frames.push_back(std::move(frame));
  }
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
    demonstration.notes.push_back(fmt::format("Median times measured on {}, {} (docs/records)",
                                              selected.machine.gpu.at("name"),
                                              ladder.lab().time.substr(0, 10)));
    break;
  }
  if (demonstration.scenes.empty()) throw facts::MachineError("docs/records holds no times of a GPU to show");
  demonstration.sources.push_back({.file = "docs/records"});
  return demonstration;
}

}  // namespace in_ladder

extern const Entry ladder_demo{"ladder", "all labs at once, with times to scale", in_ladder::make_ladder};

}  // namespace demo
