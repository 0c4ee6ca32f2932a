// SPDX-License-Identifier: MIT
// Imagined launches that count bytes too often or never, and what is told of them from their results.
#include "problems/places.hpp"

#include <doctest/doctest.h>

using problems::LaunchSize;
using problems::Places;
using problems::Stretch;

namespace {

using Times = std::vector<std::uint32_t>;
// How often each byte is counted.
using Launch = std::function<Times(std::uint64_t length, const LaunchSize& launch)>;

std::uint64_t before(const Times& times, std::uint64_t end) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < end; ++i) sum += times[i];
  return sum;
}

Places found(const Times& times) {
  return {.length = times.size(),
          .stretches = problems::find_stretches(
              times.size(), 5, [&](std::uint64_t end) { return std::optional(before(times, end)); })};
}

problems::PlacesSample sample(const Launch& launch, std::uint64_t length, LaunchSize size) {
  const Times taken = launch(length, size);
  return {length, size, before(taken, length),
          [taken](std::span<const std::uint32_t> times) { return std::ranges::equal(taken, times); }};
}

// Launches with a thread for each byte, or with 5 bytes for each.
std::vector<problems::PlacesSample> samples(const Launch& launch, unsigned bytes_of_thread) {
  std::vector<problems::PlacesSample> all;
  for (const std::uint64_t length : {200u, 700u, 5000u}) {
    const std::uint64_t of_block = std::uint64_t{64} * bytes_of_thread;
    all.push_back(sample(launch, length, {(length + of_block - 1) / of_block, 64}));
  }
  return all;
}

std::string told(const Launch& launch, unsigned bytes_of_thread) {
  const auto all = samples(launch, bytes_of_thread);
  const Places places = found(launch(all.back().length, all.back().launch));
  if (places.odd().empty()) return "nothing";
  return problems::account_of(places, all).value_or("nothing");
}

// Each thread begins at a place, and counts one byte at a time in steps.
Launch threads(
    std::function<std::uint64_t(std::uint64_t block, std::uint64_t thread, const LaunchSize&)> begin,
    std::function<std::uint64_t(const LaunchSize&)> step) {
  return [=](std::uint64_t length, const LaunchSize& size) {
    Times times(length);
    for (std::uint64_t k = 0; k < size.grid; ++k) {
      for (std::uint64_t t = 0; t < size.block; ++t) {
        for (std::uint64_t at = begin(k, t, size); at < length; at += step(size)) ++times[at];
      }
    }
    return times;
  };
}

constexpr std::uint64_t far = 1 << 20;  // a step that leads behind the end
const auto own_place = [](std::uint64_t k, std::uint64_t t, const LaunchSize& size) {
  return k * size.block + t;
};

}  // namespace

TEST_CASE("control: where each byte is counted once there is nothing to tell") {
  CHECK(told(threads(own_place, [](auto& size) { return size.threads(); }), 5) == "nothing");
  CHECK(told(threads(own_place, [](auto&) { return far; }), 1) == "nothing");
}

TEST_CASE("steps are told by the number of the launch that they equal") {
  CHECK(told(threads(own_place, [](auto& size) { return size.block; }), 5) ==
        "16 blocks of 64 threads: as if each thread took one byte at a time, in steps of 64, the number of "
        "threads "
        "of a block");
  CHECK(told(threads(own_place, [](auto& size) { return size.grid; }), 5) ==
        "16 blocks of 64 threads: as if each thread took one byte at a time, in steps of 16, the number of "
        "blocks");
  CHECK(told(threads(own_place, [](auto&) { return 7; }), 5) ==
        "the launch has 16 blocks of 64 threads, 1,024 threads in all");
}

TEST_CASE("blocks that begin at one place, or too near to each other") {
  CHECK(told(threads([](auto, auto t, auto&) { return t; }, [](auto&) { return far; }), 1) ==
        "79 blocks of 64 threads: as if each block began at data[0] and each thread took one byte");
  CHECK(told(threads([](auto k, auto t, auto&) { return k + t; }, [](auto&) { return far; }), 1) ==
        "79 blocks of 64 threads: as if block 1 began at data[1], block 2 at data[2], and each thread took "
        "one byte");
  CHECK(told(threads([](auto, auto t, auto&) { return t; }, [](auto& size) { return size.block; }), 5) ==
        "16 blocks of 64 threads: as if each block took every byte");
}

