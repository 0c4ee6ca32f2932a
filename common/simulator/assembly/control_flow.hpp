// SPDX-License-Identifier: MIT
// The basic blocks of a function in assembly for x86-64, and where its ways part, meet and turn back.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/assembly/x86_assembly.hpp"

namespace simulator::x86 {

struct FunctionLine {
  std::size_t number;  // in the unit's text
  Instruction instruction;
  bool keeps_loop = false;  // it is a jump of a loop that is not unrolled (loop_pragmas.hpp)
};

struct FunctionCode {
  std::vector<FunctionLine> lines = {};
  std::map<std::string, std::size_t, std::less<>> labels = {};  // the instruction behind each
  std::set<std::size_t> jumped_to_by_table = {};                // instructions
  bool readable = true;
};

// Those of a unit's text, by name. What stands in its tables are places that may be jumped to.
std::map<std::string, FunctionCode, std::less<>> functions_in(const std::vector<std::string_view>& lines);

bool is_conditional_jump(const Instruction& i);

using BlockNumber = std::size_t;

struct BasicBlock {
  std::size_t begin, end;  // instructions
  std::vector<BlockNumber> after = {}, before = {};
};

// Some of a function's blocks.
struct Region {
  std::vector<BlockNumber> blocks = {};
  std::vector<bool> has = {};  // by number

  bool add(BlockNumber block) {
    if (has[block]) return false;
    has[block] = true;
    blocks.push_back(block);
    return true;
  }
};

class ControlFlow {
 public:
  explicit ControlFlow(const FunctionCode& function);

  const std::vector<BasicBlock>& blocks() const { return blocks_; }

  // The block that all ways from a block to the function's end come to next; `blocks().size()` stands for the
  // end.
  BlockNumber meeting_point(BlockNumber block) const { return meeting_point_[block]; }

  // Whether ways lead from either block to the other.
  bool are_in_one_loop(BlockNumber a, BlockNumber b) const {
    return outermost_loop_[a] == outermost_loop_[b];
  }

  // Its number in an order in which a loop's beginning comes before all else of the loop.
  std::size_t rank(BlockNumber block) const { return rank_[block]; }

  // The blocks on the ways from a block to its meeting point.
  Region region_of(BlockNumber block) const;
  // The part of a region from which a way leads back to the block: a loop that the block can leave.
  Region loop_of(BlockNumber block, const Region& region) const;
  // Whether a way leads to the block from outside of the region.
  bool is_entry(BlockNumber block, const Region& region) const;

 private:
  void make_blocks(const FunctionCode& function);
  void find_meeting_points();
  void find_ranks();
  void find_loops();
  void connect(BlockNumber from, BlockNumber to);
  BlockNumber block_at(std::size_t instruction) const;

  std::vector<BasicBlock> blocks_;
  std::vector<BlockNumber> meeting_point_;
  std::vector<std::size_t> rank_;
  std::vector<BlockNumber> outermost_loop_;  // its first block, by rank; the block itself outside of loops
};

}  // namespace simulator::x86
