// SPDX-License-Identifier: MIT
// What the basic blocks of the simulated program compute, by the list that lab-guard has made of them
// (counted_blocks.hpp).
#pragma once

#include <cstdint>

#include "simulator/unrolling.hpp"

namespace simulator {

struct BlockContents {
  std::int32_t begin = 0;                 // of its code, counted from here
  std::uint16_t arithmetic : 15 = 0;      // instructions on 32 bits, or half a one on 64
  std::uint16_t has_known_turns : 1 = 0;  // it is in a loop from a constant to a constant
  std::uint8_t branches : 4 = 0;
  Unrolling unrolling : 3 = Unrolling::none;  // of the loop that it is
  std::uint8_t is_chosen : 1 = 0;             // as goes_on, before what is short is put under a predicate
  std::uint8_t divisions : 3 = 0;             // of integers by a number that the program does not know
  std::uint8_t is_counted : 1 = 0;  // it is part of a loop that goes on by a constant to an unknown end
  std::uint8_t jumps : 1 = 0;       // it ends with a jump through a table
  std::uint8_t is_way : 1 = 0;      // such a jump leads to it
  std::uint8_t goes_on : 1 = 0;     // no branch of a GPU's code leads to where it begins
  // And it is in one basic block with what is in front of it in the loop, or in the turn before.
  std::uint8_t is_unrolled : 1 = 0;
};

// `place`: that of the block, in the program's file. Nothing where the list does not have it.
BlockContents contents_of_block(std::uint32_t place);

}  // namespace simulator
