// SPDX-License-Identifier: MIT
// Votes, matches, reductions, the active mask and __syncwarp.
#include <doctest/doctest.h>

#include <bit>

#include "kernels.hpp"
#include "launching.hpp"

namespace {

template <class T>
std::vector<unsigned> matches(unsigned mask, const std::vector<T>& values) {
  const DeviceArray<T> in(values);
  const DeviceArray<unsigned> out(values.size());
  CHECK(launch({1, static_cast<unsigned>(values.size())}, [&] {
          match_any(mask, in.data(), out.data());
        }).hazards.empty());
  return out.values();
}

// The mask that match_all gives every lane of `mask`; all must agree, also on the predicate.
template <class T>
unsigned match_of_all(unsigned mask, const std::vector<T>& values) {
  const DeviceArray<T> in(values);
  const DeviceArray<unsigned> out(32, 99);
  const DeviceArray<int> predicates(32, 99);
  launch({1, 32}, [&] { match_all(mask, in.data(), out.data(), predicates.data()); });
  const unsigned result = out[static_cast<unsigned>(std::countr_zero(mask))];
  for (unsigned i = 0; i < 32; ++i) {
    const bool meant = mask >> i & 1;
    CHECK(out[i] == (meant ? result : 99));
    CHECK(predicates[i] == (meant ? result != 0 : 99));
  }
  return result;
}

}  // namespace

TEST_CASE("a vote gathers the predicates of the mask's lanes") {
  struct Case {
    unsigned mask, predicates;
    int any, all;
  };
  for (const Case& one : {Case{full, 0x80000001, 1, 0}, Case{full, full, 1, 1}, Case{full, 0, 0, 0},
                          Case{0x00ff00ff, 0xffff0000, 1, 0}, Case{0x00ff00ff, 0x12ff34ff, 1, 1},
                          Case{0x00ff00ff, 0xff00ff00, 0, 0}, Case{1u << 7, 1u << 7, 1, 1}}) {
    CAPTURE(one.mask);
    CAPTURE(one.predicates);
    // any value but 0 is true, also one whose low bits are 0
    const DeviceArray<int> in(
        filled(32, [&](unsigned i) { return one.predicates >> i & 1 ? 1 << (i % 31) : 0; }));
    const DeviceArray<Votes> out(32, Votes{99, 99, 99});
    CHECK(launch({1, 32}, [&] { vote(one.mask, in.data(), out.data()); }).hazards.empty());
    for (unsigned i = 0; i < 32; ++i) {
      const bool meant = one.mask >> i & 1;
      CHECK(out[i].ballot == (meant ? one.mask & one.predicates : 99));
      CHECK(out[i].any == (meant ? one.any : 99));
      CHECK(out[i].all == (meant ? one.all : 99));
    }
  }
}

TEST_CASE("a full mask does not wait for lanes that never were or have returned") {
  const DeviceArray<int> all_true(40, 1);
  SUBCASE("lanes beyond the end of the block") {
    const DeviceArray<Votes> out(40);
    CHECK(launch({1, 40}, [&] { vote(full, all_true.data(), out.data()); }).hazards.empty());
    for (unsigned i = 0; i < 40; ++i) CHECK(out[i].ballot == (i < 32 ? full : 0xffu));
    for (unsigned i = 0; i < 40; ++i) CHECK(out[i].all == 1);
  }
  SUBCASE("lanes that returned early") {
    const DeviceArray<unsigned> out(32, 99);
    const auto result = launch({1, 32}, [&] { vote_after_return(12, out.data()); });
    CHECK(result.hazards.empty());
    CHECK(out.values() == filled(32, [](unsigned i) { return i < 12 ? 99u : 0xfffff000u; }));
  }
}

