// SPDX-License-Identifier: MIT
#include "simulator/recorder.hpp"

#include <algorithm>
#include <bit>

#include "simulator/machine.hpp"
#include "simulator/synchronisation.hpp"

namespace simulator {

Recording recording;

using namespace event_bits;

namespace {

void set_depth(unsigned depth) {
  recording.depth = depth;
  recording.depth_key = std::uint64_t{deepest - std::min(depth, deepest)} << depth_shift;
}

}  // namespace

void make_room_in_log() { Machine::instance().give_way(); }

std::optional<Space> locate_access(std::uintptr_t address, std::size_t size, AccessKind kind,
                                   std::uintptr_t site) {
  return Machine::instance().locate(address, size, kind, site);
}

void note_local_atomic(std::uintptr_t site) { Machine::instance().note_local_atomic(site); }

void record_entry(std::uintptr_t site) {
  if (!recording.next) return;
  set_depth(recording.depth + 1);
  Machine::instance().entered(site);
}

void record_exit() {
  if (recording.next && recording.depth > 0) set_depth(recording.depth - 1);
}

void record_result_used() {
  if (!recording.last_atomic) return;
  std::uint64_t& what = recording.last_atomic->what;
  if ((what & kind_bits) == kind_code(AccessKind::atomic_increment))
    what = (what & ~kind_bits) | kind_code(AccessKind::atomic);
}

void synchronize_with_others(std::uintptr_t address, AccessKind kind, bool for_block) {
  const bool goes_on = Synchronisation::instance().strong_access(
      Machine::instance().current().number, address, kind != AccessKind::store, writes(kind), for_block);
  if (goes_on) (recording.next - 1)->what |= event_bits::goes_on;
}

namespace {

// The running lane's last event before the one just written that is an access to the address, not further
// back than its last `blocks` basic blocks.
Event* last_access_to(std::uintptr_t address, unsigned blocks) {
  for (Event* event = recording.next - 1; event != recording.log;) {
    --event;
    if ((event->what & basic_block) && blocks-- == 0) return nullptr;
    if (!(event->what >> other_shift & other_mask) && (event->what & address_bits) == address) return event;
  }
  return nullptr;
}

AccessKind kind_of(const Event& event) {
  return static_cast<AccessKind>(event.what >> kind_shift & kind_mask);
}

}  // namespace

bool follows_strong_load(std::uintptr_t address) {
  const Event* const before = last_access_to(address, 0);
  if (!before) return false;
  return kind_of(*before) == AccessKind::load ? (before->what & strong) != 0
                                              : (before->what & unchanged) != 0;
}

void record_fence(bool for_device, std::uintptr_t site) {
  if (!recording.next) return;
  append_event(site, event_bits::fence);
  recording.synchronizing = true;
  Synchronisation::instance().fence(Machine::instance().current().number, for_device);
}

void record_exchange(std::uintptr_t address) {
  if (recording.next && recording.last_atomic && follows_strong_load(address))
    recording.last_atomic->what |= update;
}

void record_lock(std::uintptr_t address) {
  if (recording.lock_words[recording.locks % recording.lock_words.size()] == address) return;
  recording.lock_words[++recording.locks % recording.lock_words.size()] = address;
}

void open_lock(std::uintptr_t address) {
  const auto& words = recording.lock_words;
  if (std::find(words.begin(), words.end(), address) != words.end())
    Synchronisation::instance().strong_access(Machine::instance().current().number, address, false, true,
                                              false);
}

void record_unchanged() {
  if (recording.next && recording.last_atomic) recording.last_atomic->what |= unchanged;
}

void record_expected(std::uintptr_t address) {
  if (!recording.next || !recording.last_atomic) return;
  constexpr unsigned loop_heads = 4;
  Event* const before = last_access_to(address, loop_heads);
  if (before && kind_of(*before) == AccessKind::load && !(before->what & strong)) before->what |= guess;
}

void Recorder::resume(unsigned lane, unsigned depth, Recording::Range stack) {
  recording.log = recording.next = logs_[lane].data();
  recording.values = values_[lane].data();
  recording.end = logs_[lane].data() + log_events;
  recording.last_atomic = nullptr;
  recording.stack = stack;
  set_depth(depth);
}

std::optional<std::uintptr_t> Recorder::last_access_of_running_lane() const {
  if (!recording.next) return std::nullopt;
  for (const Event* event = recording.next; event != recording.log;) {
    if (!((--event)->what >> other_shift & other_mask))
      return recording.load_address + (event->key & place_bits);
  }
  return std::nullopt;
}

void Recorder::suspend(unsigned lane) {
  if (recording.unread_store) read_back_stores();
  cursor_[lane] = logs_[lane].data();
  end_[lane] = recording.next;
  if (cursor_[lane] != end_[lane]) {
    pending_ |= 1u << lane;
    keys_[lane] = cursor_[lane]->key;
  }
  recording.next = nullptr;
  recording.last_atomic = nullptr;
}

void Recorder::merge(unsigned producers, Observers& observers) {
  while (pending_ && !(producers & ~pending_)) {
    const unsigned together = lanes_at_next_event();
    if (together == 0) return;  // never: somebody is pending
    pass_on(*cursor_[static_cast<unsigned>(std::countr_zero(together))], together, observers);
    if (together == ~0u) {
      for (unsigned lane = 0; lane < ModelDevice::lanes; ++lane) advance(lane);
    } else {
      for (unsigned lanes = together; lanes; lanes &= lanes - 1)
        advance(static_cast<unsigned>(std::countr_zero(lanes)));
    }
  }
}

unsigned Recorder::lanes_at_next_event() const {
  // Mostly a warp is together.
  std::uint64_t different = 0;
  for (const std::uint64_t key : keys_) different |= key ^ keys_[0];
  if (different == 0) return ~0u;
  std::uint64_t lowest = keys_[0];
  for (const std::uint64_t key : keys_) lowest = std::min(lowest, key);
  unsigned together = 0;
  for (unsigned lane = 0; lane < ModelDevice::lanes; ++lane)
    together |= static_cast<unsigned>(keys_[lane] == lowest) << lane;
  return together;
}

void Recorder::advance(unsigned lane) {
  if (++cursor_[lane] != end_[lane]) {
    keys_[lane] = cursor_[lane]->key;
    return;
  }
  keys_[lane] = no_event;
  pending_ &= ~(1u << lane);
}

void Recorder::pass_on(const Event& event, unsigned lanes, Observers& observers) {
  if (event.what & basic_block) {
    observers.basic_block(warp_, lanes);
    return;
  }
  if (event.what & event_bits::fence) {
    for_each_lane(lanes, [&](unsigned lane) { observers.fence(warp_ * ModelDevice::lanes + lane); });
    return;
  }
  WarpAccess access;
  access.kind = static_cast<AccessKind>(event.what >> kind_shift & kind_mask);
  access.size = 1u << (event.what >> size_shift & size_mask);
  access.strong = is_atomic(access.kind) || (event.what & strong);
  access.for_block = event.what & for_block;
  access.place = static_cast<std::uint32_t>(event.key & place_bits);
  access.warp = warp_;
  stored_ |= access.kind == AccessKind::store;
  // The lanes of one instruction may point into different spaces; each space has its own requests.
  static_assert(static_cast<unsigned>(Space::global) == 0 && static_cast<unsigned>(Space::shared) == 1);
  unsigned in_shared = 0;
  std::uint64_t marks = 0;
  const auto take = [&](unsigned lane) {
    const std::uint64_t what = cursor_[lane]->what;
    access.address[lane] = what & address_bits;
    in_shared |= static_cast<unsigned>(what >> space_shift & 1) << lane;
    marks |= what;
  };
  if (access.kind == AccessKind::store) {
    for (unsigned rest = lanes; rest; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      access.stored[lane] = &values_[lane][static_cast<std::size_t>(cursor_[lane] - logs_[lane].data())];
    }
  }
  if (lanes == ~0u) {
    for (unsigned lane = 0; lane < ModelDevice::lanes; ++lane) take(lane);
  } else {
    for (unsigned rest = lanes; rest; rest &= rest - 1) take(static_cast<unsigned>(std::countr_zero(rest)));
  }
  if (marks & (update | guess | goes_on)) {
    for_each_lane(lanes, [&](unsigned lane) {
      const std::uint64_t what = cursor_[lane]->what;
      access.updates |= static_cast<unsigned>((what & update) != 0) << lane;
      access.guesses |= static_cast<unsigned>((what & guess) != 0) << lane;
      access.goes_on |= static_cast<unsigned>((what & goes_on) != 0) << lane;
    });
  }
  for (const auto& [space, its_lanes] :
       {std::pair{Space::global, lanes & ~in_shared}, std::pair{Space::shared, lanes & in_shared}}) {
    access.space = space;
    access.lanes = its_lanes;
    if (its_lanes) observers.access(access);
  }
}

}  // namespace simulator
