// SPDX-License-Identifier: MIT
// Which accesses are ordered by fences and strong accesses, after the memory consistency model of PTX.
//
// A strong access is an atomic or volatile one. A thread that fences and then makes a strong write to a word
// releases what it did before the fence, and what a barrier or a __syncwarp ordered before the fence. A
// thread that makes a strong read of the word later, and fences, acquires all that has been released there,
// up to the last strong store: what stood in the word before it nobody reads any more, while atomics hand it
// on. A fence may do one of the two alone, and an operation with an order does it for its own word.
// Sequentially consistent fences, as __threadfence is one, are ordered among themselves. So what a thread has
// done before its own one is released also by what another thread writes behind a barrier or a __syncwarp
// that follows, and what another thread has read before such a barrier is acquired, for those who have such a
// fence on the other side.
// Fences and strong accesses are reported when they happen, not when a warp's logs are merged: lanes of one
// warp may order each other in loops, and only the order in which they ran tells how.
//
// A thread's time says where in its program an access stands: it goes on at each fence, at each strong access
// that acquires, and at each __syncwarp, and starts anew with each epoch, the interval between two barriers.
// Epochs are counted through the launch, from 1 on.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "simulator/model_device.hpp"

namespace simulator {

// A fence, or the order of an operation on a word.
struct Fencing {
  enum How {
    releases,
    acquires,
    acquires_and_releases,
    // Both, and is ordered with all others of its kind.
    sequential,
    // The same; and in front of an atomic it acquires what that reads too, as CUDA's threadFenceReduction
    // sample takes it.
    thread_fence
  };
  bool for_device;  // else for threads of the block alone
  How how = thread_fence;
  std::uintptr_t word = 0;  // of an operation: it orders nothing by way of others
};

class Synchronisation {
 public:
  // From here on a thread's time stands still, and it counts as ordered with the others of its block.
  static constexpr std::uint16_t last_time = (1u << 15) - 1;

  // Strong accesses that release or acquire something new, and fences before a barrier that not all threads
  // make. Beyond so many what was between blocks is forgotten, and beyond so many of one block what was in
  // it.
  static constexpr std::uint64_t most_meetings = 1 << 21;

  // Steps from a release to an acquire and on, of all searches of a launch: a second or two. From then on
  // what nothing simpler orders counts as ordered. In a launch that has a race they are in vain again and
  // again, and there are fewer of them from then on.
  static constexpr std::uint64_t most_steps = 1 << 27, steps_behind_race = 1 << 22;

  static Synchronisation& instance();

  void begin_launch();
  void begin_block(std::uint32_t block, unsigned threads);
  void block_barrier();
  void warp_barrier(unsigned warp, unsigned lanes);

  void fence(unsigned thread, const Fencing& fencing);
  // Whether the thread's time goes on with this access. `for_block`: it counts for threads of the block only.
  bool strong_access(unsigned thread, std::uintptr_t address, bool reads, bool writes, bool for_block);

  // An access of a thread: of which block, and when; of a strong one also where, else 0.
  struct Point {
    std::uint32_t block = UINT32_MAX, epoch = 0;
    unsigned thread = 0;
    std::uint16_t time = 0;
    std::uintptr_t strong_address = 0;
  };

  // Of two accesses in one warp and one epoch: whether a __syncwarp lies between them.
  bool ordered_by_warp(const Point& before, const Point& now) const;

  // Whether releases and acquires order them, of one word or of several, one after another, which takes
  // longer to find out. `now` is of the block that runs.
  bool happens_before(const Point& before, const Point& now, bool by_other_words);

  void note_race() { most_steps_ = std::min(most_steps_, steps_ + steps_behind_race); }

  std::uint64_t meetings() const { return meetings_; }
  bool forgets_block() const { return of_block_ > most_meetings; }

 private:
  static constexpr unsigned most_threads = ModelDevice::threads_of_block;
  using Times = std::array<std::uint16_t, ModelDevice::lanes>;
  static constexpr std::uint32_t none = UINT32_MAX;

