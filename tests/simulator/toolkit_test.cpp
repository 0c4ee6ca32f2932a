// SPDX-License-Identifier: MIT
// The toolkit's headers on the simulator: cooperative groups, cuda::atomic_ref and CUB's collectives, by
// their results, what the race checker says of the memory that they share, and how they are counted.
#include <doctest/doctest.h>

#include <numeric>

#include "launching.hpp"
#include "toolkit_kernels.hpp"

namespace {

template <class Kernel>
std::vector<GroupRow> rows(simulator::LaunchConfiguration configuration, const Kernel& kernel) {
  const DeviceArray<GroupRow> out(configuration.grid.x * configuration.block.x);
  CHECK(launch(configuration, [&] { kernel(out.data()); }).hazards.empty());
  return out.values();
}

std::vector<int> some_numbers(std::size_t count) {
  std::vector<int> numbers(count);
  unsigned state = 7;
  for (int& number : numbers)
    number = static_cast<int>((state = state * 1664525 + 1013904223) >> 16) % 1000 - 500;
  return numbers;
}

int sum(const std::vector<int>& numbers, std::size_t first, std::size_t count) {
  return std::accumulate(numbers.begin() + static_cast<std::ptrdiff_t>(first),
                         numbers.begin() + static_cast<std::ptrdiff_t>(first + count), 0);
}

// The first hazard's sentence; empty if there is none.
std::string said(const simulator::LaunchResult& result) {
  return result.hazards.empty() ? "" : result.hazards[0].what;
}

// Whether there are races, and nothing else.
bool races(const simulator::LaunchResult& result) {
  return !result.hazards.empty() &&
         std::all_of(result.hazards.begin(), result.hazards.end(),
                     [](const simulator::Hazard& hazard) { return hazard.kind == facts::Verdict::race; });
}

}  // namespace

TEST_CASE("a block as a group: ranks go by x, then y, then z") {
  const auto all = rows({1, dim3(48)}, [](GroupRow* out) { rows_of_block(out); });
  for (unsigned i = 0; i < 48; ++i) {
    CHECK(all[i].rank == i);
    CHECK(all[i].size == 48);
  }
  const DeviceArray<GroupRow> out(24);
  CHECK(launch({1, dim3(2, 3, 4)}, [&] { rows_of_block(out.data()); }).hazards.empty());
  for (unsigned i = 0; i < 24; ++i) CHECK(out[i].rank == i);
}

TEST_CASE("tiles of a block") {
  for (const unsigned size : {4u, 16u, 32u}) {
    CAPTURE(size);
    const auto all = rows({1, 64}, [&](GroupRow* out) { rows_of_tiles(size, out); });
    for (unsigned i = 0; i < 64; ++i) {
      CAPTURE(i);
      const unsigned first = i / size * size, rank = i % size;
      CHECK(all[i].rank == rank);
      CHECK(all[i].size == size);
      CHECK(all[i].meta_rank == i / size);
      CHECK(all[i].meta_size == 64 / size);
      CHECK(all[i].shuffled == first + 1);
      CHECK(all[i].up == (rank > 0 ? i - 1 : i));
      CHECK(all[i].down == (rank + 2 < size ? i + 2 : i));
      CHECK(all[i].across == first + (rank ^ 3));
      CHECK(all[i].ballot == (0x22222222u & (0xffffffffu >> (32 - size))));
      unsigned match = 0;
      for (unsigned j = 0; j < size; ++j) match |= ((first + j) / 3 == i / 3) << j;
      CHECK(all[i].match == match);
      CHECK(all[i].any == (first <= 5 && 5 < first + size));
      CHECK(all[i].all == (first + size <= 20));
    }
  }
}

TEST_CASE("tiles of a tile") {
  const auto all = rows({1, 64}, [](GroupRow* out) { rows_of_nested_tiles(out); });
  for (unsigned i = 0; i < 64; ++i) {
    CHECK(all[i].meta_rank == i % 16 / 4);
    CHECK(all[i].meta_size == 4);
    CHECK(all[i].shuffled == i / 4 * 4 + 1);
  }
}

