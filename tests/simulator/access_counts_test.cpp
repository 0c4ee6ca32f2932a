// SPDX-License-Identifier: MIT
// Sectors of a warp's access, in whichever order its lanes take them; and the memory that words take in a
// checker, in whichever order they are touched.
#include "simulator/checkers/access_counts.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>

#include "simulator/checkers/shadow.hpp"
#include "simulator/memory_map.hpp"

namespace {

template <class AddressOf>
unsigned sectors_of(AddressOf address_of, unsigned lanes = ~0u) {
  static simulator::Operands operands;
  for (unsigned lane = 0; lane < simulator::ModelDevice::lanes; ++lane)
    operands.address[lane] = 0x10000 + address_of(lane);
  simulator::WarpAccess access{};
  access.size = 1;
  access.lanes = lanes;
  access.operands = &operands;
  return simulator::sectors(access);
}

}  // namespace

TEST_CASE("sectors are counted once, whether lanes go upwards, downwards or to and fro") {
  CHECK(sectors_of([](unsigned lane) { return lane; }) == 1);
  CHECK(sectors_of([](unsigned lane) { return 16 * lane; }) == 16);
  CHECK(sectors_of([](unsigned lane) { return 16 * (31 - lane); }) == 16);
  CHECK(sectors_of([](unsigned lane) { return 16 * (lane ^ 5); }) == 16);
  CHECK(sectors_of([](unsigned lane) { return lane % 2 * 32; }) == 2);
  CHECK(sectors_of([](unsigned) { return 7; }) == 1);
  CHECK(sectors_of([](unsigned lane) { return lane < 31 ? 32 * lane : 0; }) == 31);
  CHECK(sectors_of([](unsigned lane) { return 16 * lane; }, 0xff) == 4);
}

TEST_CASE("the memory of words is counted once, in whichever order they are touched") {
  using Cell = std::array<std::uint32_t, 6>;
  constexpr std::size_t words = 1 << 16;
  const simulator::DeviceBuffer buffer(words * simulator::shadow_word_bytes);
  const auto begin = reinterpret_cast<std::uintptr_t>(buffer.bytes().data());
  simulator::Shadow<Cell> upwards, mixed;
  std::size_t taken_upwards = 0, taken_mixed = 0, again = 0;
  constexpr std::size_t step = 7919;  // a prime
  for (std::size_t i = 0; i < words; ++i) {
    taken_upwards += upwards.take(begin + i * simulator::shadow_word_bytes);
    taken_mixed += mixed.take(begin + i * step % words * simulator::shadow_word_bytes);
  }
  for (std::size_t i = 0; i < words; ++i) again += mixed.take(begin + i * simulator::shadow_word_bytes);
  CHECK(taken_upwards >= words * sizeof(Cell));
  CHECK(taken_mixed == taken_upwards);
  CHECK(again == 0);
}
