// SPDX-License-Identifier: MIT
#include "judge/case.hpp"

#include <doctest/doctest.h>

#include <set>

namespace {

using Lengths = std::vector<std::uint64_t>;

constexpr std::uint64_t longest = 1048579;

}  // namespace

TEST_CASE("the lengths lie around warps, the block, pages, and beyond 2^31 and 2^32 where it is asked for") {
  CHECK(judge::check_lengths(256, longest, false) ==
        Lengths{0, 1, 31, 32, 33, 255, 256, 257, 1000, 4099, 16384, 16391, 262144, 1048579});
  CHECK(judge::check_lengths(32, longest, false) ==
        Lengths{0, 1, 31, 32, 33, 1000, 4099, 16384, 16391, 262144, 1048579});
  CHECK(judge::check_lengths(1, longest, false) ==
        Lengths{0, 1, 2, 31, 32, 33, 1000, 4099, 16384, 16391, 262144, 1048579});
  CHECK(judge::check_lengths(1024, longest, true) == Lengths{0, 1, 31, 32, 33, 1000, 1023, 1024, 1025, 4099,
                                                             16384, 16391, 262144, 1048579, 2147483651u,
                                                             4294967299u});
}

TEST_CASE("lengths, inputs and alignments are drawn from the seed, beside the fixed lengths") {
  const problems::Reference& reference = problems::reference_of("histogram");
  const auto cases = [&](std::uint64_t seed) { return judge::check_cases(reference, 256, seed, false); };
  CHECK(cases(7) == cases(7));
  std::set<std::uint64_t> longest, drawn;
  std::set<unsigned> first_alignment;
  std::set<std::string> inputs;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    auto all = cases(seed);
    longest.insert(all.rbegin()->first);
    first_alignment.insert(all.at(31).front().misalignment);
    for (const std::uint64_t fixed : judge::check_lengths(256, all.rbegin()->first, false))
      CHECK(all.erase(fixed) == 1);
    CHECK(all.size() >= 4);  // one of the five may be that of a block
    for (const auto& [length, of_length] : all) {
      drawn.insert(length);
      for (const problems::Case& one : of_length) inputs.insert(one.input);
      CHECK(of_length.front().length == length);
    }
  }
  CHECK(*longest.begin() >= 1048579);
  CHECK(*longest.rbegin() <= 1048579 + 1048);
  CHECK(longest.size() > 80);
  CHECK(drawn.size() > 300);
  CHECK(first_alignment.size() == 16);
  CHECK(inputs.size() == reference.problem().inputs().size());
}
