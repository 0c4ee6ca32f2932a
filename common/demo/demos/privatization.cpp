// SPDX-License-Identifier: MIT
// Atomics on one set of counters, and on a copy for each block that is added to it in the end. (PMPP,
// figures 9.8 to 9.10)
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "demo/findings.hpp"
#include "demo/panels.hpp"

namespace demo {

namespace in_privatization {

constexpr unsigned threads = 8, blocks = 4;

// A row of counters: an array of a block, or one of several copies that lie one behind the other.
struct Row {
  std::string name;
  std::uint64_t array, begin, block;
};

// Which events are shown: atomics, what a check has found fault with, and where there are no atomics, all
// accesses to the output.
std::vector<bool> shown_events(const Run& run) {
  const facts::Trace& trace = run.trace;
  const bool has_atomics = std::ranges::any_of(trace.events, is_atomic);
  const auto output = output_of(trace);
  std::vector<bool> shown;
  for (const facts::TraceEvent& event : trace.events)
    shown.push_back(is_atomic(event) ||
                    (!has_atomics && output && event.is_access() && event.array == *output));
  for (const FaultyAccess& access : run.faulty) shown[access.event] = true;
  return shown;
}

// The output's copies, and the shared arrays that the events are about.
std::vector<Row> rows_of(const facts::Trace& trace, const std::vector<bool>& shown, unsigned each,
                         std::size_t counters) {
  std::vector<Row> rows;
  for (std::size_t a = 0; a < trace.arrays.size(); ++a) {
    bool counts = false;
    for (std::size_t e = 0; e < shown.size(); ++e) counts |= shown[e] && trace.events[e].array == a;
    if (!counts) continue;
    const facts::TraceArray& array = trace.arrays[a];
    const std::uint64_t copies =
        array.shared ? blocks : std::max<std::uint64_t>(1, array.bytes / (each * counters));
    for (std::uint64_t copy = 0; copy < copies; ++copy) {
      rows.push_back({copies == 1 ? array.name : fmt::format("{}, block {}", array.name, copy), a,
                      array.shared ? 0 : copy * each * counters, array.shared ? copy : 0});
    }
  }
  return rows;
}

std::vector<std::size_t> tell(Demonstration& demonstration, std::size_t run,
                              const std::vector<std::string>& labels) {
  std::vector<std::size_t> frames;
  const facts::Trace& trace = demonstration.runs[run].trace;
  unsigned each = 1;
  for (const facts::TraceEvent& event : trace.events) {
    if (event.is_access() && event.step != facts::TraceStep::load) each = std::max(each, event.size);
  }
  const std::vector<bool> shown = shown_events(demonstration.runs[run]);
  const std::vector<Row> rows = rows_of(trace, shown, each, labels.size());
  Memory memory(trace);
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, std::uint64_t> atomics;
  std::uint64_t busiest = 0, made = 0;
  const auto add = [&](std::size_t events, std::string caption, std::optional<Element> now,
                       const std::optional<Mark>& mark) {
    Frame frame = frame_after(demonstration, run, events, std::move(caption));
    Panel table{.kind = Panel::Kind::table, .title = "The counters", .headings = {"copy"}};
    table.headings.insert(table.headings.end(), labels.begin(), labels.end());
    for (const Row& row : rows) {
      table.cells.push_back({.text = row.name, .look = Look::quiet});
      for (std::size_t i = 0; i < labels.size(); ++i) {
        const Element element{row.array, row.begin + i * each, row.block};
        const bool here =
            now && now->array == element.array && now->at == element.at && now->block == element.block;
        table.cells.push_back({.text = memory.text(element),
                               .look = here ? Look::now : Look::plain,
                               .shows = element,
                               .mark = here ? mark : std::nullopt});
      }
    }
    frame.panels.push_back(std::move(table));
    frame.panels.push_back({.kind = Panel::Kind::cells,
                            .title = "Atomics so far",
                            .cells = {figure("all", made), figure("on the busiest counter", busiest)}});
    frames.push_back(add_frame(demonstration, std::move(frame)));
  };
  add(0, "Nothing has happened yet", std::nullopt, std::nullopt);
  for (std::size_t e = 0; e < trace.events.size(); ++e) {
    const facts::TraceEvent& event = trace.events[e];
    memory.apply(event);
    if (!shown[e]) continue;
    const LaneAccess access = lanes_of(event).front();
    const Element element{event.array, access.at, trace.arrays[event.array].shared ? event.block : 0};
    if (is_atomic(event)) {
      ++made;
      busiest = std::max(busiest, ++atomics[{element.array, element.at, element.block}]);
    }
    add(e + 1,
        fmt::format("Thread {} of block {} {}", event.warp * lanes_of_warp + access.lane, event.block,
                    deed_text(trace, event, access)),
        element, mark_of(demonstration.runs[run], e, access.lane));
  }
  demonstration.frames.back().in_handout = true;
  return frames;
}

Demonstration make_privatization(Stage& stage) {
  Demonstration demonstration;
  demonstration.question =
      "Four blocks of eight threads count 32 letters. How many atomics does the busiest counter get: with "
      "one histogram, "
      "and with a copy for each block?";
  add_scenes(stage, demonstration,
             {{"One for all", "02"},
              {"A copy for each block, in global memory", "03"},
              {"A copy for each block, in shared memory", "04"}},
             {.exercise = {},
              .text = usual_text(stage, std::size_t{threads} * blocks),
              .block = threads,
              .grid = blocks,
              .lockstep_seed = stage.seed(),
              .blocks = blocks},
             [&](std::size_t run) { return tell(demonstration, run, labels_of(stage.last())); });
  return demonstration;
}

}  // namespace in_privatization

extern const Entry privatization_demo{"privatization",
                                      "one set of counters, or a copy for each block",
                                      in_privatization::make_privatization,
                                      {.seed = true}};

}  // namespace demo