TEST_CASE("match_any gives the lanes with an equal value") {
  SUBCASE("unsigned int") {
    CHECK(matches<unsigned>(full, filled(32, [](unsigned i) { return i % 4; })) ==
          filled(32, [](unsigned i) { return 0x11111111u << i % 4; }));
  }
  SUBCASE("int, negative ones too") {
    CHECK(matches<int>(full, filled(32, [](unsigned i) { return i < 16 ? -1 : 1; })) ==
          filled(32, [](unsigned i) { return i < 16 ? 0xffffu : 0xffff0000u; }));
  }
  SUBCASE("64 bits: values that differ in the upper half only") {
    const auto expected = filled(32, [](unsigned i) { return i < 16 ? 0xffffu : 0xffff0000u; });
    CHECK(matches<unsigned long long>(
              full, filled(32, [](unsigned i) { return i < 16 ? 5ull : 0x100000005ull; })) == expected);
    CHECK(matches<long long>(full, filled(32, [](unsigned i) { return i < 16 ? 5ll : -0xfffffffbll; })) ==
          expected);
  }
  SUBCASE("float and double: values that differ in the fraction only") {
    const auto expected = filled(32, [](unsigned i) { return i % 2 ? 0xaaaaaaaau : 0x55555555u; });
    CHECK(matches<float>(full, filled(32, [](unsigned i) { return i % 2 ? 1.25f : 1.5f; })) == expected);
    CHECK(matches<double>(full, filled(32, [](unsigned i) { return i % 2 ? 0.25 : -0.25; })) == expected);
  }
  SUBCASE("among the lanes of a mask only") {
    CHECK(matches<unsigned>(0xff, std::vector<unsigned>(32, 3)) ==
          filled(32, [](unsigned i) { return i < 8 ? 0xffu : 0u; }));
  }
  SUBCASE("in a warp that the end of the block cuts off") {
    CHECK(matches<unsigned>(full, std::vector<unsigned>(5, 3)) == std::vector<unsigned>(5, 0x1f));
  }
}

TEST_CASE("match_all gives the mask where all values are equal, else 0") {
  const auto one_differs = [](auto usual, auto other) {
    return filled(32, [=](unsigned i) { return i == 20 ? other : usual; });
  };
  CHECK(match_of_all(full, one_differs(7, 7)) == full);
  CHECK(match_of_all(full, one_differs(7, 8)) == 0);
  CHECK(match_of_all(0xffff, one_differs(7, 8)) == 0xffff);
  CHECK(match_of_all(full, one_differs(-1, -2)) == 0);
  CHECK(match_of_all(full, one_differs(5ll, 0x100000005ll)) == 0);
  CHECK(match_of_all(full, one_differs(1.5f, 1.5f)) == full);
  CHECK(match_of_all(full, one_differs(1.5f, 1.25f)) == 0);
  CHECK(match_of_all(full, one_differs(0.5, 0.25)) == 0);
}

TEST_CASE("a reduction combines the values of the mask's lanes") {
  const DeviceArray<unsigned> in(filled(32, [](unsigned i) { return i % 2 ? 0u - i : 16 + i; }));
  for (const unsigned mask : {full, 0x55555555u, 0xaaaaaaaau, 0x00fffff0u, 1u << 31}) {
    CAPTURE(mask);
    const DeviceArray<Reductions> out(32);
    CHECK(launch({1, 32}, [&] { reduce(mask, in.data(), out.data()); }).hazards.empty());
    Reductions expected{0, 0xffffffff, 0, 0xffffffff, 0, 0, 0, 0x7fffffff, -0x7fffffff - 1};
    for (unsigned i = 0; i < 32; ++i) {
      if (!(mask >> i & 1)) continue;
      const unsigned value = in[i];
      const int with_sign = static_cast<int>(value);
      expected = {expected.add + value,
                  std::min(expected.min, value),
                  std::max(expected.max, value),
                  expected.bitwise_and & value,
                  expected.bitwise_or | value,
                  expected.bitwise_xor ^ value,
                  expected.add_signed + with_sign,
                  std::min(expected.min_signed, with_sign),
                  std::max(expected.max_signed, with_sign)};
    }
    for (unsigned i = 0; i < 32; ++i) {
      if (!(mask >> i & 1)) continue;
      CAPTURE(i);
      CHECK(out[i].add == expected.add);
      CHECK(out[i].min == expected.min);
      CHECK(out[i].max == expected.max);
      CHECK(out[i].bitwise_and == expected.bitwise_and);
      CHECK(out[i].bitwise_or == expected.bitwise_or);
      CHECK(out[i].bitwise_xor == expected.bitwise_xor);
      CHECK(out[i].add_signed == expected.add_signed);
      CHECK(out[i].min_signed == expected.min_signed);
      CHECK(out[i].max_signed == expected.max_signed);
    }
  }
}

TEST_CASE("in a divergent branch the lanes of a partial mask work among themselves") {
  const unsigned odd = 0x00f0f00f;  // lanes 0-3, 12-15 and 20-23
  const DeviceArray<Branch> out(64);
  CHECK(launch({1, 64}, [&] { work_in_branches(odd, out.data()); }).hazards.empty());
  for (unsigned i = 0; i < 64; ++i) {
    CAPTURE(i);
    const bool taken = odd >> i % 32 & 1;
    CHECK(out[i].ballot == (taken ? odd & 0xaaaaaaaa : ~odd & 0x49249249));
    CHECK(out[i].first_value == (taken ? 100 : 204));
    CHECK(out[i].sum == (taken ? 6 + 54 + 86 : 496 - 146));
    CHECK(out[i].active == (taken ? odd : ~odd));
  }
}

