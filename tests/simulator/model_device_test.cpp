// SPDX-License-Identifier: MIT
#include "simulator/model_device.hpp"

#include <doctest/doctest.h>

namespace {

unsigned blocks_of(unsigned threads, std::size_t shared_bytes, unsigned registers = 0) {
  return simulator::resident_blocks(
      {.threads = threads, .shared_bytes = shared_bytes, .registers = registers});
}

}  // namespace

TEST_CASE("a multiprocessor holds at most 2048 threads, counted in whole warps") {
  CHECK(blocks_of(1024, 0) == 2);
  CHECK(blocks_of(993, 0) == 2);
  CHECK(blocks_of(992, 0) == 2);
  CHECK(blocks_of(512, 0) == 4);
  CHECK(blocks_of(256, 0) == 8);
  CHECK(blocks_of(128, 0) == 16);
  CHECK(blocks_of(96, 0) == 21);
  CHECK(blocks_of(65, 0) == 21);  // as 96
}

TEST_CASE("a multiprocessor holds at most 32 blocks") {
  CHECK(blocks_of(64, 0) == 32);
  CHECK(blocks_of(32, 0) == 32);
  CHECK(blocks_of(1, 0) == 32);
}

TEST_CASE("228 KiB of shared memory limit the blocks; each takes 1 KiB more than it asks for") {
  constexpr std::size_t kibi = 1024;
  CHECK(blocks_of(32, 227 * kibi) == 1);
  CHECK(blocks_of(32, 113 * kibi) == 2);
  CHECK(blocks_of(32, 113 * kibi + 1) == 1);
  CHECK(blocks_of(32, 7 * kibi) == 28);
  CHECK(blocks_of(32, 6 * kibi) == 32);
  CHECK(blocks_of(256, 27 * kibi) == 8);
  CHECK(blocks_of(256, 28 * kibi) == 7);
  CHECK(blocks_of(1024, 1) == 2);
}

TEST_CASE("65,536 registers limit the blocks, 256 at a time for each warp of a scheduler's quarter") {
  CHECK(blocks_of(256, 0, 32) == 8);
  CHECK(blocks_of(256, 0, 33) == 6);
  CHECK(blocks_of(32, 0, 255) == 8);
  CHECK(blocks_of(96, 0, 40) == 16);
}

TEST_CASE("a block that cannot be launched is resident nowhere") {
  CHECK(blocks_of(0, 0) == 0);
  CHECK(blocks_of(1025, 0) == 0);
  CHECK(blocks_of(32, 227 * 1024 + 1) == 0);
}
