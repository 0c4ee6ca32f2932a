// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <climits>

#include "kernels.hpp"
#include "launching.hpp"

namespace {

// The word after one thread applied the operation to `old`; also checks that `old` was returned, that global
// and shared memory behave alike, and that the access was counted where it belongs.
template <class T>
T after(Atomic operation, T old, T operand) {
  const DeviceArray<T> in_global(1, old), in_shared(1, old), returned(2);
  const auto global =
      launch({1, 1}, [&] { apply_atomic(operation, in_global.data(), operand, returned.data()); });
  CHECK(returned[0] == old);
  CHECK(global.counters.value("global_atomics") == 1);
  CHECK(global.counters.value("shared_atomics") == 0);
  const auto shared = launch(
      {1, 1}, [&] { apply_atomic_in_shared(operation, in_shared.data(), operand, returned.data() + 1); });
  CHECK(returned[1] == old);
  CHECK(shared.counters.value("global_atomics") == 0);
  CHECK(shared.counters.value("shared_atomics") == 1);
  CHECK(in_shared[0] == in_global[0]);
  return in_global[0];
}

template <class T>
T after_compare_and_swap(T old, T compare, T value) {
  const DeviceArray<T> word(1, old), returned(1);
  launch({1, 1}, [&] { apply_compare_and_swap(word.data(), compare, value, returned.data()); });
  CHECK(returned[0] == old);
  return word[0];
}

}  // namespace

TEST_CASE("atomicAdd adds, returns the old value and wraps around") {
  SUBCASE("int") {
    CHECK(after(Atomic::add, 5, -7) == -2);
    CHECK(after(Atomic::add, INT_MAX, 1) == INT_MIN);
    CHECK(after(Atomic::add, INT_MIN, -1) == INT_MAX);
  }
  SUBCASE("unsigned int") {
    CHECK(after(Atomic::add, 5u, 7u) == 12u);
    CHECK(after(Atomic::add, UINT_MAX, 3u) == 2u);
  }
  SUBCASE("unsigned long long") {
    CHECK(after(Atomic::add, 0xffffffffull, 1ull) == 0x100000000ull);
    CHECK(after(Atomic::add, ULLONG_MAX, 3ull) == 2ull);
  }
  SUBCASE("float") { CHECK(after(Atomic::add, 0.5f, 0.25f) == 0.75f); }
  SUBCASE("double") { CHECK(after(Atomic::add, 0x1p40, 0x1p-10) == 0x1p40 + 0x1p-10); }
}

TEST_CASE("atomicSub subtracts and wraps around") {
  SUBCASE("int") {
    CHECK(after(Atomic::sub, 5, 7) == -2);
    CHECK(after(Atomic::sub, INT_MIN, 1) == INT_MAX);
  }
  SUBCASE("unsigned int") {
    CHECK(after(Atomic::sub, 7u, 5u) == 2u);
    CHECK(after(Atomic::sub, 1u, 3u) == UINT_MAX - 1);
  }
}

TEST_CASE("atomicInc counts up to its limit, then starts at 0") {
  CHECK(after(Atomic::inc, 4u, 5u) == 5u);
  CHECK(after(Atomic::inc, 5u, 5u) == 0u);
  CHECK(after(Atomic::inc, 9u, 5u) == 0u);
  CHECK(after(Atomic::inc, 0u, 0u) == 0u);
  CHECK(after(Atomic::inc, UINT_MAX, UINT_MAX) == 0u);
}

TEST_CASE("atomicDec counts down to 0, then starts at its limit") {
  CHECK(after(Atomic::dec, 5u, 5u) == 4u);
  CHECK(after(Atomic::dec, 0u, 5u) == 5u);
  CHECK(after(Atomic::dec, 9u, 5u) == 5u);
  CHECK(after(Atomic::dec, 1u, UINT_MAX) == 0u);
}

