// SPDX-License-Identifier: MIT
// Finds data races: two accesses to the same byte by different threads, at least one of them a write, not
// both atomic, and nothing that orders them. What orders two accesses:
//
//   within a block        a barrier of the block between them
//   within a warp         also a __syncwarp in which both lanes take part, directly or through other lanes
//   between blocks        only this: the first thread (or, after a barrier, one of its block) fences and
//                         then does an atomic; the second (or, before a barrier, one of its block) does an
//                         atomic on the same word later, and has fenced too: the "last block" pattern
//
// The order in which the simulator happened to run the threads plays no part. Votes and shuffles order
// nothing.
//
// For each word the last accesses are kept: the last plain write (of each byte, if threads share a word), the
// last atomics of two threads, two reads by different threads of the block that runs, and one by another
// block. Most words of an input are only ever read, by one thread or in one instruction: for those that read
// is enough to remember, until something else happens to them. Epochs tell intervals between barriers apart:
// they are counted through the whole launch, so an epoch also tells whether an access was made in the block
// that runs.
#pragma once

#include <array>
#include <bitset>
#include <unordered_map>
#include <vector>

#include "simulator/checkers/shadow.hpp"
#include "simulator/hazards.hpp"
#include "simulator/observer.hpp"

namespace simulator {

// How far the race checker remembers, so that a launch's memory does not grow with its grid.
struct RaceBounds {
  // Of memory about the words of global memory. Where more is taken, all of it is forgotten before the next
  // block begins or the next barrier of the block ends.
  std::size_t remembered_bytes = std::size_t{384} << 20;
  // Atomics by blocks that fence: from the next one on nothing is said between blocks any more.
  std::uint64_t meetings = 1 << 21;
};

class RaceChecker final : public Observer {
 public:
  explicit RaceChecker(Hazards& hazards, RaceBounds bounds = {}) : hazards_(hazards), bounds_(bounds) {}

  void block_begins(const BlockContext& block) override;
  void access(const WarpAccess& access) override;
  void block_barrier(std::uint32_t place) override;
  void warp_barrier(unsigned warp, unsigned lanes, std::uint32_t place) override;
  void fence(unsigned thread) override;

 private:
  static constexpr unsigned most_threads = ModelDevice::threads_of_block;
  static constexpr std::uint8_t whole_word = (1u << shadow_word_bytes) - 1;

  // An access as a cell remembers it; epoch 0: none.
  struct Mark {
    std::uint32_t epoch = 0;
    std::uint32_t place = 0;
    std::uint32_t block = 0;
    std::uint16_t thread : 13 = 0;
    std::uint16_t several : 1 =
        0;  // others made it too: lanes in the same instruction, threads that wrote the same value
    std::uint16_t has_cell : 1 = 0;  // of a word's only read: the word has a cell by now, where everything is
    std::uint16_t by_bytes : 1 = 0;  // of a word's last write: byte_writes_ has those of its bytes
    std::uint8_t bytes : 4 = 0;      // of the word, a bit each
    std::uint8_t of_warps : 1 =
        0;  // of a word's last write: other warps wrote the same value, with nothing in between
    std::uint8_t of_blocks : 1 = 0;  // or other blocks did
    std::uint8_t time = 0;           // the warp's __syncwarps before it, see warp_time_
  };
  struct Cell {
    Mark write;
    std::array<Mark, 2> atomics;  // the last one, and one of another thread: of another warp, if there is one
    std::array<Mark, 2> reads;    // by different threads of the block that runs
    Mark other_read;              // by another block
  };
  // An atomic by which a block orders its earlier accesses before those of later blocks.
  struct Release {
    std::uint32_t block, epoch, fence_epoch;
    unsigned thread;
    bool all_fenced;
  };
  struct Acquire {
    std::uintptr_t word;
    std::size_t releases;  // how many there were
    std::uint32_t epoch;
    unsigned thread;
    bool fenced;
  };

