// SPDX-License-Identifier: MIT
// A launch's memory is that of its arrays and of one block: it does not grow with the grid.
#include <doctest/doctest.h>

#include "kernels.hpp"
#include "launching.hpp"
#include "resident.hpp"

namespace {

// What the process holds after a launch of so many blocks.
template <class Program>
std::size_t resident_after(unsigned blocks, const Program& program) {
  launch({blocks, 32}, program);
  return resident_kib();
}

template <class Program>
void check_no_growth(const Program& program) {
  const std::size_t few = resident_after(1'000, program), many = resident_after(100'000, program);
  REQUIRE(few > 0);
  CHECK(many <= few + 1024);
}

}  // namespace

TEST_CASE("resident memory after a hundred thousand blocks is that after a thousand") {
  const DeviceArray<unsigned> word(1);
  check_no_growth([&] { add_everywhere(word.data()); });
  CHECK(word[0] == 32 * 101'000);
  check_no_growth([] { idle(1); });
}