TEST_CASE("the threads that are together are ranked among themselves") {
  const auto all = rows({1, 64}, [](GroupRow* out) { rows_of_odd_threads(out); });
  for (unsigned i = 1; i < 64; i += 2) {
    CAPTURE(i);
    CHECK(all[i].rank == i % 32 / 2);
    CHECK(all[i].size == 16);
    CHECK(all[i].shuffled == i / 32 * 32 + 3);
    CHECK(all[i].up == (i % 32 > 1 ? i - 2 : i));
    CHECK(all[i].down == (i % 32 + 4 < 32 ? i + 4 : i));
    CHECK(all[i].ballot == 0x5555);
  }
}

TEST_CASE("threads with equal labels") {
  const auto all = rows({1, 32}, [](GroupRow* out) { rows_of_labels(out); });
  for (unsigned i = 0; i < 32; ++i) {
    CAPTURE(i);
    CHECK(all[i].rank == i / 3);
    CHECK(all[i].size == (i % 3 < 2 ? 11 : 10));
    CHECK(all[i].meta_rank == i % 3);
    CHECK(all[i].meta_size == 3);
    CHECK(all[i].shuffled == i % 3 + 3);
  }
}

TEST_CASE("lanes that skip a group's branch wait for it where the branch ends, and go on with it") {
  constexpr unsigned rounds = 7;
  const DeviceArray<unsigned> in(filled(32 * rounds, [](unsigned i) { return i * 37 % 64 + i / 5; })),
      sums(32);
  const auto result =
      launch({.grid = 1, .block = 32}, [&] { groups_in_loop(in.data(), rounds, sums.data()); });
  CHECK(result.hazards.empty());
  CHECK(result.counters.value("global_load_requests") == rounds);
}

TEST_CASE("groups of any kind, and the grid") {
  for (const unsigned size : {0u, 8u, 32u}) {
    const auto all = rows({1, 64}, [&](GroupRow* out) { rows_of_any_groups(size, out); });
    for (unsigned i = 0; i < 64; ++i) {
      CHECK(all[i].rank == (size ? i % size : i));
      CHECK(all[i].size == (size ? size : 64));
    }
  }
  const auto all = rows({3, 32}, [](GroupRow* out) { rows_of_grid(out); });
  for (unsigned i = 0; i < 96; ++i) {
    CHECK(all[i].rank == i);
    CHECK(all[i].size == 96);
  }
}

TEST_CASE("reductions and scans of groups") {
  const std::vector<int> numbers = some_numbers(64);
  const DeviceArray<int> in(numbers), of_tiles(64), of_odd(64), running(64), before(64);
  const DeviceArray<double> largest(64);
  CHECK(launch({1, 64}, [&] {
          reduce_groups(in.data(), of_tiles.data(), of_odd.data(), largest.data(), running.data(),
                        before.data());
        }).hazards.empty());
  for (unsigned i = 0; i < 64; ++i) {
    CAPTURE(i);
    const unsigned first = i / 8 * 8;
    CHECK(of_tiles[i] == sum(numbers, first, 8));
    CHECK(largest[i] == *std::max_element(numbers.begin() + first, numbers.begin() + first + 8) / 2.0);
    CHECK(running[i] == sum(numbers, first, i - first + 1));
    CHECK(before[i] == sum(numbers, first, i - first));
    int odd = 0;
    for (unsigned j = i / 32 * 32 + 1; j < i / 32 * 32 + 32; j += 2) odd += numbers[j];
    if (i % 2) CHECK(of_odd[i] == odd);
  }
}

TEST_CASE("a shuffle takes structs") {
  const DeviceArray<Wide> out(32);
  CHECK(launch({1, 32}, [&] { shuffle_structs(out.data()); }).hazards.empty());
  for (unsigned i = 0; i < 32; ++i) {
    CHECK(out[i].value == (i ? i - 1 : 0) * 0.5);
    CHECK(out[i].index == static_cast<int>(i ? i - 1 : 0));
  }
}

