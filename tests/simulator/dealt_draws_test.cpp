// SPDX-License-Identifier: MIT
#include "simulator/dealt_draws.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace {

// A word that blocks draw from, one block after another, as the simulator runs them.
class Counter {
 public:
  explicit Counter(std::uint64_t blocks, std::uint64_t value = 0) : draws_(blocks), value_(value) {}

  std::uint64_t draw(std::uint64_t block, unsigned thread, std::uint64_t amount = 1) {
    const std::uint64_t found = draws_.found(word, block, thread, value_, value_ + amount);
    value_ = found + amount;
    return found;
  }

  // What one thread of each block draws until there is none left.
  std::vector<std::vector<std::uint64_t>> draw_all(std::uint64_t blocks, std::uint64_t end,
                                                   std::uint64_t amount = 1) {
    std::vector<std::vector<std::uint64_t>> drawn(blocks);
    for (std::uint64_t block = 0; block < blocks; ++block) {
      for (std::uint64_t next; (next = draw(block, 0, amount)) < end;) drawn[block].push_back(next);
    }
    return drawn;
  }

 private:
  static constexpr std::uintptr_t word = 4096;
  simulator::DealtDraws draws_;
  std::uint64_t value_;
};

using Numbers = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("of numbers that three blocks draw each gets every third one") {
  CHECK(Counter(3).draw_all(3, 8) == std::vector<Numbers>{{0, 3, 6}, {1, 4, 7}, {2, 5}});
  CHECK(Counter(2, 100).draw_all(2, 180, 20) == std::vector<Numbers>{{100, 140}, {120, 160}});
  CHECK(Counter(4).draw_all(4, 2) == std::vector<Numbers>{{0}, {1}, {}, {}});
}

TEST_CASE("warps of a block that draw one after another have a turn together") {
  Counter counter(2);
  for (const Numbers& turn : {Numbers{0, 1, 2}, Numbers{6, 7, 8}, Numbers{12, 13, 14}}) {
    for (unsigned warp = 0; warp < 3; ++warp) CHECK(counter.draw(0, 32 * warp) == turn[warp]);
  }
  for (const Numbers& turn : {Numbers{3, 4, 5}, Numbers{9, 10, 11}}) {
    for (unsigned warp = 0; warp < 3; ++warp) CHECK(counter.draw(1, 32 * warp) == turn[warp]);
  }
}

TEST_CASE("a ticket that each block draws once is what it is without") {
  Counter counter(3);
  for (std::uint64_t block = 0; block < 3; ++block) CHECK(counter.draw(block, 0) == block);
}

TEST_CASE("places for unequal amounts follow one another") {
  Counter counter(4);
  CHECK(counter.draw(0, 0, 3) == 0);
  CHECK(counter.draw(0, 1, 2) == 3);
  CHECK(counter.draw(0, 0, 3) == 5);
  CHECK(counter.draw(1, 0, 1) == 8);
  CHECK(counter.draw(1, 0, 0) == 9);  // a look
}
