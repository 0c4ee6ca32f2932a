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
#include <span>
#include <utility>

#include "simulator/observer.hpp"

namespace simulator {

// One event of a lane.
struct Event {
  std::uint64_t key;  // merged in ascending order: 255 - call depth, then the place in the program
  std::uint64_t
      what;  // see event_bits: address (48 bits), log2 of the size (3), kind (3), space (1), and marks
};

constexpr std::size_t log_events = 128;

// The state that the instrumentation's hooks use for every access: kept small and in one place.
struct Recording {
  Event* next = nullptr;  // null: nothing is recorded
  Event* end = nullptr;
  Event* last_atomic = nullptr;  // if it is still in the log
  Event* unread_store =
      nullptr;           // from here on there are only stores, whose values have not been read back yet
  Event* log = nullptr;  // the running lane's, and what its stores have left
  StoredValue* values = nullptr;
  // The words that compare-and-swaps have changed last: a plain store there opens a lock, which is a race,
  // but one of its own.
  std::array<std::uintptr_t, 8> lock_words{};
  unsigned locks = 0;
  bool synchronizing = false;   // a thread of this launch has fenced
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
constexpr unsigned depth_shift = 40, size_shift = 48, kind_shift = 52, space_shift = 55, other_shift = 56;
constexpr std::uint64_t address_bits = (std::uint64_t{1} << 48) - 1;
constexpr std::uint64_t kind_mask = 7;
constexpr std::uint64_t place_bits = 0xffffffffu;
constexpr std::uint64_t kind_bits = kind_mask << kind_shift;
constexpr std::uint64_t size_mask = 7, other_mask = 3;  // the latter: not 0 where the event is no access
constexpr std::uint64_t basic_block = std::uint64_t{1} << other_shift,
                        fence = std::uint64_t{2} << other_shift;
// Of an access (WarpAccess); `unchanged`: an atomic that left the word as it was.
constexpr std::uint64_t strong = std::uint64_t{1} << 51, for_block = std::uint64_t{1} << 58,
                        update = std::uint64_t{1} << 59, guess = std::uint64_t{1} << 60,
                        goes_on = std::uint64_t{1} << 61, unchanged = std::uint64_t{1} << 62;

constexpr std::uint64_t kind_code(AccessKind kind) { return static_cast<std::uint64_t>(kind) << kind_shift; }

}  // namespace event_bits

// A hook is called before the access itself. When the lane stores the next time, its stores so far have
// happened, and nobody else has run. (Before it loads the next time they need not have: g++ reports both
// sides of a copied type first.)
inline void read_back_stores() {
  using namespace event_bits;
  for (Event* event = std::exchange(recording.unread_store, nullptr); event != recording.next; ++event) {
    if ((event->what & kind_bits) != kind_code(AccessKind::store)) continue;
    StoredValue& value = recording.values[event - recording.log];
    std::memcpy(value.bytes.data(), reinterpret_cast<const void*>(event->what & address_bits),
                std::size_t{1} << (event->what >> size_shift & size_mask));
    value.known = true;
  }
}

// Makes room before it writes, not after: the last event stays in the log until the next one comes, for
// record_result_used.
inline void append_event(std::uint64_t site, std::uint64_t what) {
  if (recording.unread_store && (what & event_bits::kind_bits) != event_bits::kind_code(AccessKind::load))
    read_back_stores();
  if (recording.next == recording.end) make_room_in_log();
  *recording.next++ = {recording.depth_key | (site - recording.load_address), what};
}

// A plain store, if it is one to a lock. Cold.
void open_lock(std::uintptr_t address);
void record_lock(std::uintptr_t address);  // a compare-and-swap has changed the word

// Marks the event just written, if it is a strong access and threads have fenced. Cold.
void synchronize_with_others(std::uintptr_t address, AccessKind kind, bool for_block);

// Whether what a strong store or an exchange writes to the word follows from a strong load of it: both stand
// in one basic block.
bool follows_strong_load(std::uintptr_t address);

// Whether it is in the log now, the last event there. `alone`: the instruction does nothing else. `marks`: of
// event_bits; such an access is strong.
inline bool record_access(std::uintptr_t address, unsigned log2_size, AccessKind kind, std::uintptr_t site,
                          bool alone = true, std::uint64_t marks = 0) {
  using namespace event_bits;
  if (!recording.next) return false;
  const std::uintptr_t size = std::uintptr_t{1} << log2_size;
  std::uint64_t space = 0;
  const bool aligned = (address & (size - 1)) == 0;
  if (aligned && recording.shared.contains(address, size)) {
    space = static_cast<std::uint64_t>(Space::shared);
  } else if (!aligned ||
             (!recording.global[0].contains(address, size) && !recording.global[1].contains(address, size))) {
    if (recording.stack.contains(address, size)) return false;
    const std::optional<Space> found = locate_access(address, size, kind, site);
    if (!found) return false;
    space = static_cast<std::uint64_t>(*found);
  }
  // A load stays in the log for the compare-and-swap that may follow it.
  constexpr std::ptrdiff_t kept_behind_load = 8;
  if (kind == AccessKind::load && recording.end - recording.next < kept_behind_load) make_room_in_log();
  append_event(site, address | std::uint64_t{log2_size} << size_shift | kind_code(kind) |
                         space << space_shift | marks);
  if (is_atomic(kind)) recording.last_atomic = recording.next - 1;
  if (is_atomic(kind) || marks) {
    if (recording.synchronizing) synchronize_with_others(address, kind, (marks & for_block) != 0);
    if (kind == AccessKind::store && follows_strong_load(address)) (recording.next - 1)->what |= update;
  }
  if (kind == AccessKind::store && !marks && recording.synchronizing) open_lock(address);
  if (kind != AccessKind::store) return true;
  recording.values[recording.next - 1 - recording.log].known = false;
  if (alone) recording.unread_store = recording.next - 1;
  return true;
}

inline void record_basic_block(std::uintptr_t site) {
  if (recording.next) append_event(site, event_bits::basic_block);
}

// Orders what the running lane has done before it. (CUDA's fences, and those of the compiler's builtins)
void record_fence(bool for_device, std::uintptr_t site);

// The running lane's last event is an exchange, whose operand may follow from what a load of it has found.
void record_exchange(std::uintptr_t address);

// The running lane's last event is an atomic that left the word as it was, or a compare-and-swap that found
// what it expected.
void record_unchanged();
void record_expected(std::uintptr_t address);

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
  // The events of a lane that have not been merged yet.
  std::span<const Event> log_of(unsigned lane) const {
    return pending_ >> lane & 1 ? std::span(cursor_[lane], end_[lane]) : std::span<const Event>();
  }
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
