// SPDX-License-Identifier: MIT
#include "simulator/skipped_draws.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace {

constexpr std::uintptr_t counter_address = 4096;

// What one thread draws from a word that holds `value`, as long as that is less than `end`.
std::vector<std::uint64_t> draw_all(std::uint64_t value, std::uint64_t end, std::uint64_t amount) {
  simulator::SkippedDraws draws;
  std::vector<std::uint64_t> drawn;
  for (;;) {
    const std::uint64_t found = draws.found(counter_address, 0, 0, value, value + amount);
    value = found + amount;
    if (found >= end) return drawn;
    drawn.push_back(found);
  }
}

}  // namespace

TEST_CASE("a thread that draws again is given numbers further and further on") {
  using Numbers = std::vector<std::uint64_t>;
  CHECK(draw_all(0, 12, 1) == Numbers{0, 1, 2, 3, 5, 7, 10});
  CHECK(draw_all(100, 1300, 100) == Numbers{100, 200, 300, 400, 600, 800, 1100});
}

TEST_CASE("of any number of pieces one of the last fifth is drawn, and few in all") {
  for (const std::uint64_t pieces : {10ull, 1000ull, 327'680ull, 5'368'709'120ull}) {
    CAPTURE(pieces);
    const std::vector<std::uint64_t> drawn = draw_all(0, pieces, 1);
    CHECK(drawn.back() >= pieces / 5 * 4 - 1);
    CHECK(drawn.size() <= 110);
  }
}

TEST_CASE("what each thread draws once, what is only looked at, and uneven amounts stay as they are") {
  simulator::SkippedDraws draws;
  for (std::uint64_t old = 0; old < 50; ++old)
    CHECK(draws.found(counter_address, old, 0, old, old + 1) == old);
  CHECK(draws.found(counter_address, 49, 0, 50, 50) == 50);
  CHECK(draws.found(counter_address, 49, 0, 50, 53) == 50);
  CHECK(draws.found(counter_address, 49, 0, 53, 54) == 53);
}