TEST_CASE("the active mask is every lane that is there") {
  const DeviceArray<unsigned> out(2 * 40);
  const auto expected = filled(80, [](unsigned i) { return i % 40 < 32 ? full : 0xffu; });
  SUBCASE("at once") {
    launch({2, 40}, [&] { active_mask(out.data()); });
  }
  SUBCASE("after a loop that took the lanes differently long") {
    launch({2, 40}, [&] { active_mask_after_loop(out.data()); });
  }
  CHECK(out.values() == expected);
}

TEST_CASE("lanes that leave a branch are asked with those that wait behind it") {
  const DeviceArray<unsigned> out(2 * 64);
  CHECK(launch({1, 64}, [&] { active_mask_behind_branch(out.data()); }).hazards.empty());
  CHECK(out.values() == filled(128, [](unsigned i) {
          if (i < 64) return full;
          return i % 2 ? 1u + 16 : i % 32;
        }));
}

TEST_CASE("lanes that come to a place by different rounds of a loop are not active together") {
  const std::vector<unsigned> keys = filled(64, [](unsigned i) { return i * i % 7; });
  std::vector<unsigned> expected(7);
  for (const unsigned key : keys) ++expected[key];
  const DeviceArray<unsigned> in(keys);
  const simulator::LaunchConfiguration recorded{1, 64},
      unrecorded{.grid = 1, .block = 64, .checks = false, .counters = false};
  simulator::LaunchConfiguration in_lockstep{1, 64};
  in_lockstep.lockstep_seed = 7;
  for (const auto& configuration : {recorded, unrecorded, in_lockstep}) {
    const DeviceArray<unsigned> right(7), wrong(7);
    CHECK(launch(configuration, [&] { count_alike(true, in.data(), right.data()); }).hazards.empty());
    CHECK(right.values() == expected);
    CHECK(launch(configuration, [&] { count_alike(false, in.data(), wrong.data()); }).hazards.empty());
    CHECK(wrong.values() != expected);
  }
  const DeviceArray<unsigned> counts(7);
  const auto counted = launch(recorded, [&] { count_alike(true, in.data(), counts.data()); });
  // The lanes of a warp with one key count together.
  CHECK(counted.counters.value("global_atomics") == 2 * 4);
}

TEST_CASE("what was written before __syncwarp is seen after it by the lanes of the warp") {
  const DeviceArray<unsigned> out(2 * 128);
  CHECK(launch({2, 128}, [&] { pass_on_through_syncwarp(out.data()); }).hazards.empty());
  CHECK(out.values() == filled(256, [](unsigned i) { return i % 128 / 32 * 32 + (i + 2) % 32; }));
}

TEST_CASE("__syncwarp of a partial mask holds in a divergent branch") {
  const DeviceArray<unsigned> out(32);
  CHECK(launch({1, 32}, [&] { syncwarp_of_halves(out.data()); }).hazards.empty());
  CHECK(out.values() == filled(32, [](unsigned i) { return i < 16 ? (i + 1) % 16 : 116 + (i + 1) % 16; }));
}

TEST_CASE("a lane whose mask does not contain it ends with a report; the others go on") {
  const DeviceArray<unsigned> out(2 * 64);
  const auto result = launch({2, 64}, [&] { foreign_mask(37, out.data()); });
  REQUIRE(result.hazards.size() == 1);
  CHECK(result.hazards[0].kind == facts::Verdict::divergent_barrier);
  CHECK(result.hazards[0].what == "a lane called a warp operation whose mask does not contain it");
  CHECK((result.hazards[0].threads.front().thread == uint3{37, 0, 0}));
  CHECK((result.hazards[0].threads.front().block == uint3{0, 0, 0}));
  CHECK(result.hazards[0].occurrences == 2);
  CHECK(result.hazards[0].sites.size() == 1);
  CHECK(out.values() == filled(128, [](unsigned i) { return i % 64 == 37 ? 0u : 1u; }));
}

TEST_CASE("a report names the place in the kernel where a warp operation was called, for each call its own") {
  std::vector<std::uintptr_t> sites;
  for (unsigned operation = 0; operation < 7; ++operation) {
    CAPTURE(operation);
    const DeviceArray<unsigned> out(1);
    const auto result = launch({1, 1}, [&] { foreign_masks(operation, out.data()); });
    REQUIRE(result.hazards.size() == 1);
    sites.push_back(result.hazards[0].sites.at(0));
    CHECK(lies_in(sites.back(), &foreign_masks));
    CHECK(out[0] == 0);
  }
  std::sort(sites.begin(), sites.end());
  CHECK(std::unique(sites.begin(), sites.end()) == sites.end());
}
