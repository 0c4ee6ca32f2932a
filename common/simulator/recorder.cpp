// SPDX-License-Identifier: MIT
#include "simulator/recorder.hpp"

#include <algorithm>
#include <bit>

#include "simulator/machine.hpp"
#include "simulator/recording.hpp"
#include "simulator/observers.hpp"

namespace simulator {

Recording recording;

using namespace event_bits;

namespace {

void set_depth(unsigned depth) {
  recording.depth = depth;
  recording.depth_key = std::uint64_t{deepest - std::min(depth, deepest)} << depth_shift;
}

}  // namespace

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
  if ((what & kind_bits) == kind_code(AccessKind::atomic_increment)) what = (what & ~kind_bits) | kind_code(AccessKind::atomic);
}

void Recorder::resume(unsigned lane, unsigned depth, Recording::Range stack) {
  recording.next = logs_[lane].data();
  recording.end = logs_[lane].data() + log_events;
  recording.last_atomic = nullptr;
  recording.stack = stack;
  set_depth(depth);
}

void Recorder::suspend(unsigned lane) {
  cursor_[lane] = logs_[lane].data();
  end_[lane] = recording.next;
  if (cursor_[lane] != end_[lane]) pending_ |= 1u << lane;
  recording.next = nullptr;
  recording.last_atomic = nullptr;
}

void Recorder::merge(unsigned producers, Observers& observers) {
  while (pending_ && !(producers & ~pending_)) {
    unsigned together = 0;
    std::uint64_t lowest = UINT64_MAX;
    for (unsigned lanes = pending_; lanes; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      const std::uint64_t key = cursor_[lane]->key;
      if (key < lowest) {
        lowest = key;
        together = 1u << lane;
      } else if (key == lowest) {
        together |= 1u << lane;
      }
    }
    pass_on(*cursor_[static_cast<unsigned>(std::countr_zero(together))], together, observers);
    for (unsigned lanes = together; lanes; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      if (++cursor_[lane] == end_[lane]) pending_ &= ~(1u << lane);
    }
  }
}

void Recorder::pass_on(const Event& event, unsigned lanes, Observers& observers) {
  if (event.what >> block_shift) {
    observers.basic_block(warp_, lanes);
    return;
  }
  WarpAccess access;
  access.kind = static_cast<AccessKind>(event.what >> kind_shift & kind_mask);
  access.size = 1u << (event.what >> size_shift & 15);
  access.place = static_cast<std::uint32_t>(event.key & place_bits);
  access.warp = warp_;
  stored_ |= access.kind == AccessKind::store;
  // The lanes of one instruction may point into different spaces; each space has its own requests.
  unsigned in_space[2] = {0, 0};
  for (unsigned rest = lanes; rest; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t what = cursor_[lane]->what;
    access.address[lane] = what & address_bits;
    in_space[what >> space_shift & 1] |= 1u << lane;
  }
  for (const Space space : {Space::global, Space::shared}) {
    access.space = space;
    access.lanes = in_space[static_cast<unsigned>(space)];
    if (access.lanes) observers.access(access);
  }
}

}  // namespace simulator
