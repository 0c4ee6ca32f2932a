// SPDX-License-Identifier: MIT
// The 32 banks of shared memory: how many lanes of an atomic go to each, and to how many different words
// there.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "demo/panels.hpp"

namespace demo {

namespace in_banks {

constexpr unsigned banks = 32, bytes_of_bank = 4, threads = 64;

void tell(Demonstration& demonstration, std::size_t run, std::vector<std::size_t>& frames) {
  const facts::Trace& trace = demonstration.runs[run].trace;
  const auto add = [&](std::size_t events, std::string caption,
                       const std::map<unsigned, std::set<std::uint64_t>>& words,
                       const std::map<unsigned, unsigned>& lanes) {
    Frame frame{.caption = std::move(caption), .run = run, .events = events};
    if (events > 0) frame.line = demonstration.runs[run].lines[events - 1];
    Panel of_lanes{
        .kind = Panel::Kind::cells, .title = "Lanes that go to each bank, from bank 0", .per_row = banks};
    Panel of_words{
        .kind = Panel::Kind::cells, .title = "Different words that they want there", .per_row = banks};
    unsigned most = 0;
    for (unsigned bank = 0; bank < banks; ++bank) {
      const bool used = lanes.contains(bank);
      const auto wanted = used ? static_cast<unsigned>(words.at(bank).size()) : 0;
      most = std::max(most, wanted);
      const auto cell = [&](unsigned number, Look look) {
        return Cell{.text = used ? std::to_string(number) : "",
                    .series = used ? 1u : 0u,
                    .look = used ? look : Look::quiet};
      };
      of_lanes.cells.push_back(cell(used ? lanes.at(bank) : 0, Look::now));
      of_words.cells.push_back(cell(wanted, wanted > 1 ? Look::bad : Look::plain));
    }
    frame.panels = {
        std::move(of_lanes),
        std::move(of_words),
        {.kind = Panel::Kind::cells,
         .title = "This request",
         .cells = {figure("lanes",
                          [&] {
                            std::uint64_t all = 0;
                            for (const auto& [bank, n] : lanes) all += n;
                            return all;
                          }()),
                   figure("words at most in one bank", most, most > 1 ? Look::bad : Look::plain)}}};
    frames.push_back(demonstration.frames.size());
    demonstration.frames.push_back(std::move(frame));
  };
  add(0, "Nothing has happened yet", {}, {});
  for (std::size_t e = 0; e < trace.events.size(); ++e) {
    const facts::TraceEvent& event = trace.events[e];
    if (!event.is_access() || !trace.arrays[event.array].shared) continue;
    std::map<unsigned, std::set<std::uint64_t>> words;
    std::map<unsigned, unsigned> lanes;
    for (const LaneAccess& access : lanes_of(event)) {
      const auto bank = static_cast<unsigned>(access.at / bytes_of_bank % banks);
      words[bank].insert(access.at / bytes_of_bank);
      ++lanes[bank];
    }
    add(e + 1, instruction_text(trace, event), words, lanes);
    if (event.step != facts::TraceStep::load && event.step != facts::TraceStep::store)
      demonstration.frames.back().in_handout = true;
  }
  demonstration.frames.back().in_handout = true;
}

Demonstration make_banks(Stage& stage) {
  Demonstration demonstration;
  demonstration.question =
      "32 lanes add to counters in shared memory at once. In which bank do they meet, and at the same "
      "counter or at others?";
  const auto add = [&](std::string title, bool last_variant) {
    Wish wish{.exercise = stage.exercise("04"), .text = {}, .block = threads, .grid = 1};
    // Large and small letters of one name lie 32 words apart where every byte has a counter: in one bank.
    wish.text = stage.options().text ? usual_text(stage, threads)
                                     : "PROGRAMMING massively PARALLEL programming MASSIVELY parallel PP";
    wish.last_variant = last_variant;
    demonstration.sources.push_back(stage.source(wish));
    const std::size_t run = stage.run(demonstration, wish);
    Scene scene{.title = std::move(title), .source = demonstration.sources.size() - 1, .frames = {}};
    scene.title += measure::variant_text(stage.last());
    tell(demonstration, run, scene.frames);
    demonstration.scenes.push_back(std::move(scene));
  };
  add("Few counters: ", false);
  add("Many counters: ", true);
  demonstration.notes.push_back("Banks are counted from the array's beginning");
  return demonstration;
}

}  // namespace in_banks

extern const Entry banks_demo{"banks", "lanes that meet in a bank of shared memory", in_banks::make_banks};

}  // namespace demo