TEST_CASE("a group's sync orders its threads' accesses, and without it they race") {
  const DeviceArray<unsigned> out(64);
  CHECK(launch({1, 64}, [&] { share_in_block(true, out.data()); }).hazards.empty());
  CHECK(out[0] == 63);
  CHECK(launch({1, 64}, [&] { share_in_tile(true, out.data()); }).hazards.empty());
  CHECK(out[0] == 15);
  const auto of_block = launch({1, 64}, [&] { share_in_block(false, out.data()); });
  CHECK(races(of_block));
  CHECK(said(of_block) == "one thread reads values[32] while another writes it");
  const auto of_tile = launch({1, 64}, [&] { share_in_tile(false, out.data()); });
  CHECK(races(of_tile));
  CHECK(said(of_tile) == "one thread writes values[15] while another reads it");
}

TEST_CASE("counting through cuda::atomic_ref is counted as by atomicAdd, but for the generic addresses") {
  std::vector<unsigned char> letters(5000);
  for (std::size_t i = 0; i < letters.size(); ++i) letters[i] = static_cast<unsigned char>(i * i % 13);
  const DeviceArray<unsigned char> data(letters);
  const DeviceArray<unsigned> by_reference(4, 0), by_function(4, 0);
  const auto one = launch({4, 64}, [&] { count_by_reference(data.data(), 5000, by_reference.data()); });
  const auto other = launch({4, 64}, [&] { count_by_function(data.data(), 5000, by_function.data()); });
  CHECK(one.hazards.empty());
  CHECK(other.hazards.empty());
  CHECK(by_reference.values() == by_function.values());
  CHECK(sum({by_reference.data(), by_reference.data() + 4}, 0, 4) == 5000);
  // No instruction for shared memory, and lanes on one word wait for each other.
  for (const auto& [counter, quantity] : facts::counter_table) {
    if (quantity.sum.empty()) continue;  // a GPU does not count it
    const std::string_view name = quantity.name;
    CAPTURE(name);
    if (name == "shared_atomic_requests") {
      CHECK(one.counters.value(counter) == 0);
    } else if (name == "shared_atomic_wavefronts") {
      CHECK(one.counters.value(counter) > other.counters.value(counter));
    } else {
      CHECK(one.counters.value(counter) == other.counters.value(counter));
    }
  }
}

TEST_CASE("flags, waiting, and vectors of <cuda/atomic>") {
  const DeviceArray<unsigned> words(4, 0), out(4, 0);
  CHECK(said(launch({1, 64}, [&] { take_flags(words.data(), out.data()); })) == "");
  CHECK(out[0] == 0x3e);
  CHECK(out[1] == 1);
  CHECK(out[2] == 42);
  CHECK(out[3] == 8);
  CHECK(words[2] == 7);
}

TEST_CASE("cuda::atomic_ref on every type") {
  const DeviceArray<Words> words(1, Words{10, 0xf, 1, 5, 1.5f, 2.5, 10, 99, 3});
  const DeviceArray<long long> old(22);
  CHECK(launch({1, 1}, [&] { change_by_references(words.data(), old.data()); }).hazards.empty());
  CHECK(old.values() == std::vector<long long>{10,   7,
                                               -7,   12,
                                               11,  // int
                                               0xf,  0x1f,
                                               0x18, 0x7 + 3,  // unsigned
                                               1,    -4,
                                               -100,  // long long
                                               5,    static_cast<long long>(1ull << 63),
                                               150,  200,
                                               250,  10,
                                               5,    5,  // a byte: 260 is 4
                                               3,    2});
  CHECK(words[0].i == 10);
  CHECK(words[0].ll == 7);
  CHECK(words[0].ull == (1ull << 63) + 1);
  CHECK(words[0].f == 9.0f);
  CHECK(words[0].d == 2.25);
  CHECK(words[0].byte == 77);
  CHECK(words[0].neighbour == 99);
  CHECK(words[0].half == 2);
}

TEST_CASE("cuda::atomic_ref compares and exchanges") {
  const DeviceArray<int> word(1, 4), seen(5, -1);
  CHECK(launch({1, 1}, [&] { compare_and_exchange(word.data(), seen.data()); }).hazards.empty());
  CHECK(seen.values() == std::vector<int>{0, 4, 1, 4, 8});
}

TEST_CASE("cuda::atomic in shared memory") {
  const DeviceArray<unsigned> out(1);
  CHECK(said(launch({1, 64}, [&] { count_in_shared_object(out.data()); })) == "");
  CHECK(out[0] == 228);
}

