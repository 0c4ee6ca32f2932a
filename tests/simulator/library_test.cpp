// SPDX-License-Identifier: MIT
// Functions of the C library in kernels, and qualifiers that mean nothing here but must be accepted.
#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>

#include "kernels.hpp"
#include "launching.hpp"

using simulator::LaunchResult;

namespace {

// What is printed to standard output meanwhile.
template <class Function>
std::string printed_by(Function function) {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  std::fflush(stdout);
  const int kept = dup(STDOUT_FILENO);
  dup2(ends[1], STDOUT_FILENO);
  function();
  std::fflush(stdout);
  dup2(kept, STDOUT_FILENO);
  close(kept);
  close(ends[1]);
  std::array<char, 4096> text;
  const ssize_t got = read(ends[0], text.data(), text.size());
  close(ends[0]);
  return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
}

}  // namespace

TEST_CASE("memset, memcpy and memmove do what they do, and count as accesses") {
  const DeviceArray<unsigned> in({5, 6, 7, 8}), out(8);
  const LaunchResult result = launch({1, 32}, [&] { set_and_copy(in.data(), out.data()); });
  CHECK(result.hazards.empty());
  CHECK(out.values() == std::vector<unsigned>{5, 5, 6, 7, 8, 0, 0, 0});
  CHECK(result.counters.value("global_load_requests") == of_bytes);
  CHECK(result.counters.value("shared_store_requests") ==
        2 + 1 + 3);  // 32 bytes, 16, and 16 at an address that 4 divides
}

TEST_CASE("memset and memcpy beyond an array are out of bounds") {
  const DeviceArray<unsigned> four(4), eight(8);
  const auto first = [](const LaunchResult& result) {
    return result.hazards.empty() ? "nothing" : result.hazards[0].what;
  };
  CHECK(first(launch({1, 1}, [&] { clear(four.data(), 4); })) == "nothing");
  CHECK(first(launch({1, 1}, [&] { clear(four.data(), 5); })) ==
        "clear wrote memory[16]; memory has 16 bytes");
  CHECK(first(launch({1, 1}, [&] { copy(eight.data(), four.data(), 8); })) ==
        "copy read memory[16]; memory has 16 bytes");
  CHECK(first(launch({1, 1}, [&] { copy(four.data(), eight.data(), 8); })) ==
        "copy wrote memory[16]; memory has 16 bytes");
}

TEST_CASE("the clock counts a thread's basic blocks, the same in every launch") {
  const auto times = [](unsigned rounds) {
    const DeviceArray<long long> out(2 * 40);
    CHECK(launch({1, 40}, [&] { time_rounds(rounds, out.data()); }).hazards.empty());
    return out.values();
  };
  const std::vector<long long> ten = times(10), twenty = times(20);
  CHECK(ten == times(10));
  for (unsigned thread = 0; thread < 40; ++thread) {
    CHECK(ten[thread] == ten[0]);
    CHECK(ten[40 + thread] == 1);
  }
  CHECK(ten[0] >= 10);
  CHECK(twenty[0] - ten[0] == times(30)[0] - twenty[0]);
}

TEST_CASE("what a kernel prints goes to standard output, thread by thread") {
  LaunchResult result;
  CHECK(printed_by([&] {
          result = launch({2, 2}, [] { print_ranks(); });
        }) == "thread 0 of block 0\nthread 1 of block 0\nthread 0 of block 1\nthread 1 of block 1\n");
  CHECK(result.hazards.empty());
}

TEST_CASE("a shared array may stand outside of its kernel") {
  const DeviceArray<unsigned> out(32);
  CHECK(launch({1, 32}, [&] { share_at_file_scope(out.data()); }).hazards.empty());
  CHECK(out.values() == filled(32, [](unsigned i) { return i % 4 + 1; }));
}

TEST_CASE("qualifiers and promises to the compiler are accepted") {
  const DeviceArray<unsigned> in({1, 10, 100, 1000}), out(33);
  CHECK(launch({1, 32}, [&] { use_qualifiers(in.data(), out.data()); }).hazards.empty());
  CHECK(out.values() == filled(33, [](unsigned i) { return i < 32 ? 1413u : 32u; }));
}

TEST_CASE("compare-and-swap of a block, of the system and of 16 bits") {
  const DeviceArray<unsigned> words(std::vector<unsigned>{1, 2}), out(3);
  const DeviceArray<unsigned short> half(2, 7);
  CHECK(launch({1, 1}, [&] {
          compare_and_swap_scopes(words.data(), half.data(), out.data());
        }).hazards.empty());
  CHECK(out.values() == std::vector<unsigned>{1, 2, 7});
  CHECK(words.values() == std::vector<unsigned>{5, 2});
  CHECK(half.values() == std::vector<unsigned short>{8, 7});
}
