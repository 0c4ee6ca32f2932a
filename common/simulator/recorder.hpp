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
#include <optional>
#include <utility>

#include "simulator/access.hpp"

namespace simulator {

class Observers;

// One event of a lane.
struct Event {
  std::uint64_t key;  // merged in ascending order: 255 - call depth, then the place in the program
  std::uint64_t
      what;  // address (48 bits), log2 of the size (4), kind (3), space (1), whether it is a basic block (1)
};

constexpr std::size_t log_events = 128;

// What the instrumentation's hooks look at for every access: kept small and in one place.
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

// The running lane enters or leaves a function. (Its accesses and basic blocks: recording.hpp.)
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