TEST_CASE("release and acquire order what relaxed does not") {
  const DeviceArray<unsigned> value(1, 0), flag(1, 0), out(1, 0);
  CHECK(launch({2, 1}, [&] { hand_over(true, value.data(), flag.data(), out.data()); }).hazards.empty());
  CHECK(out[0] == 42);
  flag[0] = 0;
  const auto relaxed = launch({2, 1}, [&] { hand_over(false, value.data(), flag.data(), out.data()); });
  REQUIRE(relaxed.hazards.size() == 1);
  CHECK(relaxed.hazards[0].kind == facts::Verdict::race);
  CHECK(relaxed.hazards[0].across_blocks);
}

TEST_CASE("CUB reduces blocks, and its storage is not used twice without a barrier") {
  const std::vector<int> numbers = some_numbers(128);
  const int largest = *std::max_element(numbers.begin(), numbers.end());
  const DeviceArray<int> in(numbers), out(2, 0);
  for (const Storage storage : {Storage::with_barrier, Storage::own}) {
    CHECK(said(launch({1, 128}, [&] { reduce_block(in.data(), out.data(), storage); })) == "");
    CHECK(out.values() == std::vector<int>{sum(numbers, 0, 128), largest});
  }
  const auto result =
      launch({1, 128}, [&] { reduce_block(in.data(), out.data(), Storage::without_barrier); });
  CHECK(races(result));
  CHECK(said(result) == "one thread reads room[2] while another writes it");
}

TEST_CASE("CUB reduces items, and the first threads of a block that is no power of 2") {
  const std::vector<int> numbers = some_numbers(96 * 4);
  const DeviceArray<int> in(numbers), out(2, 0);
  for (const int valid : {1, 31, 32, 33, 64, 65, 95, 96}) {
    CHECK(said(launch({1, 96}, [&] { reduce_items(in.data(), valid, out.data()); })) == "");
    int first = 0;
    for (int i = 0; i < valid; ++i) first += numbers[static_cast<std::size_t>(i) * 4];
    CHECK(out.values() == std::vector<int>{sum(numbers, 0, 96 * 4), first});
  }
}

TEST_CASE("CUB reduces warps") {
  const std::vector<int> numbers = some_numbers(64);
  const DeviceArray<int> in(numbers), out(16, 0), of_segments(64, 0);
  for (const int valid : {1, 5, 8}) {
    CHECK(said(launch({1, 64}, [&] { reduce_warps(in.data(), valid, out.data()); })) == "");
    for (unsigned warp = 0; warp < 8; ++warp) {
      CHECK(out[warp] == sum(numbers, warp * 8, 8));
      CHECK(out[8 + warp] == sum(numbers, warp * 8, static_cast<std::size_t>(valid)));
    }
  }
  CHECK(said(launch({1, 32}, [&] { reduce_segments(in.data(), of_segments.data()); })) == "");
  for (unsigned i = 0; i < 32; i += 5) {
    CHECK(of_segments[i] == sum(numbers, i, std::min(5u, 32 - i)));
    CHECK(of_segments[32 + i] == sum(numbers, i, std::min(5u, 32 - i)));
  }
}

TEST_CASE("CUB scans blocks") {
  const std::vector<int> numbers = some_numbers(192);
  const DeviceArray<int> in(numbers), inclusive(128), exclusive(128), total(128), sums(192), largest(192);
  const auto scan = [&](Storage storage) {
    return launch({1, 128},
                  [&] { scan_block(in.data(), inclusive.data(), exclusive.data(), total.data(), storage); });
  };
  CHECK(said(scan(Storage::with_barrier)) == "");
  for (unsigned i = 0; i < 128; ++i) {
    CHECK(inclusive[i] == sum(numbers, 0, i + 1));
    CHECK(exclusive[i] == sum(numbers, 0, i));
    CHECK(total[i] == sum(numbers, 0, 128));
  }
  CHECK(said(scan(Storage::without_barrier)) ==
        "room[0] is used again without a barrier in between, and is CUB's storage");

  CHECK(said(launch({1, 64}, [&] { scan_items(in.data(), sums.data(), largest.data()); })) == "");
  for (unsigned i = 0; i < 192; ++i) {
    CHECK(sums[i] == 1000 + sum(numbers, 0, i));
    CHECK(largest[i] == *std::max_element(numbers.begin(), numbers.begin() + i + 1));
  }
  CHECK(said(launch({1, 64}, [&] { scan_warps(in.data(), sums.data()); })) == "");
  for (unsigned i = 0; i < 64; ++i) CHECK(sums[i] == sum(numbers, i / 32 * 32, i % 32));
}

