// SPDX-License-Identifier: MIT
#include "judge/case.hpp"

#include <doctest/doctest.h>

namespace {

using Lengths = std::vector<std::uint64_t>;

constexpr std::uint64_t longest = 1048579;

}  // namespace

TEST_CASE("the lengths lie around warps, the block, pages, and beyond 2^31 and 2^32 where it is asked for") {
  CHECK(judge::check_lengths(256, longest, false) ==
        Lengths{0, 1, 31, 32, 33, 255, 256, 257, 1000, 4099, 16391, 1048579});
  CHECK(judge::check_lengths(32, longest, false) == Lengths{0, 1, 31, 32, 33, 1000, 4099, 16391, 1048579});
  CHECK(judge::check_lengths(1, longest, false) == Lengths{0, 1, 2, 31, 32, 33, 1000, 4099, 16391, 1048579});
  CHECK(judge::check_lengths(1024, longest, true) ==
        Lengths{0, 1, 31, 32, 33, 1000, 1023, 1024, 1025, 4099, 16391, 1048579, 2147483651u, 4294967299u});
}
