// SPDX-License-Identifier: MIT
#include "demo/findings.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "demo/replay.hpp"

namespace demo {

namespace {

// A thread's part in an event.
struct Part {
  std::size_t event;
  std::uint64_t block, array;
  unsigned lane, bytes;
  std::uint64_t at;
};

bool overlap(const facts::Trace& trace, const Part& a, const Part& b) {
  return a.array == b.array && (!trace.arrays[a.array].shared || a.block == b.block) &&
         a.at < b.at + b.bytes && b.at < a.at + a.bytes;
}

// The block of each event.
std::vector<std::uint64_t> blocks_of(const facts::Trace& trace) {
  std::vector<std::uint64_t> blocks;
  std::uint64_t block = 0;
  for (const facts::TraceEvent& event : trace.events) {
    if (trace.interleaved || event.step == facts::TraceStep::block_begins) block = event.block;
    blocks.push_back(block);
  }
  return blocks;
}

std::vector<Part> parts_in(const facts::TraceEvent& event, std::size_t number, std::uint64_t block) {
  std::vector<Part> parts;
  if (!event.is_access()) return parts;
  for (const LaneAccess& access : lanes_of(event))
    parts.push_back({number, block, event.array, access.lane, event.size, access.at});
  return parts;
}

bool is_by(const facts::TraceEvent& event, const Part& part, const facts::ThreadAt& thread) {
  return part.block == thread.block && event.warp * std::uint64_t{lanes_of_warp} + part.lane == thread.thread;
}

// What the thread has accessed at its place.
std::vector<Part> parts_of(const facts::Trace& trace, const std::vector<std::uint64_t>& blocks,
                           const facts::ThreadAt& thread) {
  std::vector<Part> parts;
  for (std::size_t e = 0; e < trace.events.size(); ++e) {
    if (trace.events[e].place != thread.site) continue;
    for (const Part& part : parts_in(trace.events[e], e, blocks[e])) {
      if (is_by(trace.events[e], part, thread)) parts.push_back(part);
    }
  }
  return parts;
}

bool is_ordered(const facts::Trace& trace, const std::vector<std::uint64_t>& blocks, const Part& a,
                const Part& b) {
  if (a.block != b.block) return false;
  for (std::size_t e = std::min(a.event, b.event); e < std::max(a.event, b.event); ++e) {
    if (trace.events[e].step == facts::TraceStep::barrier && blocks[e] == a.block) return true;
  }
  return false;
}

std::vector<FaultyAccess> racing(const facts::Trace& trace, const std::vector<std::uint64_t>& blocks,
                                 const std::vector<facts::ThreadAt>& threads) {
  const std::vector<Part> others = parts_of(trace, blocks, threads[1]);
  for (const Part& one : parts_of(trace, blocks, threads[0])) {
    for (const Part& other : others) {
      if (!overlap(trace, one, other) || is_ordered(trace, blocks, one, other)) continue;
      return {{one.event, one.lane}, {other.event, other.lane}};
    }
  }
  return {};
}

bool is_written_before(const facts::Trace& trace, const std::vector<std::uint64_t>& blocks,
                       const Part& part) {
  for (std::size_t e = 0; e < part.event; ++e) {
    if (trace.events[e].step == facts::TraceStep::load) continue;
    for (const Part& before : parts_in(trace.events[e], e, blocks[e])) {
      if (overlap(trace, before, part)) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<FaultyAccess> faulty_accesses(const facts::Trace& trace, const facts::Finding& finding) {
  const std::vector<std::uint64_t> blocks = blocks_of(trace);
  if (finding.verdict == facts::Verdict::race && finding.threads.size() == 2)
    return racing(trace, blocks, finding.threads);
  if (finding.verdict != facts::Verdict::uninitialised || finding.threads.empty()) return {};
  for (const Part& part : parts_of(trace, blocks, finding.threads.front())) {
    if (!is_written_before(trace, blocks, part)) return {{part.event, part.lane}};
  }
  return {};
}

std::optional<Mark> mark_of(const Run& run, std::size_t event, unsigned lane) {
  const bool is_faulty = std::ranges::any_of(
      run.faulty, [&](const FaultyAccess& access) { return access.event == event && access.lane == lane; });
  if (!is_faulty) return std::nullopt;
  return Mark{std::string(name_of(run.finding.verdict)), {event, lane}};
}

namespace {

std::string sentence_of(const facts::Finding& finding) {
  return fmt::format("{}: {}", name_of(finding.verdict),
                     finding.message.substr(0, finding.message.find('\n')));
}

// What the finding says of the events from `begin` to `end`; empty: nothing.
std::string said_of(const Run& run, std::size_t begin, std::size_t end) {
  std::string which;  // of the two
  std::size_t here = 0;
  for (std::size_t i = 0; i < run.faulty.size(); ++i) {
    if (run.faulty[i].event < begin || run.faulty[i].event >= end) continue;
    ++here;
    const auto earlier = std::ranges::count_if(
        run.faulty, [&](const FaultyAccess& other) { return other.event < run.faulty[i].event; });
    which = earlier == 0 ? " (first access)" : " (second access)";
  }
  if (here == 0) return {};
  return sentence_of(run.finding) + (run.faulty.size() == 1 ? "" : here > 1 ? " (both accesses)" : which);
}

// Behind the last event of the thread.
std::size_t end_of(const facts::Trace& trace, const facts::ThreadAt& thread) {
  const std::vector<std::uint64_t> blocks = blocks_of(trace);
  std::size_t end = 0;
  for (std::size_t e = 0; e < trace.events.size(); ++e) {
    for (const Part& part : parts_in(trace.events[e], e, blocks[e])) {
      if (is_by(trace.events[e], part, thread)) end = e + 1;
    }
  }
  return end;
}

// As the frame before it, with nothing that happens now.
Frame frame_of_fault(const Run& run, Frame frame) {
  const facts::ThreadAt& thread = run.finding.threads.front();
  frame.caption = fmt::format("Thread {} of block {} goes {}", thread.thread, thread.block,
                              run.is_endless() ? "on without end" : "no further");
  frame.finding = sentence_of(run.finding);
  frame.line = run.finding_line;
  frame.in_handout = true;
  for (Panel& panel : frame.panels) {
    for (Cell& cell : panel.cells) {
      if (cell.look == Look::now) cell.look = Look::plain;
    }
  }
  return frame;
}

}  // namespace

void show_finding(Demonstration& demonstration, std::size_t run, std::vector<std::size_t>& frames,
                  bool may_insert) {
  const Run& of = demonstration.runs[run];
  if (of.finding.verdict == facts::Verdict::pass || frames.empty()) return;
  bool is_told = false;
  for (std::size_t i = 1; i < frames.size(); ++i) {
    Frame& frame = demonstration.frames[frames[i]];
    // A frame that runs share has been told of by the first of them.
    if (frame.run == run)
      frame.finding = said_of(of, demonstration.frames[frames[i - 1]].events, frame.events);
    is_told |= !frame.finding.empty();
  }
  if (is_told) return;
  const bool has_ended = of.faulty.empty() && !of.finding.threads.empty() &&
                         of.finding.verdict != facts::Verdict::race &&
                         of.finding.verdict != facts::Verdict::uninitialised &&
                         of.finding.verdict != facts::Verdict::divergent_barrier;
  if (has_ended && may_insert) {
    const std::size_t end =
        of.is_endless() ? of.trace.events.size() : end_of(of.trace, of.finding.threads.front());
    auto behind = std::ranges::find_if(
        frames, [&](std::size_t frame) { return demonstration.frames[frame].events >= end; });
    if (behind == frames.end()) --behind;
    demonstration.frames.push_back(frame_of_fault(of, demonstration.frames[*behind]));
    frames.insert(behind + 1, demonstration.frames.size() - 1);
    return;
  }
  Frame& last = demonstration.frames[frames.back()];
  if (last.run == run) last.finding = sentence_of(of.finding);
}

}  // namespace demo
