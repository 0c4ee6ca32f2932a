// SPDX-License-Identifier: MIT
// Which thread reads which byte in which step, how many 32-byte sectors each step touches, and which of them
// L1 has already: contiguous and interleaved pieces. (PMPP, figures 9.11 to 9.14)
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "demo/findings.hpp"
#include "demo/panels.hpp"

namespace demo {

namespace in_partition {

constexpr std::uint64_t sector = 32, line = 128;
constexpr unsigned threads = 8;
constexpr std::size_t length = 128;

// The input's bytes and what L1 holds of them, request after request. The simulator has no cache: L1 is taken
// to keep all of so short an input.
class Storyteller {
 public:
  Storyteller(Demonstration& demonstration, std::size_t run)
      : demonstration_(demonstration), run_(run), bytes_(length, {.look = Look::quiet}) {}

  std::vector<std::size_t> tell() {
    const facts::Trace& trace = demonstration_.runs[run_].trace;
    const auto input = input_of(trace);
    add(0, "Nothing has been read");
    for (std::size_t e = 0; e < trace.events.size(); ++e) {
      const facts::TraceEvent& event = trace.events[e];
      if (!event.is_access() || !input || event.array != *input) continue;
      read(e, event);
      add(e + 1, fmt::format("{} in one request: {} sector{}", instruction_text(trace, event), now_.size(),
                             now_.size() == 1 ? "" : "s"));
      if (requests_ == 1) demonstration_.frames.back().in_handout = true;
    }
    demonstration_.frames.back().in_handout = true;
    return frames_;
  }

 private:
  void read(std::size_t number, const facts::TraceEvent& event) {
    for (Cell& cell : bytes_) {
      if (cell.look == Look::now) cell.look = Look::plain;
    }
    now_.clear();
    for (const LaneAccess& access : lanes_of(event)) {
      for (std::uint64_t at = access.at; at < access.at + event.size; ++at) {
        now_.insert(at / sector);
        if (at < bytes_.size())
          bytes_[at] = {.text = std::to_string(access.lane),
                        .series = access.lane + 1,
                        .look = Look::now,
                        .mark = mark_of(demonstration_.runs[run_], number, access.lane)};
      }
    }
    ++requests_;
    sectors_ += now_.size();
    for (const std::uint64_t s : now_) ++uses_[s];
  }

  // Each sector of the lines that the input lies in: how often it has been asked for.
  Panel cache() const {
    Panel panel{.kind = Panel::Kind::table,
                .title =
                    "Lines of L1, 128 bytes each: how often each sector was asked for; the first time it "
                    "comes from L2",
                .headings = {"line"}};
    for (std::uint64_t s = 0; s < line / sector; ++s) panel.headings.push_back(fmt::format("sector {}", s));
    for (std::uint64_t s = 0; s * sector < length; ++s) {
      if (s * sector % line == 0)
        panel.cells.push_back({.text = std::to_string(s * sector / line), .look = Look::quiet});
      const auto used = uses_.find(s);
      panel.cells.push_back({.text = used == uses_.end() ? "\u2013" : std::to_string(used->second),
                             .look = now_.contains(s)      ? Look::now
                                     : used == uses_.end() ? Look::quiet
                                                           : Look::plain});
    }
    return panel;
  }

  void add(std::size_t events, std::string caption) {
    Frame frame = frame_after(demonstration_, run_, events, std::move(caption));
    frame.panels = {{.kind = Panel::Kind::cells,
                     .title = "Each byte with the thread that has read it; 32 bytes are a sector",
                     .cells = bytes_,
                     .per_row = sector},
                    cache(),
                    {.kind = Panel::Kind::cells,
                     .title = "So far",
                     .cells = {figure("requests", requests_), figure("sectors", sectors_),
                               figure("from L2", uses_.size()), figure("from L1", sectors_ - uses_.size())}}};
    frames_.push_back(add_frame(demonstration_, std::move(frame)));
  }

  Demonstration& demonstration_;
  std::size_t run_;
  std::vector<Cell> bytes_;
  std::set<std::uint64_t> now_;                  // the sectors of this request
  std::map<std::uint64_t, std::uint64_t> uses_;  // of each sector so far
  std::uint64_t requests_ = 0, sectors_ = 0;
  std::vector<std::size_t> frames_;
};

Demonstration make_partition(Stage& stage) {
  Demonstration demonstration;
  demonstration.question = "Eight threads read 16 bytes each. Which order of reading takes fewer sectors?";
  add_scenes(stage, demonstration,
             {{"Contiguous pieces", "05/contiguous"}, {"Interleaved", "05/interleaved"}},
             {.exercise = {}, .text = usual_text(stage, length), .block = threads, .grid = 1},
             [&](std::size_t run) { return Storyteller(demonstration, run).tell(); });
  demonstration.notes.push_back("L1 is taken to keep what it has loaded: the simulator has no cache");
  return demonstration;
}

}  // namespace in_partition

extern const Entry partition_demo{"partition", "which thread reads which byte, and the sectors that it takes",
                                  in_partition::make_partition};

}  // namespace demo
