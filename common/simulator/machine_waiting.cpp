// SPDX-License-Identifier: MIT
// How lanes wait for each other. They go on when the last has come:
//
//   a warp operation  when every lane of its mask that has not ended waits with the same operation and mask
//   __activemask      when every other lane of the warp waits, ended or used up its turn. A question is
//                     merged as an instruction is, so the warp is as converged as the program allows
//   an atomic         whose result is used: likewise, and then other warps have their turn
//   a block barrier   when every thread of the block that has not ended waits at one
//
// If nobody can go on, the block is stuck on lanes that never come. That, and a barrier that some threads
// reach at another place or not at all, is a divergent barrier: CUDA calls it undefined, here it ends with a
// report. So does a block whose threads repeat themselves without end: a loop that never ends, or a wait for
// what never comes.
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "facts/words.hpp"
#include "simulator/machine.hpp"
#include "simulator/synchronisation.hpp"

namespace simulator {

namespace {

constexpr std::uint64_t undefined_value = 0xdbdbdbdbdbdbdbdb;  // as shared memory begins

constexpr int lane_count = static_cast<int>(ModelDevice::lanes);

bool contains(unsigned lanes, int lane) { return lane >= 0 && lane < lane_count && (lanes >> lane & 1); }

// The lane whose value a shuffle gives to `lane`; its own where the source lies outside its segment of the
// warp. (PTX ISA, shfl.sync; CUDA C++ Programming Guide, "Warp shuffle functions")
int source_lane(const WarpRequest& request, int lane) {
  const int width = std::clamp(request.width, 1, lane_count);
  const int segment = lane & ~(width - 1);
  const int last = segment + width - 1;
  const int distance = request.argument & (lane_count - 1);
  switch (request.operation) {
    case WarpOperation::shuffle:
      return segment + (request.argument & (width - 1));
    case WarpOperation::shuffle_up:
      return lane - distance >= segment ? lane - distance : lane;
    case WarpOperation::shuffle_down:
      return lane + distance <= last ? lane + distance : lane;
    default:
      return (lane ^ distance) <= last ? lane ^ distance : lane;
  }
}

std::uint32_t reduce(WarpOperation operation, std::uint32_t a, std::uint32_t b) {
  const auto signed_a = static_cast<std::int32_t>(a), signed_b = static_cast<std::int32_t>(b);
  switch (operation) {
    case WarpOperation::reduce_add:
      return a + b;
    case WarpOperation::reduce_min:
      return std::min(a, b);
    case WarpOperation::reduce_max:
      return std::max(a, b);
    case WarpOperation::reduce_min_signed:
      return static_cast<std::uint32_t>(std::min(signed_a, signed_b));
    case WarpOperation::reduce_max_signed:
      return static_cast<std::uint32_t>(std::max(signed_a, signed_b));
    case WarpOperation::reduce_and:
      return a & b;
    case WarpOperation::reduce_or:
      return a | b;
    default:
      return a ^ b;
  }
}

// The lanes whose value equals that of `lane`.
unsigned equal_lanes(const LaneRequests& requests, unsigned lanes, int lane) {
  unsigned equal = 0;
  for (int other = 0; other < lane_count; ++other) {
    const auto at = static_cast<std::size_t>(other);
    if (contains(lanes, other) && requests[at]->value == requests[static_cast<std::size_t>(lane)]->value) {
      equal |= 1u << other;
    }
  }
  return equal;
}

ExchangeKind kind_of(WarpOperation operation) {
  if (operation <= WarpOperation::shuffle_xor) return ExchangeKind::shuffle;
  if (operation == WarpOperation::ballot) return ExchangeKind::vote;
  return operation <= WarpOperation::match_all ? ExchangeKind::match : ExchangeKind::reduction;
}

// How many values these lanes bring, each counted once.
unsigned different_values(const LaneRequests& requests, unsigned lanes) {
  unsigned different = 0;
  for (unsigned left = lanes; left != 0; ++different)
    left &= ~equal_lanes(requests, lanes, std::countr_zero(left));
  return different;
}

std::uint64_t result_of(const LaneRequests& requests, unsigned lanes, int lane) {
  const WarpRequest& own = *requests[static_cast<std::size_t>(lane)];
  switch (own.operation) {
    case WarpOperation::sync:
      return 0;
    case WarpOperation::shuffle:
    case WarpOperation::shuffle_up:
    case WarpOperation::shuffle_down:
    case WarpOperation::shuffle_xor: {
      // A lane that does not take part has no defined value to give; a GPU returns what the register held.
      // The lane's own value would often be right by luck.
      const int source = source_lane(own, lane);
      return contains(lanes, source) ? requests[static_cast<std::size_t>(source)]->value : undefined_value;
    }
    case WarpOperation::ballot: {
      unsigned votes = 0;
      for (int other = 0; other < lane_count; ++other) {
        if (contains(lanes, other) && requests[static_cast<std::size_t>(other)]->value) votes |= 1u << other;
      }
      return votes;
    }
    case WarpOperation::match_any:
      return equal_lanes(requests, lanes, lane);
    case WarpOperation::match_all: {
      const unsigned equal = equal_lanes(requests, lanes, lane);
      return equal == lanes ? lanes : 0;
    }
    default: {
      std::uint32_t total = static_cast<std::uint32_t>(own.value);
      for (int other = 0; other < lane_count; ++other) {
        if (other == lane || !contains(lanes, other)) continue;
        total = reduce(own.operation, total,
                       static_cast<std::uint32_t>(requests[static_cast<std::size_t>(other)]->value));
      }
      return total;
    }
  }
}

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

void complete_operation(const LaneRequests& requests, unsigned lanes) {
  for (int lane = 0; lane < lane_count; ++lane) {
    if (contains(lanes, lane))
      requests[static_cast<std::size_t>(lane)]->result = result_of(requests, lanes, lane);
  }
}

int Machine::wait_at_barrier(BarrierReduction reduction, bool predicate, std::uintptr_t site) {
  Thread& self = *current_;
  self.site = site;
  if (arrivals_.threads++ == 0) arrivals_.site = site;
  arrivals_.sites_differ |= arrivals_.site != site;
  arrivals_.reduction = reduction;
  arrivals_.votes += predicate;
  running_warp_->ready &= ~recording.bit;
  running_warp_->at_barrier |= recording.bit;
  return leave<true>();
}

bool Machine::release_barrier() {
  unsigned exited = 0;
  for (const Warp& warp : warps_) {
    if (warp.live() != warp.at_barrier) return false;
    exited += static_cast<unsigned>(std::popcount(warp.exited));
  }
  if (arrivals_.threads == 0) return false;
  if (exited > 0 || arrivals_.sites_differ) report_barrier(exited);
  const auto& [reduction, threads, votes, site, differ] = arrivals_;
  barrier_result_ = reduction == BarrierReduction::count ? static_cast<int>(votes)
                    : reduction == BarrierReduction::all ? votes == threads
                                                         : votes > 0;
  Synchronisation::instance().block_barrier();
  observers_.block_barrier(static_cast<std::uint32_t>(ProgramImage::instance().place_of(site)));
  arrivals_ = {};
  for (Warp& warp : warps_) {
    if (!warp.at_barrier) continue;
    ++result_.counters[facts::Counter::barriers];
    warp.ready = warp.at_barrier;
    warp.at_barrier = 0;
  }
  return true;
}

std::uint64_t Machine::wait_for_lanes(const WarpRequest& request, std::uintptr_t site) {
  Thread& self = *current_;
  if (!(request.mask & bit(self))) {
    fault(facts::Verdict::divergent_barrier, "a lane called a warp operation whose mask does not contain it",
          site);
  }
  self.site = site;
  self.request = request;
  warp_of(self).ready &= ~bit(self);
  warp_of(self).at_operation |= bit(self);
  leave();
  return self.request.result;
}

Machine::Group Machine::group_of(unsigned lane, unsigned arrived, unsigned first_thread) {
  const WarpRequest& request = threads_[first_thread + lane].request;
  Group group;
  for_each_lane(request.mask & arrived, [&](unsigned other) {
    WarpRequest& candidate = threads_[first_thread + other].request;
    if (candidate.operation != request.operation || candidate.mask != request.mask) return;
    group.requests[other] = &candidate;
    group.lanes |= 1u << other;
  });
  return group;
}

// Lanes beyond the end of a block whose size is no multiple of 32 never existed: they are not waited for.
bool Machine::is_complete(const Group& group, const Warp& warp) {
  const auto any = static_cast<unsigned>(std::countr_zero(group.lanes));
  return group.lanes == (group.requests[any]->mask & warp.live());
}

Machine::CompleteGroups Machine::complete_groups(const Warp& warp, unsigned first_thread) {
  CompleteGroups complete;
  for (unsigned open = warp.at_operation; open;) {
    const Group group =
        group_of(static_cast<unsigned>(std::countr_zero(open)), warp.at_operation, first_thread);
    open &= ~group.lanes;
    if (is_complete(group, warp)) complete.lanes[complete.count++] = group.lanes;
  }
  return complete;
}

bool Machine::complete_operations(Warp& warp, unsigned first_thread) {
  bool completed = false;
  // Groups that make the same operation at once: one instruction of the warp.
  std::optional<WarpExchange> together;
  // Where a question comes first, some lanes have run ahead of it.
  const unsigned arriving = warp.at_operation & ~recorder_.pending();
  unsigned open = arriving;
  while (open) {
    const auto lane = static_cast<unsigned>(std::countr_zero(open));
    const Thread& first = threads_[first_thread + lane];
    const WarpRequest& request = first.request;
    const Group group = group_of(lane, arriving, first_thread);
    const auto& [arrived, requests] = group;
    open &= ~arrived;
    if (!is_complete(group, warp)) continue;
    complete_operation(requests, arrived);
    note_absent_source(first, requests, arrived);
    if (request.operation == WarpOperation::sync) {
      Synchronisation::instance().warp_barrier(first.warp, arrived);
      observers_.warp_barrier(first.warp, arrived,
                              static_cast<std::uint32_t>(ProgramImage::instance().place_of(first.site)));
    } else {
      const bool matches = request.operation == WarpOperation::match_any;
      const WarpExchange exchange{
          .kind = kind_of(request.operation),
          .bytes = request.bytes,
          .different = matches ? different_values(requests, arrived) : 1,
          .warp = first.warp,
          .lanes = arrived,
          .place = static_cast<std::uint32_t>(ProgramImage::instance().place_of(first.site))};
      if (together && together->place == exchange.place) {
        together->lanes |= arrived;
        if (matches) together->different += exchange.different;
      } else {
        if (together) observers_.warp_exchange(*together);
        together = exchange;
      }
    }
    warp.at_operation &= ~arrived;
    warp.ready |= arrived;
    completed = true;
  }
  if (together) observers_.warp_exchange(*together);
  return completed;
}

// A lane that takes part may read from one that does not: on a GPU the value that it gets is undefined.
void Machine::note_absent_source(const Thread& first, const LaneRequests& requests, unsigned lanes) {
  const WarpOperation operation = first.request.operation;
  if (operation < WarpOperation::shuffle || operation > WarpOperation::shuffle_xor) return;
  for_each_lane(lanes, [&](unsigned lane) {
    const int source = source_lane(*requests[lane], static_cast<int>(lane));
    if (contains(lanes, source)) return;
    hazards_.add({.kind = facts::Verdict::pass,
                  .what = fmt::format("a shuffle reads from lane {}, which does not take part", source),
                  .threads = {{threads_[first.warp * ModelDevice::lanes + lane].index, block_index_}},
                  .sites = {ProgramImage::instance().place_of(first.site)},
                  .roles = {std::string(facts::absent_source)}});
  });
}

void Machine::wait_at_question(std::uintptr_t site) {
  Thread& self = *current_;
  self.site = site;
  warp_of(self).ready &= ~bit(self);
  warp_of(self).at_active_mask |= bit(self);
  leave();
}

unsigned Machine::wait_for_active_mask(std::uintptr_t site) {
  Thread& self = *current_;
  if (!configuration_.lockstep_seed) record_question(site);
  wait_at_question(site);
  return static_cast<unsigned>(self.request.result);
}

// An atomic that has changed nothing may be a look at what another thread does, which is to go on.
void Machine::keep_step(std::uintptr_t site) {
  if (configuration_.lockstep_seed || !has_changed_a_word()) return;
  record_step(site);
  warp_of(*current_).in_step |= bit(*current_);
  wait_at_question(site);
}

void Machine::wait_behind_step() {
  Thread& self = *current_;
  warp_of(self).ready &= ~bit(self);
  warp_of(self).behind_step |= bit(self);
  leave();
}

void Machine::answer_together(Warp& warp, unsigned first_thread, unsigned lanes) {
  for_each_lane(lanes, [&](unsigned lane) { threads_[first_thread + lane].request.result = lanes; });
  warp.at_active_mask &= ~lanes;
  warp.ready |= lanes;
}

// The lanes that have asked and go on.
unsigned Machine::answer_question(Warp& warp, unsigned first_thread) {
  if (!recorder_.question_is_first()) return 0;
  const unsigned lanes = recorder_.take_question();
  answer_together(warp, first_thread, lanes);
  return lanes;
}

// Where it is not recorded how lanes came to their places. All at once: a lane that is answered first may
// come to where another one waits, by another way.
void Machine::answer_all_questions(Warp& warp, unsigned first_thread) {
  while (warp.at_active_mask) {
    const std::uintptr_t site =
        threads_[first_thread + static_cast<unsigned>(std::countr_zero(warp.at_active_mask))].site;
    unsigned together = 0;
    for_each_lane(warp.at_active_mask, [&](unsigned lane) {
      if (threads_[first_thread + lane].site == site) together |= 1u << lane;
    });
    answer_together(warp, first_thread, together);
  }
}

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
                .threads = {{first->index, block_index_}},
                .sites = {ProgramImage::instance().place_of(first->site)},
                .roles = {"waits"}};
  if (exited > 0) {
    const auto gone = std::find_if(threads_.begin(), threads_.begin() + block_threads_,
                                   [&](const Thread& t) { return warp_of(t).exited & bit(t); });
    const uint3 at = gone->index;
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
  hazard.threads.push_back({other->index, block_index_});
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
         .threads = {{thread.index, block_index_}},
         .sites = {ProgramImage::instance().place_of(thread.site)},
         .roles = {"waits"}});
    return;
  }
}

// `log` belongs to a turn of the thread, which is over.
void Machine::observe_repetition(Thread& thread) {
  const std::span<const LaneEvent> log = recorder_.log_of(thread.lane);
  thread.repetition.note(log, clock_);
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
  if (!recording_) return round_is_idle_ && is_idle_for_long();
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
      .threads = {{spinning->index, block_index_}},
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
