// SPDX-License-Identifier: MIT
// Writes down the stream of a launch for the timing model, in the runner.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/parted_ways.hpp"
#include "model/stream.hpp"
#include "simulator/basic_blocks.hpp"
#include "simulator/checkers/issued_accesses.hpp"

namespace model {

// Its steps are those that a GPU issues: shared accesses that lie side by side are joined, as for the
// counters.
class StreamObserver final : public simulator::IssuedAccesses {
 public:
  void block_begins(const simulator::BlockContext& block) override;
  void block_barrier(std::uint32_t place) override;
  void block_ends() override;

  // Once, at the launch's end.
  Stream take();

 private:
  using Addresses = std::array<std::uintptr_t, simulator::ModelDevice::lanes>;
  // Where a place of the program was last at, by a warp.
  struct Last {
    std::uintptr_t address = 0;
  };
  // Pieces of DRAM that a warp has asked for lately, without a wait in between, and after how many lines.
  struct Asked {
    struct Piece {
      std::uintptr_t number;
      unsigned lines;
    };
    std::vector<Piece> pieces;
    unsigned lines = 0;
  };
  // A load of one sector of a piece.
  struct HalfAsked {
    unsigned warp;
    std::size_t step;  // in the warp's list
  };
  // A warp's last access to shared memory, if it was its last step.
  struct LastShared {
    std::uint32_t place = 0;
    unsigned lanes = 0, size = 0;
    Addresses addresses{};
  };
  struct Entered {
    unsigned blocks = 0, folded = 0, arithmetic = 0, branches = 0, divisions = 0, jumps = 0, ways = 0;
  };
  struct Line {
    std::uint64_t last_block = 0, blocks = 0;  // that change it: the last one, counted from 1, and how many
    std::uint64_t turns = 0;                   // at places where it is the blocks' common one
  };
  // An atomic's turns on a line whose kind is known only at the end.
  struct AtomicOf {
    std::uint32_t block, warp, step, place, turns;
    std::uintptr_t line;
  };

  void issued(const simulator::WarpAccess& access) override;
  void exchanged(const simulator::WarpExchange& exchange) override;
  void block_entered(unsigned warp, unsigned lanes, std::uint32_t place) override;
  void put(unsigned warp, Step step);
  void put(unsigned warp, std::uint32_t place, Step step);
  Step global_load(const simulator::WarpAccess& access);
  Step global_atomic(const simulator::WarpAccess& access);
  void constant_load(const simulator::WarpAccess& access) override;
  bool is_in_registers(const simulator::WarpAccess& access);
  void put_cas_loop(const simulator::WarpAccess& access);
  bool moved_far(const simulator::WarpAccess& access);
  bool joins(const simulator::WarpAccess& access);
  bool touch(std::uintptr_t sector);
  int half_pieces(const simulator::WarpAccess& access, const std::vector<std::uintptr_t>& fresh,
                  std::size_t lines);
  void find_other_half(unsigned warp, const std::vector<std::uintptr_t>& fresh, Step& step);
  bool is_common(const Line& line) const;
  bool is_mostly_common(std::span<const AtomicOf> of_step) const;
  bool is_too_long() const { return stream_.made_steps > most_stream_steps; }
  std::set<std::uint32_t> common_places() const;

  Stream stream_;
  std::unordered_map<std::uint32_t, simulator::BlockContents> contents_;  // by place of a basic block
  std::vector<Entered> entered_;                                          // by warp, since its last step
  std::vector<PartedWays> ways_;                                          // by warp
  std::vector<bool> in_counted_loop_;  // by warp: the block that it has entered last is
  std::vector<std::unordered_map<std::uint32_t, Last>> last_;  // by warp and place
  // By warp and place: the addresses of constant memory that lanes have loaded from lately; 0: a lane that
  // did not.
  std::vector<std::unordered_map<std::uint32_t, std::vector<Addresses>>> constants_;
  std::vector<LastShared> last_shared_;                   // by warp
  std::vector<Asked> asked_;                              // by warp
  std::unordered_map<std::uintptr_t, HalfAsked> halves_;  // pieces of which the block has wanted one
  std::uint16_t numbered_halves_ = 0;                     // of the block
  std::vector<std::uintptr_t> touched_;                   // sectors, by their numbers' last bits
  std::unordered_map<std::uintptr_t, Line> lines_;        // that atomics change
  std::unordered_set<std::uintptr_t> changed_;            // sectors that an atomic has changed
  std::vector<AtomicOf> atomics_;
  std::uint64_t most_blocks_ = 0;  // that change one line
};

}  // namespace model
