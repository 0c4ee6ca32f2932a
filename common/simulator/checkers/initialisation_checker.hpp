// SPDX-License-Identifier: MIT
// Finds reads, plain or atomic, of memory that nobody has written: a byte of shared memory that no thread of
// the block has written up to the end of that barrier interval (a write in the same interval makes it a race,
// which is the race checker's to find), and a byte of a device array that came without contents. An atomic
// that leaves the same whatever was there, and whose result is not used, is a write.
#pragma once

#include <vector>

#include "simulator/checkers/shadow.hpp"
#include "simulator/guards.hpp"
#include "simulator/hazards.hpp"
#include "simulator/observer.hpp"

namespace simulator {

class InitialisationChecker final : public Observer {
 public:
  explicit InitialisationChecker(Hazards& hazards) : hazards_(hazards) {}

  void block_begins(const BlockContext& block) override;
  void access(const WarpAccess& access) override;
  void block_barrier(std::uint32_t) override { settle(); }
  void block_ends() override { settle(); }

 private:
  struct Cell {
    std::uint32_t epoch;  // of the block that wrote; of global memory: 1
    std::uint8_t bytes;   // written, a bit each
  };
  struct Read {
    std::uintptr_t address;
    unsigned size, thread;
    std::uint32_t place;
    bool atomic, shared;
    std::uint64_t times;
  };

  bool is_in_uninitialised_array(std::uintptr_t address);
  // Of an atomic: not those lanes to which it does not matter what was there before.
  void read_or_write(const WarpAccess& access);
  bool is_written(std::uintptr_t address, unsigned size, std::uint32_t epoch);
  void mark_written(std::uintptr_t address, unsigned size, std::uint32_t epoch);
  void note(const WarpAccess& access, unsigned lane);
  void extend_written(const WarpAccess& access);
  void settle();
  void report(const Read& read);

  Hazards& hazards_;
  Shadow<Cell> shadow_;
  BlockContext block_{};
  std::uint32_t epoch_ = 1;
  // A stretch of shared memory of which the block has written every byte: what lies in it needs no look.
  std::uintptr_t written_begin_ = 0, written_bytes_ = 0;
  // The two arrays of global memory that were touched last, and whether they came with contents.
  struct Array {
    Range range;
    bool initialised = true;
  };
  Array latest_, before_;
  std::vector<Read> pending_;  // of shared memory, in this interval: the first of each place
};

}  // namespace simulator
