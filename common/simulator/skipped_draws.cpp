// SPDX-License-Identifier: MIT
#include "simulator/skipped_draws.hpp"

namespace simulator {

std::uint64_t SkippedDraws::found(std::uintptr_t address, std::uint64_t block, unsigned thread,
                                  std::uint64_t old, std::uint64_t changed) {
  const auto amount = static_cast<std::int64_t>(changed - old);
  if (amount == 0) return old;  // a look
  const auto [known, is_new] =
      words_.try_emplace(address, Word{.begin = old, .amount = amount, .block = block});
  Word& word = known->second;
  word.is_uneven = word.is_uneven || amount != word.amount;
  if (word.is_uneven) return old;
  if (word.block != block) {
    word.block = block;
    word.threads.clear();
  }
  if (word.threads.insert(thread).second) return old;
  const std::int64_t drawn = static_cast<std::int64_t>(old - word.begin) / amount;
  return old + static_cast<std::uint64_t>(drawn / 4 * amount);
}

}  // namespace simulator