  // A thread's last fence; epoch 0: it has not fenced in this block.
  struct Fence {
    std::uint32_t epoch = 0;
    std::uint16_t time = 0;
    std::uint32_t known = none;  // of snapshots_: what a __syncwarp had told the thread by then
    bool operator==(const Fence&) const = default;
  };
  // A thread's sequentially consistent fences: the last one of earlier epochs, and the first and the last one
  // of the epoch of the last.
  struct SequentialFences {
    Fence before, first, last;
    const Fence& last_before(std::uint32_t epoch) const { return last.epoch < epoch ? last : before; }
  };
  struct FenceOf {
    std::uint16_t thread;
    Fence fence;
  };
  // The last sequentially consistent fences for the device of a block's threads, of those before its last
  // barrier: the weakest, if all have one, and of fences_before_ those of threads that have a stronger one.
  struct FencesBefore {
    Fence of_all;
    std::uint32_t begin = 0, end = 0;
    bool any() const { return of_all.epoch > 0 || begin < end; }
  };
  // A thread's last operation that releases.
  struct OwnRelease {
    std::uintptr_t word = 0;
    Fence for_any, for_device;
  };
  struct Release {
    std::uint32_t block, epoch;
    // Of acquires_: the thread's last one, the block's first, the epoch's first, and the next one.
    std::uint32_t own, of_block, of_epoch, end;
    std::uint16_t thread, time;
    bool for_block;
    Fence for_any, for_device;
    Fence sequential_for_any, sequential_for_device;
    FencesBefore before_barrier;
    // Of snapshots_: up to when each lane of the warp had fenced before the last __syncwarp.
    std::uint32_t lanes_for_any = none, lanes_for_device = none;
    bool is_for_device() const {
      return !for_block && (for_device.epoch > 0 || before_barrier.any() || lanes_for_device != none);
    }
  };
  // Those of one thread and one scope, among a word's: ascending. What the last of them holds for is all that
  // the others do.
  struct OfThread {
    std::uint16_t thread;
    bool for_block;
    std::vector<std::size_t> positions;
  };
  // Of a word. What stands in front of the last strong store, `first`, is not to be read any more.
  struct Releases {
    std::vector<Release> all;
    std::unordered_map<std::uint32_t, std::vector<OfThread>> of_block;
    std::size_t first = 0;
    void add(Release release);
  };
  // Of a word, those that a strong read has found.
  struct Found {
    std::uintptr_t word;
    std::size_t first, end;
    bool operator==(const Found&) const = default;
  };
  struct Acquire {
    Found found;
    std::uint32_t block, epoch;
    std::uint16_t thread, time;
    bool for_block;
    std::uint32_t before;       // of acquires_: the thread's acquire before this one
    Fence for_any, for_device;  // from when on it holds for releases of this block, and of others
    // From when on it does so by a sequentially consistent fence.
    Fence sequential_for_any, sequential_for_device;
  };
  // Of acquires_: a thread's last one, and its last ones that have a fence behind them.
  struct LastAcquires {
    std::uint32_t any = none, fenced_for_any = none, fenced_for_device = none;
    std::uint32_t sequential_for_any = none, sequential_for_device = none;
  };
  // What the last searches have found, for the next access of the same threads. (Of two accesses of one
  // thread, the later one comes behind whatever the earlier one does.)
  struct Answer {
    Point before, now;
    std::uint64_t changes = 0;  // by when it was found
    bool is_for(const Point& of_before, const Point& of_now) const {
      return before.thread == of_before.thread && before.block == of_before.block &&
             now.thread == of_now.thread && now.block == of_now.block;
    }
  };
  static constexpr std::size_t most_answers = 1 << 11;
  using Answers = std::vector<Answer>;
  static std::size_t answer_at(const Point& before, const Point& now) {
    return (now.thread * 37 + before.thread + before.block * 101) % most_answers;
  }

  class Search;