  void lane_words(const WarpAccess& access, unsigned lane, Mark& now);
  Cell* cell_after_reads(const WarpAccess& access, std::uintptr_t address, const Mark& now);
  bool is_quiet(const Cell& cell) const;
  void loads(const WarpAccess& access);
  Mark mark(const WarpAccess& access, unsigned lane) const;
  void word_access(const WarpAccess& access, std::uintptr_t address, Mark now);
  Cell* cell_of(std::uintptr_t address, Mark& only_read);
  void forget_when_full();
  void remember_read(Cell& cell, const Mark& now) const;
  void remember_atomic(Cell& cell, const Mark& now) const;
  const Mark* conflicting_write(const Cell& cell, std::uintptr_t address, const Mark& now, bool loads);
  bool leaves_the_same(const WarpAccess& access, std::uintptr_t address, const Mark& before, const Mark& now);
  void join(Mark& now, const Mark& before) const;
  void remember_value(const WarpAccess& access, std::uintptr_t address, const Mark& now);
  void remember_write(Cell& cell, std::uintptr_t address, const Mark& now);
  bool in_this_block(const Mark& mark) const { return mark.epoch >= block_epoch_; }
  bool same_thread(const Mark& a, const Mark& b) const {
    return in_this_block(a) && a.thread == b.thread && !a.several && !b.several;
  }
  // Whether nothing of the block that runs can conflict with it, and, in shared memory, nothing at all.
  bool is_settled(const Mark& mark) const {
    return mark.epoch == 0 ||
           (!mark.of_blocks && mark.epoch != epoch_ && (shared_ || mark.epoch >= block_epoch_));
  }
  bool conflicts(const Mark& before, const Mark& now) const {
    return !is_settled(before) && conflicts_now(before, now);
  }
  bool write_conflicts(Mark write, const Mark& now, bool loads) const;
  bool conflicts_now(const Mark& before, const Mark& now) const;
  bool ordered(const Mark& before, const Mark& now) const;
  bool ordered_between_blocks(const Mark& before, const Mark& now) const;
  void synchronize_blocks(const WarpAccess& access, unsigned lane);
  void note(const WarpAccess& access, std::uintptr_t address, const Mark& before, const Mark& now);
  void report(const WarpAccess& access, std::uintptr_t address, const Cell& cell, const Mark& before,
              const Mark& now, AccessKind kind_before);
  ThreadLocation location(const Mark& mark) const;

  Hazards& hazards_;
  RaceBounds bounds_;
  Shadow<Mark> only_reads_;
  Shadow<Cell> cells_;
  Shadow<std::uint32_t>
      quiet_epochs_;  // in which atomics are all that happened to a shared word, and two warps' are known
  Shadow<std::array<Mark, shadow_word_bytes>> byte_writes_;
  // The bytes that the last plain writes have left in a word.
  struct WordValue {
    std::array<unsigned char, shadow_word_bytes> bytes;
    std::uint8_t known;  // a bit each
  };
  Shadow<WordValue> values_;
  BlockContext block_{};
  std::uint32_t epoch_ = 0, block_epoch_ = 1;
  bool shared_ = false;  // the space of the access that is looked at
  unsigned lane_ = 0;    // whose part of it

  // Vector clocks within each warp: known_[t][l] is how much of lane l's time thread t's lane has
  // synchronized with. Times start anew with each epoch; they stop at the largest one, from which on
  // everything counts as ordered.
  std::array<std::uint8_t, most_threads> time_{};
  std::array<std::array<std::uint8_t, ModelDevice::lanes>, most_threads> known_{};
  std::uint32_t times_epoch_ = 0;  // in which any of these is not 0

  std::bitset<most_threads> fenced_;
  std::array<std::uint32_t, most_threads> fence_epoch_{};
  std::uint64_t meetings_ = 0;
  bool too_many_meetings_ = false;
  std::size_t remembered_bytes_ = 0;
  std::unordered_map<std::uintptr_t, std::vector<Release>> releases_;  // by word
  std::vector<Acquire> acquires_;                                      // of this block
};

}  // namespace simulator
