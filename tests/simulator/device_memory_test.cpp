// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "simulator/memory_map.hpp"

using simulator::DeviceBuffer;
using simulator::is_device_memory;

TEST_CASE("a buffer is 256-byte aligned and as large as was asked for") {
  std::vector<DeviceBuffer> buffers;
  for (const std::size_t bytes : {1, 2, 3, 100, 255, 256, 257, 5000}) {
    CAPTURE(bytes);
    const DeviceBuffer& buffer = buffers.emplace_back(bytes);
    CHECK(buffer.bytes().size() == bytes);
    CHECK(reinterpret_cast<std::uintptr_t>(buffer.bytes().data()) % 256 == 0);
  }
}

TEST_CASE("device memory ends at the borders of a buffer") {
  const DeviceBuffer buffer(100);
  unsigned char* const begin = buffer.bytes().data();
  CHECK(is_device_memory(begin, 1));
  CHECK(is_device_memory(begin, 100));
  CHECK(is_device_memory(begin + 99, 1));
  CHECK(is_device_memory(begin + 96, 4));
  CHECK_FALSE(is_device_memory(begin - 1, 1));
  CHECK_FALSE(is_device_memory(begin - 1, 2));
  CHECK_FALSE(is_device_memory(begin + 100, 1));
  CHECK_FALSE(is_device_memory(begin + 97, 4));
  CHECK_FALSE(is_device_memory(begin, 101));
  CHECK_FALSE(is_device_memory(begin + 50, SIZE_MAX));
  CHECK_FALSE(is_device_memory(nullptr, 1));
}

TEST_CASE("memory of the host is no device memory") {
  const DeviceBuffer buffer(100);
  const int on_the_stack = 0;
  const std::vector<int> on_the_heap(1);
  CHECK_FALSE(is_device_memory(&on_the_stack, sizeof(int)));
  CHECK_FALSE(is_device_memory(on_the_heap.data(), sizeof(int)));
}

TEST_CASE("a buffer of no bytes has none") {
  const DeviceBuffer empty(0);
  CHECK(empty.bytes().empty());
  CHECK_FALSE(is_device_memory(empty.bytes().data(), 1));
}

TEST_CASE("what is freed is no device memory any more") {
  const unsigned char* begin = nullptr;
  {
    const DeviceBuffer buffer(64);
    begin = buffer.bytes().data();
    CHECK(is_device_memory(begin, 64));
  }
  CHECK_FALSE(is_device_memory(begin, 1));
}

TEST_CASE("a buffer that is moved keeps its memory") {
  DeviceBuffer source(64);
  const unsigned char* const begin = source.bytes().data();
  SUBCASE("into a new one") {
    const DeviceBuffer target(std::move(source));
    CHECK(target.bytes().data() == begin);
    CHECK(target.bytes().size() == 64);
    CHECK(is_device_memory(begin, 64));
  }
  SUBCASE("into one that has memory already") {
    DeviceBuffer target(32);
    target = std::move(source);
    CHECK(target.bytes().data() == begin);
    CHECK(target.bytes().size() == 64);
    CHECK(is_device_memory(begin, 64));
  }
}

TEST_CASE("a buffer with holes is 0, and takes memory only where it is written") {
  constexpr std::size_t bytes = std::size_t{1} << 40;
  DeviceBuffer buffer(bytes, {.has_holes = true});
  CHECK(is_device_memory(buffer.bytes().data(), bytes));
  CHECK(buffer.bytes()[bytes - 1] == 0);
  buffer.bytes()[bytes / 2] = 1;
  const DeviceBuffer moved = std::move(buffer);
  CHECK(moved.bytes()[bytes / 2] == 1);
}

TEST_CASE("more memory than the machine has is std::bad_alloc") {
  CHECK_THROWS_AS(DeviceBuffer(SIZE_MAX / 4), std::bad_alloc);
}
