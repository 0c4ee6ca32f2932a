// SPDX-License-Identifier: MIT
#include "simulator/dealt_draws.hpp"

#include <utility>

namespace simulator {

std::uint64_t DealtDraws::found(std::uintptr_t address, std::uint64_t block, unsigned thread,
                                std::uint64_t old, std::uint64_t changed) {
  const std::uint64_t amount = changed - old;
  if (amount == 0) return old;  // a look
  const auto [known, is_new] =
      words_.try_emplace(address, Word{.begin = old, .amount = amount, .block = block});
  Word& word = known->second;
  word.is_uneven = word.is_uneven || amount != word.amount;
  if (word.is_uneven) return old;
  if (word.block != block) {
    word.block = block;
    ++word.blocks_before;
    word.drawn = 0;
    word.threads.clear();
  }
  const bool again = !word.threads.insert(thread).second;
  if (again && word.share == 0) {
    word.share = word.drawn;
    word.begin = old - (word.blocks_before + 1) * word.share;
  }
  const std::uint64_t before = std::exchange(word.drawn, word.drawn + amount);
  if (word.share == 0) return old;
  return word.begin + before / word.share * blocks_ * word.share + word.blocks_before * word.share +
         before % word.share;
}

}  // namespace simulator
