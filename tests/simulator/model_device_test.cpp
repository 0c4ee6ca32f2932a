// SPDX-License-Identifier: MIT
#include "simulator/model_device.hpp"

#include <doctest/doctest.h>

using simulator::resident_blocks;

TEST_CASE("a multiprocessor holds at most 2048 threads, counted in whole warps") {
  CHECK(resident_blocks(1024, 0) == 2);
  CHECK(resident_blocks(993, 0) == 2);
  CHECK(resident_blocks(992, 0) == 2);
  CHECK(resident_blocks(512, 0) == 4);
  CHECK(resident_blocks(256, 0) == 8);
  CHECK(resident_blocks(128, 0) == 16);
  CHECK(resident_blocks(96, 0) == 21);
  CHECK(resident_blocks(65, 0) == 21);  // as 96
}

TEST_CASE("a multiprocessor holds at most 32 blocks") {
  CHECK(resident_blocks(64, 0) == 32);
  CHECK(resident_blocks(32, 0) == 32);
  CHECK(resident_blocks(1, 0) == 32);
}

TEST_CASE("228 KiB of shared memory limit the blocks; each takes 1 KiB more than it asks for") {
  constexpr std::size_t kibi = 1024;
  CHECK(resident_blocks(32, 227 * kibi) == 1);
  CHECK(resident_blocks(32, 113 * kibi) == 2);
  CHECK(resident_blocks(32, 113 * kibi + 1) == 1);
  CHECK(resident_blocks(32, 7 * kibi) == 28);
  CHECK(resident_blocks(32, 6 * kibi) == 32);
  CHECK(resident_blocks(256, 27 * kibi) == 8);
  CHECK(resident_blocks(256, 28 * kibi) == 7);
  CHECK(resident_blocks(1024, 1) == 2);
}

TEST_CASE("a block that cannot be launched is resident nowhere") {
  CHECK(resident_blocks(0, 0) == 0);
  CHECK(resident_blocks(1025, 0) == 0);
  CHECK(resident_blocks(32, 227 * 1024 + 1) == 0);
}
