// SPDX-License-Identifier: MIT
// Which thread reads which byte in which step, and how many 32-byte sectors each step touches: contiguous and
// interleaved pieces. (PMPP, figures 9.11 to 9.14)
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "demo/panels.hpp"

namespace demo {

namespace in_partition {

constexpr std::uint64_t sector = 32;
constexpr unsigned threads = 8;
constexpr std::size_t length = 128;

void tell(Demonstration& demonstration, std::size_t run, std::vector<std::size_t>& frames) {
  const facts::Trace& trace = demonstration.runs[run].trace;
  const auto input = input_of(trace);
  std::vector<Cell> bytes(length, {.look = Look::quiet});
  std::set<std::uint64_t> seen;
  std::uint64_t requests = 0, sectors = 0;
  const auto add = [&](std::size_t events, std::string caption, std::size_t now) {
    Frame frame{.caption = std::move(caption), .run = run, .events = events};
    if (events > 0) frame.line = demonstration.runs[run].lines[events - 1];
    frame.panels.push_back({.kind = Panel::Kind::cells,
                            .title = "Each byte with the thread that has read it; 32 bytes are a sector",
                            .cells = bytes,
                            .per_row = sector});
    frame.panels.push_back(
        {.kind = Panel::Kind::cells,
         .title = "Requests and sectors",
         .cells = {figure("sectors of this request", now, now > 1 ? Look::bad : Look::plain),
                   figure("requests so far", requests), figure("sectors so far", sectors)}});
    frames.push_back(demonstration.frames.size());
    demonstration.frames.push_back(std::move(frame));
  };
  add(0, "Nothing has been read", 0);
  for (std::size_t e = 0; e < trace.events.size(); ++e) {
    const facts::TraceEvent& event = trace.events[e];
    if (!event.is_access() || !input || event.array != *input) continue;
    for (Cell& cell : bytes) {
      if (cell.look == Look::now) cell.look = Look::plain;
    }
    std::set<std::uint64_t> touched;
    for (const LaneAccess& access : lanes_of(event)) {
      for (std::uint64_t at = access.at; at < access.at + event.size; ++at) {
        touched.insert(at / sector);
        if (at < bytes.size())
          bytes[at] = {.text = std::to_string(access.lane), .series = access.lane + 1, .look = Look::now};
      }
    }
    ++requests;
    sectors += touched.size();
    add(e + 1,
        fmt::format("{} in one request: {} sector{}", instruction_text(trace, event), touched.size(),
                    touched.size() == 1 ? "" : "s"),
        touched.size());
    if (requests == 1) demonstration.frames.back().in_handout = true;
  }
  demonstration.frames.back().in_handout = true;
}

Demonstration make_partition(Stage& stage) {
  Demonstration demonstration;
  demonstration.question = "Eight threads read 16 bytes each. Which order of reading makes fewer sectors?";
  const auto add = [&](const char* title, const char* lab) {
    Wish wish{
        .exercise = stage.exercise(lab), .text = usual_text(stage, length), .block = threads, .grid = 1};
    demonstration.sources.push_back(stage.source(wish));
    const std::size_t run = stage.run(demonstration, wish);
    Scene scene{.title = title, .source = demonstration.sources.size() - 1, .frames = {}};
    tell(demonstration, run, scene.frames);
    demonstration.scenes.push_back(std::move(scene));
  };
  if (stage.options().lab.empty() && stage.options().file.empty()) {
    add("Contiguous pieces", "05/contiguous");
    add("Interleaved", "05/interleaved");
  } else {
    add("The chosen kernel", "05/interleaved");
  }
  return demonstration;
}

}  // namespace in_partition

extern const Entry partition_demo{"partition", "which thread reads which byte, and the sectors that it takes",
                                  in_partition::make_partition};

}  // namespace demo
