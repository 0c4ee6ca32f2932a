// SPDX-License-Identifier: MIT
// One thread goes through a text with long runs: with an atomic for each letter, and with one for each run.
// (PMPP, figure 9.15)
#include <fmt/core.h>

#include <algorithm>

#include "demo/findings.hpp"
#include "demo/panels.hpp"

namespace demo {

namespace in_aggregation {

constexpr std::size_t most_letters = 96;

std::vector<std::size_t> tell(Demonstration& demonstration, std::size_t run, const std::string& text,
                              const std::vector<std::string>& labels) {
  std::vector<std::size_t> frames;
  const facts::Trace& trace = demonstration.runs[run].trace;
  const auto input = input_of(trace);
  // The counters that the letters go to; what is added to others is the commit.
  const auto first = std::ranges::find_if(trace.events, is_atomic);
  const auto counted = first == trace.events.end() ? std::nullopt : std::optional(first->array);
  const unsigned each = counted ? first->size : 1;
  std::vector<Letter> state(text.size());
  Memory memory(trace);
  std::uint64_t atomics = 0, read = 0, added = 0;
  const auto add = [&](std::size_t events, std::string caption, const std::vector<std::uint64_t>& now,
                       const std::optional<Mark>& mark) {
    Frame frame = frame_after(demonstration, run, events, std::move(caption));
    frame.panels.push_back(letters("Read so far", text, state, input ? trace.arrays[*input].name : ""));
    if (counted)
      frame.panels.push_back(
          counters(trace.arrays[*counted].name, memory, *counted, each, labels, text.size(), now, mark));
    frame.panels.push_back({.kind = Panel::Kind::cells,
                            .title = "So far",
                            .cells = {figure("letters read", read),
                                      figure("not yet in a counter", read > added ? read - added : 0),
                                      figure("atomics", atomics)}});
    frames.push_back(add_frame(demonstration, std::move(frame)));
  };
  add(0, "Nothing has been read", {}, {});
  for (std::size_t e = 0; e < trace.events.size(); ++e) {
    const facts::TraceEvent& event = trace.events[e];
    memory.apply(event);
    const bool is_input = event.is_access() && input && event.array == *input;
    const bool is_count = is_atomic(event) && event.array == *counted;
    if (!is_input && !is_count) continue;
    const LaneAccess access = lanes_of(event).front();
    const std::optional<Mark> mark = mark_of(demonstration.runs[run], e, access.lane);
    for (Letter& letter : state) letter.now = false;
    if (is_input && access.at < state.size()) state[access.at] = {1, true, mark};
    read += is_input;
    atomics += is_count;
    if (is_count && access.read && access.written) added += *access.written - *access.read;
    add(e + 1, "The thread " + deed_text(trace, event, access),
        is_count ? std::vector<std::uint64_t>{access.at} : std::vector<std::uint64_t>{}, mark);
  }
  demonstration.frames.back().in_handout = true;
  return frames;
}

Demonstration make_aggregation(Stage& stage) {
  Demonstration demonstration;
  demonstration.question =
      "One thread counts this text. How many atomics does it need if it adds up equal neighbours first?";
  const std::string text =
      cut(demonstration, stage.options().text.value_or("aaaaaabbbbccccqqqqqqqqaa"), most_letters);
  add_scenes(stage, demonstration,
             {{"An atomic for each letter", "05/interleaved"}, {"An atomic for each run", "06"}},
             {.exercise = {}, .text = text, .block = 1, .grid = 1},
             [&](std::size_t run) { return tell(demonstration, run, text, labels_of(stage.last())); });
  return demonstration;
}

}  // namespace in_aggregation

extern const Entry aggregation_demo{"aggregation", "equal neighbours are added up before an atomic",
                                    in_aggregation::make_aggregation};

}  // namespace demo
