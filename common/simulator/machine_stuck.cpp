// SPDX-License-Identifier: MIT
// Blocks that are stuck. If nobody can go on, the block waits for lanes that never come. That, and a barrier
// that some threads reach at another place or not at all, is a divergent barrier: CUDA calls it undefined,
// here it ends with a report. So does a block whose threads repeat themselves without end: a loop that never
// ends, or a wait for what never comes.
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "facts/words.hpp"
#include "simulator/machine.hpp"
#include "simulator/memory_map.hpp"

namespace simulator {

namespace {

// "reading data[7]"; of an array as a whole, "reading `data`".
std::string access_text(AccessKind kind, const std::string& object) {
  return kind == AccessKind::load    ? "reading " + object
         : kind == AccessKind::store ? "writing " + object
                                     : fmt::format("accessing {} atomically", object);
}

// "lanes 1 to 15 and 31, which wait"
std::string waiting_lanes(unsigned lanes) {
  std::string text;
  for (unsigned lane = 0; lane < ModelDevice::lanes; ++lane) {
    if (!(lanes >> lane & 1)) continue;
    unsigned last = lane;
    while (last + 1 < ModelDevice::lanes && (lanes >> (last + 1) & 1)) ++last;
    const bool is_last = last + 1 >= ModelDevice::lanes || !(lanes >> (last + 1));
    if (!text.empty()) text += is_last ? " and " : ", ";
    text += last == lane ? std::to_string(lane) : fmt::format("{} to {}", lane, last);
    lane = last;
  }
  return std::popcount(lanes) == 1 ? fmt::format("lane {}, which waits", text)
                                   : fmt::format("lanes {}, which wait", text);
}

// What a thread accesses in these steps, in words: "reading data[7] and writing counts[3]". Where these are
// many elements, their arrays: it is chance which elements they are.
std::string elements_of(std::span<const LaneEvent> log) {
  constexpr std::size_t most_shown = 3;
  std::vector<std::string> elements, arrays;
  const auto add = [](std::vector<std::string>& all, std::string text) {
    if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::move(text));
  };
  // A turn may begin anywhere in the loop: what stands first in the program is told first.
  const auto first = std::ranges::min_element(log, {}, &LaneEvent::key);
  std::vector<LaneEvent> round(first, log.end());
  round.insert(round.end(), log.begin(), first);
  for (const LaneEvent& event : round) {
    if (!row_key::is_access(event.key) || arrays.size() > most_shown) continue;
    const AccessKind kind = row_key::kind(event.key);
    const std::string element = name_of_element(event.address, row_key::bytes(event.key));
    if (elements.size() <= most_shown) add(elements, access_text(kind, element));
    add(arrays, access_text(kind, fmt::format("`{}`", element.substr(0, element.find('[')))));
  }
  const std::vector<std::string>& shown = elements.size() > most_shown ? arrays : elements;
  if (shown.empty()) return "without an access to memory";
  std::string text = shown.front();
  for (std::size_t i = 1; i < std::min(shown.size(), most_shown); ++i)
    text += (i + 1 == shown.size() ? " and " : ", ") + shown[i];
  return shown.size() > most_shown ? text + " and others" : text;
}

}  // namespace

// The compiler may have made two barriers of one, which says nothing: so that some have returned is said for
// itself.
void Machine::report_barrier(unsigned exited) {
  const Thread* first = nullptr;
  const Thread* other = nullptr;
  for (unsigned t = 0; t < block_threads_ && !other; ++t) {
    const Thread& thread = threads_[t];
    if (!(warp_of(thread).at_barrier & bit(thread))) continue;
    if (!first) first = &thread;
    if (thread.site != first->site) other = &thread;
  }
  Hazard hazard{.kind = facts::Verdict::divergent_barrier,
                .what = {},
                .threads = {{first->index(), launch_indices.block}},
                .sites = {ProgramImage::instance().place_of(first->site)},
                .roles = {"waits"}};
  if (exited > 0) {
    const auto gone = std::find_if(threads_.begin(), threads_.begin() + block_threads_,
                                   [&](const Thread& t) { return warp_of(t).exited & bit(t); });
    const uint3 at = gone->index();
    hazard.absent = at.y == 0 && at.z == 0 ? fmt::format("thread {}", at.x)
                                           : fmt::format("thread ({},{},{})", at.x, at.y, at.z);
    hazard.what = fmt::format("{} of {} threads had already ended when the other{} waited at the barrier",
                              facts::separated(exited), facts::separated(block_threads_),
                              block_threads_ - exited == 1 ? "" : "s");
    hazards_.add(hazard);
    hazard.absent.clear();
  }
  if (!other) return;
  hazard.what = "threads of one block wait at different barriers";
  hazard.threads.push_back({other->index(), launch_indices.block});
  hazard.sites.push_back(ProgramImage::instance().place_of(other->site));
  hazard.roles.emplace_back("waits");
  hazards_.add(std::move(hazard));
}

