// SPDX-License-Identifier: MIT
// The lanes of a block's warps that access memory between one barrier and the next. Where a branch divides
// the lanes of every warp, few of them take part in each access; where it divides the warps, whole warps are
// done.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>

#include "demo/findings.hpp"
#include "demo/panels.hpp"

namespace demo {

namespace in_divergence {

constexpr unsigned lanes = lanes_of_warp, warps = 4;

class Storyteller {
 public:
  Storyteller(Demonstration& demonstration, std::size_t run) : demonstration_(demonstration), run_(run) {}

  std::vector<std::size_t> tell() {
    const facts::Trace& trace = demonstration_.runs[run_].trace;
    add(0, "Nothing has happened yet");
    std::size_t last = 0;  // events up to the last access
    for (std::size_t e = 0; e < trace.events.size(); ++e) {
      const facts::TraceEvent& event = trace.events[e];
      const bool ends = event.step == facts::TraceStep::barrier || event.step == facts::TraceStep::block_ends;
      if (ends && last > 0) end_step(std::exchange(last, 0));
      if (!event.is_access() || event.warp >= warps) continue;
      last = e + 1;
      working_[event.warp] |= event.lanes;
      for (unsigned lane = 0; lane < lanes; ++lane) {
        if (auto mark = mark_of(demonstration_.runs[run_], e, lane))
          marks_[event.warp][lane] = std::move(mark);
      }
      ++accesses_;
      active_ += static_cast<std::uint64_t>(std::popcount(event.lanes));
    }
    demonstration_.frames.back().in_handout = true;
    return frames_;
  }

 private:
  void end_step(std::size_t events) {
    unsigned threads = 0, in_warps = 0;
    for (const unsigned mask : working_) {
      threads += static_cast<unsigned>(std::popcount(mask));
      in_warps += mask != 0;
    }
    ++step_;
    add(events,
        fmt::format("Between barriers, step {}: {} thread{} of {} warp{} work{}", step_, threads,
                    threads == 1 ? "" : "s", in_warps, in_warps == 1 ? "" : "s", threads == 1 ? "s" : ""));
    demonstration_.frames.back().in_handout = step_ == 4;
    working_.fill(0);
    marks_ = {};
  }

  void add(std::size_t events, std::string caption) {
    Frame frame = frame_after(demonstration_, run_, events, std::move(caption));
    Panel panel{.kind = Panel::Kind::cells,
                .title = "The lanes that have accessed memory in this step; 32 lanes are a warp",
                .per_row = lanes};
    for (unsigned warp = 0; warp < warps; ++warp) {
      for (unsigned lane = 0; lane < lanes; ++lane) {
        const bool works = working_[warp] >> lane & 1;
        panel.cells.push_back({.text = works ? "\u25a0" : "",
                               .series = works ? 1u : 0u,
                               .look = works ? Look::now : Look::quiet,
                               .mark = marks_[warp][lane]});
      }
    }
    frame.panels.push_back(std::move(panel));
    const double average = accesses_ == 0 ? 0 : static_cast<double>(active_) / static_cast<double>(accesses_);
    frame.panels.push_back(
        {.kind = Panel::Kind::bars,
         .title = fmt::format("Lanes of {} that take part in an access to memory, {} accesses so far", lanes,
                              accesses_),
         .cells = {{.text = fmt::format("{:.1f}", average),
                    .label = "on average",
                    .series = 2,
                    .share = average / lanes}}});
    frames_.push_back(add_frame(demonstration_, std::move(frame)));
  }

  Demonstration& demonstration_;
  std::size_t run_;
  std::array<unsigned, warps> working_{};  // a bit for each lane
  std::array<std::array<std::optional<Mark>, lanes>, warps> marks_{};
  unsigned step_ = 0;
  std::uint64_t accesses_ = 0, active_ = 0;
  std::vector<std::size_t> frames_;
};

Demonstration make_divergence(Stage& stage) {
  Demonstration demonstration;
  demonstration.question =
      "Four warps work on a tree; in each step half as many threads as before. How many warps does a step "
      "need?";
  const auto add = [&](const char* lab) {
    Wish wish{.exercise = stage.exercise(lab), .text = {}, .block = warps * lanes, .grid = 1};
    constexpr std::size_t elements_of_thread = 2;
    wish.text = usual_text(stage, elements_of_thread * warps * lanes * stage.element_bytes(wish));
    add_scene(stage, demonstration, stage.workbook().short_name(wish.exercise), wish,
              [&](std::size_t run) { return Storyteller(demonstration, run).tell(); });
  };
  const auto is_there = [&](const char* lab) { return stage.workbook().find(lab).size() == 1; };
  if (!stage.has_one_kernel() && is_there("x1/naive") && is_there("x1/converged")) {
    add("x1/naive");
    add("x1/converged");
  } else {
    add("06");
  }
  return demonstration;
}

}  // namespace in_divergence

extern const Entry divergence_demo{"divergence", "which lanes and which warps work",
                                   in_divergence::make_divergence};

}  // namespace demo
