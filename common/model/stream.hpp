// SPDX-License-Identifier: MIT
// What the timing model is fed with: the instructions of some blocks' warps as the simulator has seen them,
// each with what it asks of a multiprocessor. A stream knows nothing of any GPU.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace model {

enum class StepKind : std::uint8_t {
  block_begins,  // the steps that follow are of a new block
  warp_begins,   // of a new warp of the block
  warp_ends,
  global_load,
  global_store,
  global_atomic,         // on lines that one block alone changes
  global_atomic_common,  // on lines that several blocks change
  global_exchange,       // a compare-and-swap: the warp waits for what it finds
  shared_load,
  shared_store,
  shared_increment,  // an atomicAdd of 1 whose result nobody uses
  shared_atomic,
  shared_exchange,  // a compare-and-swap, as in global memory
  shared_cas_loop,  // an operation that shared memory has no instruction for
  shared_cas_word,  // behind it, for each word that it changes: no instruction of its own
  constant_load,    // from different addresses
  shuffle,
  vote,
  match,  // each lane learns who brings the same value
  redux,  // of all lanes to one value
  block_barrier,
  count,
};

// One instruction that a warp executes, and the basic blocks of the program that lead to it.
struct Step {
  StepKind kind = StepKind::warp_ends;
  // A load from a place whose address moved by more than an instruction can hold: it has to be worked out.
  bool computed = false;
  // A load from shared memory right behind what its place loaded last, in the same 16 bytes: a compiler that
  // unrolls the loop makes one load of both.
  bool joins = false;
  // A load in a loop that goes on by a constant to an end that only the launch knows.
  bool in_counted_loop = false;
  std::uint8_t entered = 0;  // basic blocks since the warp's last step, at most 255
  std::uint8_t folded = 0;   // of these, those that a GPU's compiler has no branch in front of
  std::uint8_t joined = 0;   // the same where machine code tells what is waited for, and `folded` does not
  // In these blocks: instructions of the simulated program that compute on 32 bits, branches, divisions of
  // integers.
  std::uint8_t branches = 0, divisions = 0;
  std::uint8_t jumps = 0, ways = 0;  // through a table, and ways that lanes went from there
  std::uint16_t arithmetic = 0;
  std::uint8_t bytes = 0;  // of a global load or store, and of a loop of compare-and-swaps: per lane
  // Of a global store: lines of 128 bytes. Of a global load and of a shared access: wavefronts, by banks, as
  // the counter says of shared memory. Of a global atomic: sector turns, see SectorTurns. Of a shuffle:
  // instructions; of a match: different values, of a load of constants: different addresses. Of a loop of
  // compare-and-swaps: wavefronts of all its rounds.
  std::uint16_t cost = 0;
  // Sectors. Of a global load those that the block has not touched lately, of an atomic those that no atomic
  // of the launch has changed before.
  std::uint8_t sectors = 0;
  std::uint8_t full_turns = 0;  // of a global atomic, those of its turns that change a whole sector
  std::uint8_t lines = 0;       // of a global load
  // DRAM is read in pieces of two sectors. Of a global load: those of which it wants one sector alone, less
  // those whose other sector the warp has asked for just before, which come together.
  std::int8_t half_pieces = 0;
  // DRAM brings L2 both sectors of a piece. Global loads that want one alone, where the block's other loads
  // want the other one, have a number of the block in common: the later one need not wait for DRAM as long.
  // 0: none.
  std::uint16_t half_of = 0;
  // Where in the program it stands: an offset, modulo 255, and 1. Two of the few places of a kernel rarely
  // have the same. 0: it accesses no memory.
  std::uint8_t place = 0;

  // Of a loop of compare-and-swaps: rounds if no other warp comes in between. Of a word: those in which the
  // warp changes it, and its number, modulo 256.
  std::uint8_t rounds = 0, word = 0;

  // Of a barrier, where the code is known (unmade_accesses.hpp): accesses that other warps of the block have
  // made since the last one, and that this warp has only issued; and their instructions, by the table.
  float unmade_accesses = 0, unmade = 0;

  // Basic blocks of a GPU's code, as far as is known.
  int blocks() const { return entered - folded; }

  bool operator==(const Step&) const = default;
};

using WarpSteps = std::vector<Step>;

struct BlockSteps {
  std::vector<WarpSteps> warps;
  bool operator==(const BlockSteps&) const = default;
};

// Loads of global memory that are under way together, some of which are of so many bytes for a lane.
struct LoadGroup {
  unsigned bytes, loads;
  auto operator<=>(const LoadGroup&) const = default;
};

// What was seen of a launch.
struct Stream {
  unsigned grid = 0, block = 0;    // of the launch that was seen
  std::uint64_t shared_bytes = 0;  // of a block, on a GPU
  // Of the atomics on lines that several of `blocks` change: sector turns on all of them, and on the busiest
  // one.
  std::uint64_t common_lines = 0, common_turns = 0, busiest_turns = 0;
  // The other lines that atomics change, in pieces of two neighbouring ones, which lie in the same slice of
  // L2.
  std::uint64_t own_pieces = 0;
  // Basic blocks of the program that warps entered, and those that only some of a warp's lanes did.
  std::uint64_t entered_blocks = 0, parted_blocks = 0;
  // How often lanes of a warp went two ways, through basic blocks on both. (clang has one on the way past an
  // `if`, too.)
  std::uint64_t went_both_ways = 0;
  std::uint64_t accessed_on_both_ways = 0;  // of these, with accesses to memory on both
  std::uint64_t made_steps = 0;             // of all warps
  std::vector<BlockSteps> blocks;           // empty where there were more than most_stream_steps

  // Whether lanes of a warp go different ways, and not just at its end.
  bool parts() const { return parted_blocks * 20 > entered_blocks; }
};

// More of them would take too long to be sent and to be gone through.
constexpr std::uint64_t most_stream_steps = 2'000'000;

// How often an L2 slice has to go to a sector for one atomic instruction of a warp: it adds lanes that want
// the same word one after another, and a turn serves each word of a sector once. So it is the sum, over the
// sectors, of the lanes on the sector's fullest word. A turn that serves all words of its sector is full.
struct SectorTurns {
  unsigned all = 0, full = 0;
  bool operator==(const SectorTurns&) const = default;
};
SectorTurns sector_turns(const std::vector<std::uintptr_t>& addresses, unsigned bytes_of_word);

// As bytes, one or two for most steps, for the way from a runner to the judge. unpack() throws
// std::invalid_argument where the bytes are none that pack() makes.
std::vector<unsigned char> pack(const std::vector<BlockSteps>& blocks);
std::vector<BlockSteps> unpack(const std::vector<unsigned char>& bytes);

}  // namespace model
