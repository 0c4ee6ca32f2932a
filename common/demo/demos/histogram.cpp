// SPDX-License-Identifier: MIT
// What is computed: byte after byte is read, and adds one to the counter that it falls into. (PMPP,
// figure 9.1)
#include <fmt/core.h>

#include <algorithm>

#include "demo/findings.hpp"
#include "demo/panels.hpp"

namespace demo {

namespace in_histogram {

constexpr std::size_t most_letters = 128;

// Goes through a run in which one thread follows the other, each with one letter.
std::vector<std::size_t> tell(Demonstration& demonstration, std::size_t run, const measure::Record& record,
                              const std::string& text) {
  std::vector<std::size_t> frames;
  const std::vector<std::string> labels = labels_of(record);
  const facts::Trace& trace = demonstration.runs[run].trace;
  const auto input = input_of(trace), output = output_of(trace);
  Memory memory(trace), end(trace);
  for (const facts::TraceEvent& event : trace.events) end.apply(event);
  unsigned each = 1;
  for (const facts::TraceEvent& event : trace.events) {
    if (event.is_access() && output && event.array == *output) each = event.size;
  }
  std::uint64_t most = 0;
  for (std::size_t i = 0; output && i < labels.size(); ++i)
    most = std::max(most, end.at({*output, i * each, 0}).value_or(0));
  std::vector<Letter> state(text.size());
  std::string caption = "Nothing has happened yet";
  const auto add = [&](std::size_t events, const std::vector<std::uint64_t>& now,
                       const std::optional<Mark>& mark) {
    Frame frame = frame_after(demonstration, run, events, caption);
    frame.panels.push_back(letters("The input", text, state, input ? trace.arrays[*input].name : ""));
    if (output)
      frame.panels.push_back(counters("The counters: " + trace.arrays[*output].name, memory, *output, each,
                                      labels, most, now, mark));
    frames.push_back(add_frame(demonstration, std::move(frame)));
  };
  add(0, {}, {});
  for (std::size_t e = 0; e < trace.events.size(); ++e) {
    const facts::TraceEvent& event = trace.events[e];
    memory.apply(event);
    if (!event.is_access()) continue;
    const LaneAccess access = lanes_of(event).front();
    const std::optional<Mark> mark = mark_of(demonstration.runs[run], e, access.lane);
    const std::uint64_t thread = thread_of(event, access.lane, record.launch.block);
    const std::string deed = fmt::format("Thread {} {}", thread, deed_text(trace, event, access));
    if (input && event.array == *input && access.at < state.size()) {
      for (Letter& letter : state) letter.now = false;
      state[access.at] = {1, true, mark};
      caption = deed;
      // What it adds is in the same frame.
      const bool adds = e + 1 < trace.events.size() && output && trace.events[e + 1].is_access() &&
                        trace.events[e + 1].array == *output;
      if (!adds) add(e + 1, {}, {});
    } else {
      caption = caption.empty() ? deed : caption + " and " + deed.substr(deed.find(' ', 7) + 1);
      add(e + 1, {access.at}, mark);
      caption.clear();
    }
  }
  demonstration.frames.back().in_handout = true;
  if (frames.size() > 2) demonstration.frames[frames[frames.size() / 2]].in_handout = true;
  return frames;
}

Demonstration make_histogram(Stage& stage) {
  Demonstration demonstration;
  demonstration.question = "Which letters will be counted most? Guess before the bars grow.";
  Wish wish{.exercise = stage.exercise("02"), .text = {}, .lockstep_seed = stage.seed(), .order = {0}};
  wish.text = cut(demonstration, stage.options().text.value_or(usual_text(stage, 41)), most_letters);
  wish.block = static_cast<unsigned>(wish.text.size());
  wish.grid = 1;
  add_scene(stage, demonstration, "Letter by letter", wish,
            [&](std::size_t run) { return tell(demonstration, run, stage.last(), wish.text); });
  return demonstration;
}

}  // namespace in_histogram

extern const Entry histogram_demo{"histogram", "a text is counted, letter by letter",
                                  in_histogram::make_histogram};

}  // namespace demo
