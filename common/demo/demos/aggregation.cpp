// SPDX-License-Identifier: MIT
// One thread goes through a text with long runs: with an atomic for each letter, and with one for each run.
// (PMPP, figure 9.15)
#include <fmt/core.h>

#include <algorithm>

#include "demo/panels.hpp"

namespace demo {

namespace in_aggregation {

constexpr std::size_t most_letters = 96;

void tell(Demonstration& demonstration, std::size_t run, const std::string& text,
          const std::vector<std::string>& labels, std::vector<std::size_t>& frames) {
  const facts::Trace& trace = demonstration.runs[run].trace;
  const auto input = input_of(trace);
  const auto is_atomic = [](const facts::TraceEvent& event) {
    return event.is_access() && event.step != facts::TraceStep::load && event.step != facts::TraceStep::store;
  };
  // The counters that the letters go to; what is added to others is the commit.
  const auto first = std::ranges::find_if(trace.events, is_atomic);
  const auto counted = first == trace.events.end() ? std::nullopt : std::optional(first->array);
  const unsigned each = counted ? first->size : 1;
  std::vector<Letter> state(text.size());
  Memory memory(trace);
  std::uint64_t atomics = 0, read = 0;
  const auto add = [&](std::size_t events, std::string caption, const std::vector<std::uint64_t>& now) {
    Frame frame{.caption = std::move(caption), .run = run, .events = events};
    if (events > 0) frame.line = demonstration.runs[run].lines[events - 1];
    frame.panels.push_back(letters("Read so far", text, state, input ? trace.arrays[*input].name : ""));
    if (counted)
      frame.panels.push_back(
          counters(trace.arrays[*counted].name, memory, *counted, each, labels, text.size(), now));
    frame.panels.push_back({.kind = Panel::Kind::cells,
                            .title = "So far",
                            .cells = {figure("letters read", read), figure("atomics", atomics)}});
    frames.push_back(demonstration.frames.size());
    demonstration.frames.push_back(std::move(frame));
  };
  add(0, "Nothing has been read", {});
  for (std::size_t e = 0; e < trace.events.size(); ++e) {
    const facts::TraceEvent& event = trace.events[e];
    memory.apply(event);
    const bool is_input = event.is_access() && input && event.array == *input;
    const bool is_count = is_atomic(event) && event.array == *counted;
    if (!is_input && !is_count) continue;
    const LaneAccess access = lanes_of(event).front();
    for (Letter& letter : state) letter.now = false;
    if (is_input && access.at < state.size()) state[access.at] = {1, true};
    read += is_input;
    atomics += is_count;
    add(e + 1, "The thread " + deed_text(trace, event, access),
        is_count ? std::vector<std::uint64_t>{access.at} : std::vector<std::uint64_t>{});
  }
  demonstration.frames.back().in_handout = true;
}

Demonstration make_aggregation(Stage& stage) {
  Demonstration demonstration;
  demonstration.question =
      "One thread counts this text. How many atomics does it need if it adds up equal neighbours first?";
  const std::string text =
      cut(demonstration, stage.options().text.value_or("aaaaaabbbbccccqqqqqqqqaa"), most_letters);
  const auto add = [&](const char* title, const char* lab) {
    Wish wish{.exercise = stage.exercise(lab), .text = text, .block = 1, .grid = 1};
    demonstration.sources.push_back(stage.source(wish));
    const std::size_t run = stage.run(demonstration, wish);
    Scene scene{.title = title, .source = demonstration.sources.size() - 1, .frames = {}};
    tell(demonstration, run, text, labels_of(stage.last()), scene.frames);
    demonstration.scenes.push_back(std::move(scene));
  };
  if (stage.options().lab.empty() && stage.options().file.empty()) {
    add("An atomic for each letter", "05/interleaved");
    add("An atomic for each run", "06");
  } else {
    add("The chosen kernel", "06");
  }
  return demonstration;
}

}  // namespace in_aggregation

extern const Entry aggregation_demo{"aggregation", "equal neighbours are added up before an atomic",
                                    in_aggregation::make_aggregation};

}  // namespace demo
