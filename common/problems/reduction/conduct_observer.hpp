// SPDX-License-Identifier: MIT
// Counts, on the simulator, what tells how a kernel goes about its work where the profiler's counters cannot:
// who reads how much, and how many warps take part in each step of a tree.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "runner/launch_outcome.hpp"

namespace reduction {

class ConductObserver final : public runner::ConductObserver {
 public:
  // `input`: what the kernel reads; `partials`: where each block's value is to stand.
  ConductObserver(std::span<const unsigned char> input, std::span<const unsigned char> partials)
      : input_(input), partials_(partials) {}

  void block_begins(const simulator::BlockContext& block) override;
  void access(const simulator::WarpAccess& access) override;
  void block_barrier(std::uint32_t) override { end_interval(); }
  void block_ends() override;

  // All in lanes but for requests and sectors (technique.cpp reads them):
  //   input_bytes, input_requests, input_sectors   of loads from the input
  //   partial_writes         stores and atomics to the partial results
  //   elsewhere_writes       to global memory that is neither; if values are known, but for words that are
  //                          changed by counting atomics alone
  //   shared_reads, shared_writes
  //   shared_requests        of warps, that load shared memory
  //   fewest_shared_requests as many as would do if the lanes that load together were neighbours
  //   combining_atomics      all atomics; if values are known, but for those that count: by all that are made
  //                          at one place a word grows by the same, or is set back to zero
  //   most_input_bytes, most_writes, most_shared_reads   of one thread
  runner::Conduct counted() const override;

 private:
  // How the words change by the atomics of one place in the program.
  struct Changes {
    std::uint64_t atomics = 0, growth = 0;
    bool is_growing = false, is_equal = true;
    std::set<std::uintptr_t> words;
  };

  void load(const simulator::WarpAccess& access);
  void note_changes(const simulator::WarpAccess& access);
  void end_interval();

  std::span<const unsigned char> input_, partials_;
  std::vector<std::uint64_t> read_, writes_, shared_reads_of_;  // by thread of the block
  // Between two barriers, a place in the program is a step, which a warp may take several times: by place and
  // turn, the lanes that load there. And how often each warp has been at a place.
  std::map<std::pair<std::uint32_t, unsigned>, std::uint64_t> lanes_of_step_;
  std::map<std::pair<std::uint32_t, unsigned>, unsigned> turns_of_warp_;
  std::map<std::uint32_t, Changes> changes_;
  std::map<std::uintptr_t, std::uint64_t> writes_elsewhere_;  // by word
  std::uint64_t input_bytes_ = 0, input_requests_ = 0, input_sectors_ = 0;
  std::uint64_t partial_writes_ = 0, elsewhere_writes_ = 0, atomics_ = 0;
  std::uint64_t shared_reads_ = 0, shared_writes_ = 0, shared_requests_ = 0, fewest_shared_requests_ = 0;
  std::uint64_t most_read_ = 0, most_writes_ = 0, most_shared_reads_ = 0;
};

}  // namespace reduction
