// SPDX-License-Identifier: MIT
// Counts, on the simulator, what tells how a kernel goes about its work where the profiler's counters cannot:
// which memory it counts in, who counts, and how a thread's bytes lie to each other.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runner/launch_outcome.hpp"

namespace histogram {

class ConductObserver final : public runner::ConductObserver {
 public:
  // `input`: what the kernel reads; `result`: where the counts are to stand in the end, block 0's copy if
  // there are several.
  ConductObserver(std::span<const unsigned char> input, std::span<const unsigned char> result)
      : input_(input), result_(result) {}

  void block_begins(const simulator::BlockContext& block) override;
  void access(const simulator::WarpAccess& access) override;
  void block_ends() override;

  // All in lanes (technique.cpp reads them):
  //   input_bytes            bytes that were loaded from the input
  //   input_near_bytes       of these, bytes within 32 of one that the same thread loaded just before
  //   input_requests, input_sectors
  //   result_atomics, result_writes (stores and atomics), and the writes of other blocks than the first
  //   atomic_threads         threads that changed the result by an atomic
  //   elsewhere_writes       stores and atomics in global memory that is neither
  //   shared_writes          stores and atomics in shared memory
  //   most_input_bytes, most_writes   of one thread: bytes loaded from the input, stores and atomics anywhere
  runner::Conduct counted() const override;

 private:
  void load(const simulator::WarpAccess& access);
  void write(const simulator::WarpAccess& access);

  std::span<const unsigned char> input_, result_;
  bool first_block_ = true;
  std::vector<std::uintptr_t> last_loaded_;   // by thread of the block; 0: nothing yet
  std::vector<unsigned char> used_atomic_;    // by thread of the block
  std::vector<std::uint64_t> read_, writes_;  // by thread of the block: bytes of the input, and writes
  std::uint64_t most_read_ = 0, most_writes_ = 0;
  std::uint64_t input_bytes_ = 0, input_near_bytes_ = 0, input_requests_ = 0, input_sectors_ = 0;
  std::uint64_t result_atomics_ = 0, result_writes_ = 0, result_writes_of_others_ = 0, atomic_threads_ = 0;
  std::uint64_t elsewhere_writes_ = 0, shared_writes_ = 0;
};

}  // namespace histogram