TEST_CASE("what a block has counted, added by each of its threads") {
  const Launch by_each_thread = [](std::uint64_t length, const LaunchSize& size) {
    Times times(length, static_cast<std::uint32_t>(size.block));
    std::fill_n(times.begin(), std::min(length, size.block), 1);
    return times;
  };
  CHECK(told(by_each_thread, 1) ==
        "79 blocks of 64 threads: as if in every block but block 0 each thread added what its block has "
        "counted");
}

TEST_CASE("places that come again and again are told by their distance") {
  const auto rule = [](const Times& times, const Times& other, LaunchSize size) {
    return problems::rule_of(found(times), std::vector{problems::PlacesSample{
                                               times.size(), size, before(other, other.size()),
                                               [&](auto taken) { return std::ranges::equal(other, taken); }}})
        .value_or("nothing");
  };
  Times times(1000, 1);
  for (std::size_t i = 4; i < times.size(); i += 10) times[i] = 0;
  CHECK(rule(times, times, {2, 100}) == "of 1,000 bytes, data[4] is never counted, and so on every 10 bytes");
  CHECK(
      rule(times, times, {1, 100}) ==
      "of 1,000 bytes, data[4] is never counted, and so on every 10 bytes, the share of one of 100 threads");
  CHECK(rule(times, times, {10, 3}) ==
        "of 1,000 bytes, data[4] is never counted, and so on every 10 bytes, the number of blocks");
  Times but_one = times;
  but_one[504] = 1;
  CHECK(rule(times, but_one, {2, 100}) == "nothing");
}

TEST_CASE("a beginning is told by the threads that it has bytes for") {
  using problems::Beginning;
  const auto told_of = [](std::vector<Beginning> all) {
    return problems::account_of_beginning(all, all.back(), "bytes").value_or("nothing");
  };
  CHECK(told_of({{128, 130, {2, 64}}, {256, 1000, {4, 64}}}) ==
        "that is one for each of the 256 threads (4 blocks of 64 threads)");
  CHECK(told_of({{64, 130, {1, 64}}}) == "that is one for each of the 64 threads of one block");
  CHECK(told_of({{64, 130, {3, 64}}, {64, 1000, {16, 64}}}) ==
        "16 blocks of 64 threads: as if only what block 0 has taken were in the result, one byte for each "
        "thread");
  CHECK(told_of({{64, 130, {3, 64}}, {65, 1000, {16, 64}}}) == "nothing");
  CHECK(told_of({{64, 130, {}}}) == "nothing");
  CHECK(problems::headline_of({128, 130, {3, 64}}) == "the end of the input is missing from the result");
  CHECK(problems::headline_of({64, 1000, {16, 64}}) == "only the beginning of the input is in the result");
  CHECK(problems::headline_of({512, 1000, {4, 64}}) == "only the beginning of the input is in the result");
}

TEST_CASE(
    "more odd places are told of where they are known of, and a single one where all places are known") {
  const std::string more = "; there are more such places";
  const Places cut{100, {{0, 1, 0}, {1, 5, 1}}};
  CHECK_FALSE(cut.is_complete());
  CHECK(cut.headline() == "some bytes are never counted");
  CHECK(cut.text() == "of 100 bytes, data[0] is never counted" + more);
  // What follows may be counted as it should.
  CHECK(Places{100, {{0, 1, 0}}}.text() == "of 100 bytes, data[0] is never counted");
  CHECK(Places{100, {{0, 1, 0}}}.headline() == "some bytes are never counted");
  CHECK(Places{100, {{0, 5, 1}, {90, 100, 0}}}.text() ==
        "of 100 bytes, data[90] to data[99] are never counted" + more);
  CHECK(Places{100, {{0, 5, 2}, {90, 100, 0}}}.text() ==
        "of 100 bytes, data[0] to data[4] are counted twice each, data[90] to data[99] never");
  const Places whole{100, {{0, 1, 0}, {1, 100, 1}}};
  CHECK(whole.is_complete());
  CHECK(whole.headline() == "one byte is never counted");
  CHECK(whole.text() == "of 100 bytes, data[0] is never counted");
}