  void share_fences(unsigned first_thread, unsigned lanes);
  void forget();
  void fence_acquires(std::uint32_t last, std::uint32_t fenced, Fence Acquire::*since, const Fence& fence);
  void acquire_word(std::uint32_t last, const Fencing& fencing, const Fence& fence);
  void acquire_since(Acquire& acquire, Fence Acquire::*since, const Fence& fence);
  std::uint32_t snapshot_of(const std::vector<Times>& fences, unsigned thread);
  void begin_epoch();
  std::uint16_t& time_of(unsigned thread);
  std::uint16_t go_on(unsigned thread);
  bool has_acquired(unsigned thread, std::uintptr_t word) const;  // as its last acquire of it has a fence
  void add_sequential(unsigned thread, bool for_device, const Fence& fence);
  const FencesBefore& before_barrier();
  bool holds(const Fence& since, const Acquire& acquire, const Point& now) const;
  bool is_fenced_by_others(const Acquire& acquire, bool for_device, const Point& now) const;
  // For whom an acquire holds: with an order of its own, and by a sequentially consistent fence.
  struct Held {
    bool plainly, sequentially;
    bool any() const { return plainly || sequentially; }
  };
  bool covers(const Release& release, const Point& before, bool across, const Held& held) const;
  bool hands_on(const Release& release, const Fence& since, const Acquire& acquire) const;
  std::uint32_t acquires_before(const Point& point) const;

  std::uint32_t block_ = 0, epoch_ = 0;
  unsigned threads_ = 0;
  std::array<std::uint16_t, most_threads> time_{};
  // How many acquires there had been when an epoch began, where it was not as many as before; and at every
  // times_apart-th time of each thread in times_epoch_, from that on.
  struct EpochStart {
    std::uint32_t epoch, acquires;
  };
  static constexpr unsigned times_apart = 16;
  std::vector<EpochStart> epoch_starts_;
  std::array<std::vector<std::uint32_t>, most_threads> time_starts_;
  bool has_time_starts_ = false;
  std::array<Times, most_threads> known_{};  // how much of each lane's time a thread has synchronized with
  // Of each thread: when each lane had fenced last before a __syncwarp that both have passed in this epoch.
  std::vector<Times> fences_for_any_, fences_for_device_;
  std::uint32_t fences_epoch_ = none;  // in which there are any
  std::uint32_t times_epoch_ = 0;      // in which time_ is not 0
  std::uint32_t known_epoch_ = 0;      // in which known_ is not
  std::array<Fence, most_threads> for_any_{}, for_device_{};
  std::array<OwnRelease, most_threads> own_releases_{};
  // Whether it was a thread_fence.
  std::bitset<most_threads> thread_fenced_for_any_, thread_fenced_for_device_;
  bool has_own_releases_ = false;
  bool has_fenced_ = false;  // anyone of the block
  std::array<SequentialFences, most_threads> sequential_for_any_{}, sequential_for_device_{};
  // Of the block's sequentially consistent fences: the last epoch with any, and the last one before that.
  struct FencedEpochs {
    std::uint32_t last = 0, before = 0;
    void add(std::uint32_t epoch) {
      if (epoch != last) before = last, last = epoch;
    }
    std::uint32_t last_before(std::uint32_t epoch) const { return last < epoch ? last : before; }
  };
  FencedEpochs fenced_for_any_, fenced_for_device_;
  std::vector<FenceOf> fences_before_;
  FencesBefore before_barrier_;
  std::uint32_t before_barrier_epoch_ = 0;                 // for which it is known
  std::uint64_t meetings_ = 0, of_block_ = 0;              // in the launch, and in the block that runs
  std::unordered_map<std::uintptr_t, Releases> releases_;  // by word
  std::vector<Acquire> acquires_;
  std::uint32_t of_block_acquires_ = 0,
                of_epoch_acquires_ = 0;  // of these, the first of this block and epoch
  std::array<LastAcquires, most_threads> last_acquires_{};
  std::vector<Times> snapshots_;
  std::uint64_t steps_ = 0, most_steps_ = most_steps;
  std::uint64_t changes_ = 0;    // of anything that a search looks at
  Answers ordered_, unordered_;  // empty, or of most_answers
};

}  // namespace simulator
