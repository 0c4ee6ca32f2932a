// SPDX-License-Identifier: MIT
// Collects what the lanes of a warp do, and merges it into the instructions that the warp would have issued.
//
// Each lane runs ahead on its own and writes its accesses and the basic blocks that it enters into a log.
// Merging takes the event with the deepest call, and among those the lowest address of code, and with it
// every lane whose next event is the same: lanes that left a branch wait for those that are still inside, as
// they would at the point where the branch's paths meet. (Taking "the k-th execution of the same instruction"
// instead is wrong for loops whose lanes go round different numbers of times.) When the log of a lane that
// can still run is empty, it has to run first.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include "simulator/observer.hpp"

namespace simulator {

// One event of a lane.
struct Event {
  std::uint64_t key;  // merged in ascending order: 255 - call depth, then the place in the program
  std::uint64_t
      what;  // address (48 bits), log2 of the size (4), kind (3), space (1), whether it is a basic block (1)
};

constexpr std::size_t log_events = 128;

// The state that the instrumentation's hooks use for every access: kept small and in one place.
struct Recording {
  Event* next = nullptr;  // null: nothing is recorded
  Event* end = nullptr;
  Event* last_atomic = nullptr;   // if it is still in the log
  Event* unread_store = nullptr;  // the last event, if it is a store whose value has not been read back yet
  Event* log = nullptr;           // the running lane's, and what its stores have left
  StoredValue* values = nullptr;
  unsigned depth = 0;           // of calls, of the running lane
  std::uint64_t depth_key = 0;  // the depth's part of an event's key
  std::uintptr_t load_address = 0;
  struct Range {
    std::uintptr_t begin = 0, bytes = 0;
    bool contains(std::uintptr_t address, std::uintptr_t size) const {
      return address - begin < bytes && size <= bytes - (address - begin);
    }
  };
  Range stack;                      // of the running lane: its local memory, of no interest
  std::uintptr_t lowest_frame = 0;  // on that stack
  std::array<Range, 2> global;      // the arrays that were touched last
  Range shared;
};
extern Recording recording;

// For a lane whose log is full: its warp's logs are merged, and other lanes run, before it goes on.
void make_room_in_log();
// Machine::locate, for the running lane.
std::optional<Space> locate_access(std::uintptr_t address, std::size_t size, AccessKind kind,
                                   std::uintptr_t site);

// The way of an access from the instrumentation's hook into a lane's log, inline: every access of a kernel
// goes it.

// How an Event packs what it holds.
namespace event_bits {
constexpr unsigned deepest = 255;
constexpr unsigned depth_shift = 40, size_shift = 48, kind_shift = 52, space_shift = 55, block_shift = 56;
constexpr std::uint64_t address_bits = (std::uint64_t{1} << 48) - 1;
constexpr std::uint64_t kind_mask = 7;
constexpr std::uint64_t place_bits = 0xffffffffu;
constexpr std::uint64_t kind_bits = kind_mask << kind_shift;

constexpr std::uint64_t kind_code(AccessKind kind) { return static_cast<std::uint64_t>(kind) << kind_shift; }

}  // namespace event_bits

// A hook is called before the access itself. By the lane's next event its store has happened, and nobody else
// has run.
inline void read_back_store() {
  const std::uint64_t what = std::exchange(recording.unread_store, nullptr)->what;
  StoredValue& value = recording.values[recording.next - 1 - recording.log];
  std::memcpy(value.bytes.data(), reinterpret_cast<const void*>(what & event_bits::address_bits),
              std::size_t{1} << (what >> event_bits::size_shift & 15));
  value.known = true;
}

// Makes room before it writes, not after: the last event stays in the log until the next one comes, for
// record_result_used.
inline void append_event(std::uint64_t site, std::uint64_t what) {
  if (recording.unread_store) read_back_store();
  if (recording.next == recording.end) make_room_in_log();
  *recording.next++ = {recording.depth_key | (site - recording.load_address), what};
}

// `alone`: the instruction does nothing else.
inline void record_access(std::uintptr_t address, unsigned log2_size, AccessKind kind, std::uintptr_t site,
                          bool alone = true) {
  using namespace event_bits;
  if (!recording.next) return;
  const std::uintptr_t size = std::uintptr_t{1} << log2_size;
  std::uint64_t space = 0;
  const bool aligned = (address & (size - 1)) == 0;
  if (aligned && recording.shared.contains(address, size)) {
    space = static_cast<std::uint64_t>(Space::shared);
  } else if (!aligned ||
             (!recording.global[0].contains(address, size) && !recording.global[1].contains(address, size))) {
    if (recording.stack.contains(address, size)) return;
    const std::optional<Space> found = locate_access(address, size, kind, site);
    if (!found) return;
    space = static_cast<std::uint64_t>(*found);
  }
  append_event(site,
               address | std::uint64_t{log2_size} << size_shift | kind_code(kind) | space << space_shift);
  if (is_atomic(kind)) recording.last_atomic = recording.next - 1;
  if (kind != AccessKind::store) return;
  recording.values[recording.next - 1 - recording.log].known = false;
  if (alone) recording.unread_store = recording.next - 1;
}

inline void record_basic_block(std::uintptr_t site) {
  if (recording.next) append_event(site, std::uint64_t{1} << event_bits::block_shift);
}

// The running lane enters or leaves a function.
void record_entry(std::uintptr_t site);
void record_exit();

// The result of the running lane's last atomic is used.
void record_result_used();

class Recorder {
 public:
  // The lanes of a warp take turns in the same logs: a warp is left only when its logs are empty.
  void begin_warp(unsigned warp) { warp_ = warp; }

  // Gives the log of a lane to the hooks; its log is empty. `depth` is the lane's call depth.
  void resume(unsigned lane, unsigned depth, Recording::Range stack);
  // Takes it back.
  void suspend(unsigned lane);
  // The place of its last access, if its log still holds one.
  std::optional<std::uintptr_t> last_access_of_running_lane() const;

  unsigned pending() const { return pending_; }  // the lanes whose logs hold events

  // Passes merged events on until nothing is left, or one of `producers` has to run first.
  void merge(unsigned producers, Observers& observers);

  // Whether a store was passed on since the last time.
  bool take_stored() { return std::exchange(stored_, false); }

  void clear() {
    pending_ = 0, stored_ = false;
    keys_.fill(no_event);
  }

 private:
  static constexpr std::uint64_t no_event = UINT64_MAX;

  unsigned lanes_at_next_event() const;
  void advance(unsigned lane);
  void pass_on(const Event& event, unsigned lanes, Observers& observers);

  std::array<std::array<StoredValue, log_events>, ModelDevice::lanes> values_;  // those of the logs' stores
  // A line of the processor's cache apart from a power of 2: otherwise the lanes' events compete for the same
  // few sets.
  std::array<std::array<Event, log_events + 4>, ModelDevice::lanes> logs_;
  std::array<const Event*, ModelDevice::lanes> cursor_{}, end_{};
  std::array<std::uint64_t, ModelDevice::lanes>
      keys_{};  // of the events at the cursors; `no_event` for other lanes
  unsigned pending_ = 0;
  unsigned warp_ = 0;
  bool stored_ = false;
};

}  // namespace simulator
