// SPDX-License-Identifier: MIT
// The 32 banks of shared memory: how many lanes of an access go to each, to how many different words there,
// and how many turns that takes. Increments of one word are merged into one; additions take a turn each.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>

#include "demo/findings.hpp"
#include "demo/panels.hpp"

namespace demo {

namespace in_banks {

constexpr unsigned banks = 32, bytes_of_bank = 4, threads = 64;

// One access to shared memory, by banks.
struct Request {
  std::array<unsigned, banks> lanes{};
  std::array<std::set<std::uint64_t>, banks> words{};
  std::array<std::optional<Mark>, banks> marks{};
  bool merged = true;  // lanes on one word take one turn together
  unsigned turns_each = 1;

  // Those that a bank takes one after the other; the fullest bank's are the request's (docs/counters.md).
  unsigned turns(unsigned bank) const {
    return turns_each * (merged ? static_cast<unsigned>(words[bank].size()) : lanes[bank]);
  }
  unsigned turns() const {
    unsigned most = 0;
    for (unsigned bank = 0; bank < banks; ++bank) most = std::max(most, turns(bank));
    return most;
  }
};

Request request_of(const Run& run, std::size_t number) {
  const facts::TraceEvent& event = run.trace.events[number];
  Request request{
      .merged = event.step != facts::TraceStep::atomic && event.step != facts::TraceStep::compare_and_swap,
      .turns_each = event.step == facts::TraceStep::compare_and_swap ? 2u : 1u};
  for (const LaneAccess& access : lanes_of(event)) {
    const std::size_t bank = access.at / bytes_of_bank % banks;
    request.words[bank].insert(access.at / bytes_of_bank);
    ++request.lanes[bank];
    if (auto mark = mark_of(run, number, access.lane)) request.marks[bank] = std::move(mark);
  }
  return request;
}

// A number for each bank; nothing for those that no lane goes to.
template <class Number>
Panel row_of_banks(std::string title, const Request& request, Look above_one, const Number& number) {
  Panel panel{.kind = Panel::Kind::cells, .title = std::move(title), .per_row = banks};
  for (unsigned bank = 0; bank < banks; ++bank) {
    if (request.lanes[bank] == 0) {
      panel.cells.push_back({.look = Look::quiet});
      continue;
    }
    const auto value = static_cast<unsigned>(number(bank));
    panel.cells.push_back({.text = std::to_string(value),
                           .series = 1,
                           .look = value > 1 ? above_one : Look::plain,
                           .mark = request.marks[bank]});
  }
  return panel;
}

std::string caption_of(const facts::Trace& trace, const facts::TraceEvent& event, const Request& request) {
  const unsigned turns = request.turns();
  std::string caption =
      fmt::format("{}: {} turn{}", instruction_text(trace, event), turns, turns == 1 ? "" : "s");
  if (is_atomic(event))
    caption +=
        request.merged ? ". Increments of one word are one turn" : ". Each addition is a turn of its own";
  return caption;
}

std::vector<std::size_t> tell(Demonstration& demonstration, std::size_t run) {
  std::vector<std::size_t> frames;
  const facts::Trace& trace = demonstration.runs[run].trace;
  std::uint64_t all = 0;
  const auto add = [&](std::size_t events, std::string caption, const Request& request) {
    Frame frame = frame_after(demonstration, run, events, std::move(caption));
    const unsigned turns = request.turns();
    frame.panels = {row_of_banks("Lanes that go to each bank, from bank 0", request, Look::now,
                                 [&](unsigned bank) { return request.lanes[bank]; }),
                    row_of_banks("Different words that they want there", request, Look::now,
                                 [&](unsigned bank) { return request.words[bank].size(); }),
                    row_of_banks("Turns that the bank takes", request, Look::bad,
                                 [&](unsigned bank) { return request.turns(bank); }),
                    {.kind = Panel::Kind::cells,
                     .title = "The fullest bank decides",
                     .cells = {figure("turns of this request", turns, turns > 1 ? Look::bad : Look::plain),
                               figure("turns of atomics so far", all)}}};
    frames.push_back(add_frame(demonstration, std::move(frame)));
  };
  add(0, "Nothing has happened yet", {});
  for (std::size_t e = 0; e < trace.events.size(); ++e) {
    const facts::TraceEvent& event = trace.events[e];
    if (!event.is_access() || !trace.arrays[event.array].shared) continue;
    const Request request = request_of(demonstration.runs[run], e);
    if (is_atomic(event)) all += request.turns();
    add(e + 1, caption_of(trace, event, request), request);
    if (is_atomic(event)) demonstration.frames.back().in_handout = true;
  }
  demonstration.frames.back().in_handout = true;
  return frames;
}

Demonstration make_banks(Stage& stage) {
  Demonstration demonstration;
  demonstration.question =
      "32 lanes add to counters in shared memory at once. In which bank do they meet, and at the same "
      "counter or at others?";
  const auto add = [&](const char* title, const char* lab, bool last_variant) {
    Wish wish{.exercise = stage.exercise(lab), .text = {}, .block = threads, .grid = 1};
    // Large and small letters of one name lie 32 words apart where every byte has a counter: in one bank.
    wish.text = stage.options().text ? usual_text(stage, threads)
                                     : "PROGRAMMING massively PARALLEL programming MASSIVELY parallel PP";
    wish.last_variant = last_variant;
    const std::size_t before = demonstration.scenes.size();
    add_scene(stage, demonstration, title, wish, [&](std::size_t run) { return tell(demonstration, run); });
    if (demonstration.scenes.size() > before)
      demonstration.scenes.back().title += ": " + measure::variant_text(stage.last());
  };
  add("Few counters", "04", false);
  add("Many counters", "04", true);
  // Lab 06 adds what it has counted itself.
  if (!stage.has_one_kernel()) add("Few counters, additions", "06", false);
  if (std::ranges::all_of(demonstration.scenes, [](const Scene& scene) { return scene.frames.size() == 1; }))
    demonstration.notes.push_back("No thread of the kernel accesses shared memory");
  demonstration.notes.push_back("Banks are counted from the array's beginning");
  return demonstration;
}

}  // namespace in_banks

extern const Entry banks_demo{"banks", "lanes that meet in a bank of shared memory", in_banks::make_banks};

}  // namespace demo
