// SPDX-License-Identifier: MIT
// A kernel's machine code as nvcc made it for a GPU since sm_70, and how many of its instructions a warp
// executes.
//
// The code says which instructions stand between two branches, in a basic block, and which blocks may follow;
// the simulator says how often a warp loads, stores, adds and waits at barriers. Both together nearly decide
// how often each block is executed: a block is entered as often as it is left, the first one once, and the
// accesses of all blocks add up to those that were seen. Of all numbers of executions for which this holds
// the one with the least sum of squares is taken; so an unrolled loop takes most of the turns, and the loop
// for the turns that are left takes few. A warp executes what stands in a branch if one of its lanes does, so
// passing by it counts more. Loops without accesses, whose number of turns the code says, have equations of
// their own.
//
// A jump through a table (BRX) leads to pieces of code that its own instruction does not name: those that
// stand behind it and that no branch leads to. Lanes that part there meet at the end of the switch, and so do
// those that part at its other branches. Where a warp's lanes part at all they are taken to go all these
// ways: nothing says how many.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "model/accesses.hpp"
#include "model/first_use.hpp"
#include "model/stream.hpp"

namespace model {

// Cycles that a GPU needs and its code does not say.
struct CodeCycles {
  double branch = 0;            // until a warp goes on behind a branch, or where parted lanes meet
  double special_register = 0;  // until what was read of one can be used
};

// What the simulator has seen of the ways that a warp's lanes go.
struct SeenWays {
  bool part = true;               // the lanes, and not just at the warp's end
  double both = 0;                // how often a warp goes two ways, with code on each
  double both_with_accesses = 0;  // of these, with accesses to memory on each
};

struct Executed {
  // Jumps through a table, the ways that lanes go from there, and in their switches how often lanes part.
  double jumps = 0, jump_ways = 0, partings = 0;
  double instructions = 0;
  double unmade_accesses = 0;       // of these, accesses under a predicate that no lane fulfils
  double integer_instructions = 0;  // of these, those that go through a scheduler's pipe for integers
  double special_reads = 0;         // of these, those that read a special register through the ADU
  // From each instruction to the warp's next one, if no wait for a memory comes between.
  double cycles = 0;
  // How many loads of global memory are under way together, in each basic block that a warp executes at least
  // once: no instruction in between waits for the first of them. Ascending, each once.
  std::vector<LoadGroup> loads_at_a_time;
  // Of each width all loads of the block that executes most of them, of those that a warp comes to, in their
  // order.
  std::vector<LoadUse> uses_of_loads;
  // Of a warp, between a load of shared memory and the use of what it brings: a mean, in the block with
  // fewest of those in which a tenth of such loads is executed or more.
  double accesses_behind_shared_load = 0;
  // How many shuffles, matches and reduxes are under way together: a mean.
  double exchanges_at_a_time = 1;
  // Lines of 128 bytes that loads and stores of local memory may need: one where the lanes go to the same
  // place of their frames, which is written in the instruction, else up to one for each lane.
  double local_lines = 0;
};

class MachineCode {
 public:
  // `text`: the instructions of one kernel. Throws std::invalid_argument where they are none that can be
  // read.
  explicit MachineCode(const std::vector<unsigned char>& text);

  // What a warp executes that makes so many accesses of each kind. nullopt: it makes some that do not stand
  // in the code, as if the code were another kernel's or the compiler had changed too much; or the code is
  // too long to be worked out.
  std::optional<Executed> executed(const Accesses& accesses, const CodeCycles& cycles = {},
                                   const SeenWays& ways = {}) const;

  bool uses_local_memory() const { return uses_local_memory_; }
  unsigned widest_shared_load() const { return widest_shared_load_; }  // bytes per lane

 private:
  struct Block {
    double instructions = 0, integer_instructions = 0, special_reads = 0, cycles = 0;
    Accesses accesses{};
    double local_lines = 0;
    std::vector<LoadGroup> loads_at_a_time;
    std::vector<LoadUse> uses_of_loads;
    std::vector<unsigned> accesses_behind_shared_loads;
    std::vector<unsigned> exchanges_at_a_time;
    double branches = 0;
    bool guards_loads = false;          // some of global memory are under a predicate
    std::vector<double> covered_reads;  // of special registers: cycles until what was read is used
  };
  struct Edge {
    std::size_t from, to;
    bool passes_by = false;  // to where parted lanes meet, for a warp of which no lane takes the branch
  };

  // Where some of a warp's lanes may go one way and the others another, which the warp then takes one after
  // the other, and where they meet: blocks.
  struct Parting {
    std::size_t at, until;
    bool has_two_ways = false;  // with code on each; else some lanes just pass by
    bool accesses_on_both = false;
  };

  // The same at a jump through a table, or another branch of its switch. Edges: those that a warp whose lanes
  // part takes each time, and those that lead to accesses, which say how often they are taken. One that leads
  // to where the lanes meet is none.
  struct Switch {
    std::size_t at, until;
    bool is_jump;
    std::vector<std::size_t> taken, counted;
  };

  double accesses_behind_shared_load(const std::vector<double>& times) const;
  bool has_way_without_guards(const Edge& edge) const;
  bool accesses_on_both(const Parting& parting) const;
  void add_switches(const std::vector<Parting>& all, const std::vector<std::size_t>& jumps);
  std::vector<std::pair<std::size_t, std::size_t>> kinds_told_apart(const Accesses& accesses) const;

  std::vector<Block> blocks_;
  bool uses_local_memory_ = false;
  unsigned widest_shared_load_ = 0;
  // Kinds of which some stand under a predicate, and kinds of global memory of which some may be of shared
  // memory instead: the compiler does not know.
  std::array<bool, static_cast<std::size_t>(AccessKind::count)> is_predicated_{}, is_generic_{};
  std::vector<Parting> partings_;
  std::vector<Switch> switches_;
  // A block that leads back to itself, and how often it is executed each time that a warp comes to it.
  struct Loop {
    std::size_t block;
    double turns;
  };
  std::vector<Loop> loops_;
  std::vector<Edge> edges_;  // of blocks that can be reached; to `blocks_.size()` where a warp ends
};

}  // namespace model
