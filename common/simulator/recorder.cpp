// SPDX-License-Identifier: MIT
#include "simulator/recorder.hpp"

#include <algorithm>
#include <bit>

#include "simulator/machine.hpp"
#include "simulator/observers.hpp"

namespace simulator {

Recording recording;

namespace {

constexpr unsigned deepest = 255;
constexpr unsigned depth_shift = 40, size_shift = 48, kind_shift = 52, space_shift = 54, block_shift = 55;
constexpr std::uint64_t address_bits = (std::uint64_t{1} << 48) - 1;
constexpr std::uint64_t place_bits = 0xffffffffu;
constexpr std::uint64_t kind_bits = std::uint64_t{3} << kind_shift;

std::uint64_t kind_code(AccessKind kind) { return static_cast<std::uint64_t>(kind) << kind_shift; }

// Makes room before it writes, not after: the last event stays in the log until the next one comes, for
// record_result_used.
void append(std::uint64_t site, std::uint64_t what) {
  if (recording.next == recording.end) Machine::instance().give_way();
  *recording.next++ = {recording.depth_key | (site - recording.load_address), what};
}

void set_depth(unsigned depth) {
  recording.depth = depth;
  recording.depth_key = std::uint64_t{deepest - std::min(depth, deepest)} << depth_shift;
}

}  // namespace

void record_access(std::uintptr_t address, unsigned log2_size, AccessKind kind, std::uintptr_t site) {
  if (!recording.next) return;
  const std::uintptr_t size = std::uintptr_t{1} << log2_size;
  std::uint64_t space = 0;
  const bool aligned = (address & (size - 1)) == 0;
  if (aligned && recording.shared.contains(address, size)) {
    space = static_cast<std::uint64_t>(Space::shared);
  } else if (!aligned || (!recording.global[0].contains(address, size) && !recording.global[1].contains(address, size))) {
    if (recording.stack.contains(address, size)) return;
    const std::optional<Space> found = Machine::instance().locate(address, size, kind, site);
    if (!found) return;
    space = static_cast<std::uint64_t>(*found);
  }
  append(site, address | std::uint64_t{log2_size} << size_shift | kind_code(kind) | space << space_shift);
  if (is_atomic(kind)) recording.last_atomic = recording.next - 1;
}

void record_entry(std::uintptr_t site) {
  if (!recording.next) return;
  set_depth(recording.depth + 1);
  Machine::instance().entered(site);
}

void record_exit() {
  if (recording.next && recording.depth > 0) set_depth(recording.depth - 1);
}

void record_basic_block(std::uintptr_t site) {
  if (recording.next) append(site, std::uint64_t{1} << block_shift);
}

void record_result_used() {
  if (!recording.last_atomic) return;
  std::uint64_t& what = recording.last_atomic->what;
  what = (what & ~kind_bits) | kind_code(AccessKind::atomic);
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
  access.kind = static_cast<AccessKind>(event.what >> kind_shift & 3);
  access.size = 1u << (event.what >> size_shift & 15);
  access.place = static_cast<std::uint32_t>(event.key & place_bits);
  access.warp = warp_;
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