TEST_CASE("CUB's scan by raking counts what a GPU counts, in blocks of any size") {
  const std::vector<int> numbers = some_numbers(256);
  const DeviceArray<int> in(numbers), inclusive(256), exclusive(256), from_prefix(256);
  // `requests`: of each kind, in each of three scans; 0: not known.
  const auto check = [&]<int threads>(std::integral_constant<int, threads>, std::uint64_t requests) {
    CAPTURE(threads);
    const auto result = launch({1, threads}, [&] {
      scan_by_raking<threads>(in.data(), inclusive.data(), exclusive.data(), from_prefix.data());
    });
    CHECK(said(result) == "");
    for (unsigned i = 0; i < threads; ++i) {
      CHECK(inclusive[i] == sum(numbers, 0, i + 1));
      CHECK((i == 0 || exclusive[i] == sum(numbers, 0, i)));
      CHECK(from_prefix[i] == 1000 + sum(numbers, 0, i));
    }
    if (requests == 0 && threads > 32) return;
    CHECK(result.counters.value(facts::Counter::shared_load_requests) == 3 * requests);
    CHECK(result.counters.value(facts::Counter::shared_store_requests) == 3 * requests);
  };
  // One for each warp's own values, and for each of a segment; a segment of two is 8 bytes.
  check(std::integral_constant<int, 20>{}, 0);
  check(std::integral_constant<int, 33>{}, 0);
  check(std::integral_constant<int, 64>{}, 2 + 1);
  check(std::integral_constant<int, 96>{}, 3 + 3);
  check(std::integral_constant<int, 200>{}, 0);
  check(std::integral_constant<int, 256>{}, 8 + 8);
}

TEST_CASE("CUB scans from an initial value on") {
  std::vector<int> numbers(128);
  for (std::size_t i = 0; i < 128; ++i) numbers[i] = static_cast<int>(i * 37 % 101) - 50;
  const DeviceArray<int> in(numbers), of_warps(320, -1), out(128, -1), total(64, -1);
  CHECK(said(launch({1, 32}, [&] { scan_warps_from_value(in.data(), 1000, of_warps.data()); })) == "");
  for (unsigned i = 0; i < 32; ++i) {
    CAPTURE(i);
    const unsigned first = i / 16 * 16, rank = i % 16;
    const int before = sum(numbers, first, rank), up_to = before + numbers[i], all = sum(numbers, first, 16);
    const int expected[] = {1000 + up_to, 1000 + up_to, all, 1000 + before, 1000 + before,
                            all,          before,       all, 1000 + up_to,  1000 + before};
    for (unsigned result = 0; result < 10; ++result) {
      CAPTURE(result);
      CHECK(of_warps[i * 10 + result] == expected[result]);
    }
  }
  CHECK(said(launch({1, 64}, [&] { scan_block_from_value(in.data(), 5, out.data(), total.data()); })) == "");
  for (unsigned i = 0; i < 128; ++i) CHECK(out[i] == 5 + sum(numbers, 0, i + 1));
  for (unsigned i = 0; i < 64; ++i) CHECK(total[i] == sum(numbers, 0, 128));
}

TEST_CASE("CUB counts") {
  std::vector<unsigned char> letters(256);
  std::vector<unsigned> expected(256);
  for (std::size_t i = 0; i < 256; ++i) ++expected[letters[i] = static_cast<unsigned char>(i * i % 251)];
  const DeviceArray<unsigned char> in(letters);
  for (const bool by_atomics : {false, true}) {
    const DeviceArray<unsigned> out(256, 7);
    CHECK(said(launch({1, 64}, [&] { count_block(in.data(), by_atomics, out.data()); })) == "");
    CHECK(out.values() == expected);
  }
}
