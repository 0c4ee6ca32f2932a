// SPDX-License-Identifier: MIT
// Work that blocks draw from a counter in global memory, dealt out among them.
//
// A block asks an atomic for the number of its next piece of work until none is left. On a GPU the blocks do
// so side by side and get about as many pieces each. Here they run one after another, so the first one would
// draw everything. Where a launch stands for a piece of a larger one, this is not what is wanted: the blocks
// are given the numbers that they would get in turns, each of which the block with the lowest number begins.
//
// A thread that draws again from a word begins the next turn. What its block drew before is the block's share
// of every turn. So each number is given to one block, and the counter ends where it would on a GPU, as long
// as each draw adds as much as any other; a word for which this is not so is left alone.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

namespace simulator {

class DealtDraws {
 public:
  explicit DealtDraws(std::uint64_t blocks) : blocks_(blocks) {}

  // What an atomic of a thread of that block should have found, if it has changed the word from `old` to
  // `changed`. The word then holds as much more than this as the atomic has added.
  std::uint64_t found(std::uintptr_t word, std::uint64_t block, unsigned thread, std::uint64_t old,
                      std::uint64_t changed);

 private:
  struct Word {
    std::uint64_t begin = 0;                     // what it held before the first draw
    std::uint64_t amount = 0;                    // that each draw adds
    std::uint64_t share = 0;                     // of a block in each turn; 0: no thread has drawn twice yet
    std::uint64_t block = 0, blocks_before = 0;  // that draws now, and how many have drawn before it
    std::uint64_t drawn = 0;                     // by this block
    std::unordered_set<unsigned> threads = {};   // of it, that have drawn
    bool is_uneven = false;
  };

  std::uint64_t blocks_;
  std::unordered_map<std::uintptr_t, Word> words_;
};

}  // namespace simulator