TEST_CASE("atomicMin and atomicMax compare as the type does") {
  SUBCASE("int: with a sign") {
    CHECK(after(Atomic::min, 3, -1) == -1);
    CHECK(after(Atomic::min, -1, 3) == -1);
    CHECK(after(Atomic::max, 3, -1) == 3);
    CHECK(after(Atomic::max, -1, 3) == 3);
  }
  SUBCASE("unsigned int: without") {
    CHECK(after(Atomic::min, 3u, UINT_MAX) == 3u);
    CHECK(after(Atomic::max, 3u, UINT_MAX) == UINT_MAX);
  }
  SUBCASE("long long: with a sign, in all 64 bits") {
    CHECK(after(Atomic::min, 1ll, -0x100000000ll) == -0x100000000ll);
    CHECK(after(Atomic::max, 1ll, 0x100000000ll) == 0x100000000ll);
  }
  SUBCASE("unsigned long long: without, in all 64 bits") {
    CHECK(after(Atomic::min, 0x100000000ull, ULLONG_MAX) == 0x100000000ull);
    CHECK(after(Atomic::max, 0x100000000ull, ULLONG_MAX) == ULLONG_MAX);
    CHECK(after(Atomic::max, 1ull, 0x100000000ull) == 0x100000000ull);
  }
}

TEST_CASE("atomicExch stores its operand") {
  CHECK(after(Atomic::exchange, 5, -7) == -7);
  CHECK(after(Atomic::exchange, 5u, UINT_MAX) == UINT_MAX);
  CHECK(after(Atomic::exchange, 5ull, ULLONG_MAX - 1) == ULLONG_MAX - 1);
  CHECK(after(Atomic::exchange, 0.5f, -0.25f) == -0.25f);
}

TEST_CASE("atomicAnd, atomicOr and atomicXor combine bits") {
  SUBCASE("int") {
    CHECK(after(Atomic::bitwise_and, -1, 0x70) == 0x70);
    CHECK(after(Atomic::bitwise_or, INT_MIN, 1) == INT_MIN + 1);
    CHECK(after(Atomic::bitwise_xor, -1, 1) == -2);
  }
  SUBCASE("unsigned int") {
    CHECK(after(Atomic::bitwise_and, 0b1100u, 0b1010u) == 0b1000u);
    CHECK(after(Atomic::bitwise_or, 0b1100u, 0b1010u) == 0b1110u);
    CHECK(after(Atomic::bitwise_xor, 0b1100u, 0b1010u) == 0b0110u);
  }
  SUBCASE("unsigned long long") {
    CHECK(after(Atomic::bitwise_and, 0xc00000000cull, 0xa00000000aull) == 0x8000000008ull);
    CHECK(after(Atomic::bitwise_or, 0xc00000000cull, 0xa00000000aull) == 0xe00000000eull);
    CHECK(after(Atomic::bitwise_xor, 0xc00000000cull, 0xa00000000aull) == 0x6000000006ull);
  }
}

TEST_CASE("atomicCAS stores only where the old value is the expected one") {
  CHECK(after_compare_and_swap(5, 5, -7) == -7);
  CHECK(after_compare_and_swap(5, 4, -7) == 5);
  CHECK(after_compare_and_swap(5u, 5u, 7u) == 7u);
  CHECK(after_compare_and_swap(5u, 7u, 7u) == 5u);
  CHECK(after_compare_and_swap(0x100000005ull, 0x100000005ull, 7ull) == 7ull);
  CHECK(after_compare_and_swap(0x100000005ull, 5ull, 7ull) == 0x100000005ull);
}

TEST_CASE("an atomic of block scope does what the plain one does") {
  const DeviceArray<unsigned> word(1, 4), returned(1);
  const auto result = launch({1, 1}, [&] { add_of_block_scope(word.data(), returned.data()); });
  CHECK(word[0] == 7);
  CHECK(returned[0] == 4);
  CHECK(result.counters.value("global_atomics") == 1);
}

TEST_CASE("no update is lost, however many threads add to one word") {
  const DeviceArray<unsigned> word(1);
  SUBCASE("by atomicAdd") {
    launch({7, 1000}, [&] { add_everywhere(word.data()); });
    CHECK(word[0] == 7000);
  }
  SUBCASE("by a loop over atomicCAS") {
    launch({7, 1000}, [&] { add_by_compare_and_swap(word.data()); });
    CHECK(word[0] == 14000);
  }
}

TEST_CASE("atomicInc hands out each number of its range in turn") {
  const DeviceArray<unsigned> word(1), tickets(2 * 100);
  launch({2, 100}, [&] { take_tickets(word.data(), 49, tickets.data()); });
  auto sorted = tickets.values();
  std::sort(sorted.begin(), sorted.end());
  CHECK(sorted == filled(200, [](unsigned i) { return i / 4; }));
  CHECK(word[0] == 0);
}