void Machine::report_deadlock() {
  for (unsigned t = 0; t < block_threads_; ++t) {
    const Thread& thread = threads_[t];
    const Warp& warp = warp_of(thread);
    if (!(warp.at_operation & bit(thread))) continue;
    const unsigned missing = thread.request.mask & warp.live() & ~warp.at_operation;
    hazards_.add(
        {.kind = facts::Verdict::divergent_barrier,
         .what = missing ? fmt::format(
                               "a warp operation with mask 0x{:08x} waits for {} at a barrier of the block",
                               thread.request.mask, waiting_lanes(missing))
                         : fmt::format("a warp operation with mask 0x{:08x} waits for lanes that wait in "
                                       "another operation or with another mask",
                                       thread.request.mask),
         .threads = {{thread.index(), launch_indices.block}},
         .sites = {ProgramImage::instance().place_of(thread.site)},
         .roles = {"waits"}});
    return;
  }
}

// `log` belongs to a turn of the thread, which is over.
void Machine::observe_repetition(Thread& thread) {
  const std::span<const LaneEvent> log = recorder_.log_of(thread.lane);
  thread.repetition.note(log, progress.clock);
  repetition_observed_ = true;
  const bool is_first = !loop_.thread || thread.number < loop_.thread->number;
  const bool is_suspect = unending() > configuration_.patience / 4 * 3 && thread.repetition.found();
  // A turn may end right after its accesses have been passed on.
  const bool tells_nothing = loop_.thread == &thread && loop_.elements == elements_of({});
  if ((is_first || tells_nothing) && is_suspect) loop_ = {&thread, elements_of(log)};
}

// Where no thread is ready, those at a barrier are about to go on.
bool Machine::can_go_on(const Thread& thread, bool anyone_ready) const {
  const Warp& warp = warps_[thread.warp];
  return (anyone_ready ? warp.ready : warp.live()) & bit(thread);
}

bool Machine::waits_in_vain() const {
  if (!recording_) return progress.round_is_idle && is_idle_for_long();
  if (unending() <= configuration_.patience) return false;
  const bool anyone_ready =
      std::any_of(warps_.begin(), warps_.end(), [](const Warp& warp) { return warp.ready != 0; });
  for (unsigned t = 0; t < block_threads_; ++t) {
    if (can_go_on(threads_[t], anyone_ready) && !repeats_for(threads_[t], configuration_.patience))
      return false;
  }
  return true;
}

// Names a thread that still runs, best the one whose accesses are known, and then where others wait for it.
void Machine::report_spinning() {
  const bool anyone_ready =
      std::any_of(warps_.begin(), warps_.end(), [](const Warp& warp) { return warp.ready != 0; });
  // One that waits for lanes of its warp repeats itself with them.
  const auto repeats = [&](const Thread& thread) {
    const Warp& warp = warps_[thread.warp];
    return ((anyone_ready ? warp.live() & ~warp.at_barrier : warp.live()) & bit(thread)) != 0;
  };
  const Thread* spinning = loop_.thread;
  if (spinning && !repeats(*spinning)) spinning = nullptr;
  const Thread* waiting = nullptr;
  unsigned waiting_threads = 0;
  for (unsigned t = 0; t < block_threads_; ++t) {
    const Thread& thread = threads_[t];
    if (!(warp_of(thread).live() & bit(thread))) continue;
    if (!spinning && can_go_on(thread, anyone_ready)) spinning = &thread;
    if (!anyone_ready || !(warp_of(thread).at_barrier & bit(thread))) continue;
    if (!waiting) waiting = &thread;
    ++waiting_threads;
  }
  Hazard hazard{
      .kind = facts::Verdict::timeout,
      .what = fmt::format("{} never ends: {} repeats the same steps again and again",
                          function_name(spinning->site), configuration_.host_code ? "it" : "a thread"),
      .threads = {{spinning->index(), launch_indices.block}},
      .sites = {ProgramImage::instance().place_of(spinning->site)},
      .roles = {"repeats"}};
  if (spinning == loop_.thread) hazard.what += ", " + loop_.elements;
  if (waiting) {
    hazard.what += waiting_threads == 1
                       ? "; another thread waits for it at a barrier"
                       : fmt::format("; {} other threads wait for it at a barrier", waiting_threads);
    hazard.sites.push_back(ProgramImage::instance().place_of(waiting->site));
    hazard.roles.emplace_back("waits");
  }
  hazards_.add(std::move(hazard));
}

}  // namespace simulator
