// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <map>

#include "problems/histogram/problem.hpp"
#include "problems/histogram/unit/binning.hpp"

namespace {

// What the bins of the 26 lower-case letters are, written out; every other byte is not counted.
template <class Binning>
void check_letters(const std::map<char, int>& expected) {
  REQUIRE(expected.size() == 26);
  for (int byte = 0; byte < 256; ++byte) {
    CAPTURE(byte);
    const auto found = byte < 128 ? expected.find(static_cast<char>(byte)) : expected.end();
    CHECK(Binning::bin_of(static_cast<unsigned char>(byte)) ==
          (found == expected.end() ? -1 : found->second));
  }
}

}  // namespace

TEST_CASE("letters4 sorts four letters into a bin and counts no other byte") {
  CHECK(Letters4::bins == 7);
  check_letters<Letters4>({{'a', 0}, {'b', 0}, {'c', 0}, {'d', 0}, {'e', 1}, {'f', 1}, {'g', 1},
                           {'h', 1}, {'i', 2}, {'j', 2}, {'k', 2}, {'l', 2}, {'m', 3}, {'n', 3},
                           {'o', 3}, {'p', 3}, {'q', 4}, {'r', 4}, {'s', 4}, {'t', 4}, {'u', 5},
                           {'v', 5}, {'w', 5}, {'x', 5}, {'y', 6}, {'z', 6}});
}

TEST_CASE("the last letters4 bin is two letters wide: '{' and '|' are not counted") {
  CHECK(Letters4::bin_of('z') == 6);
  CHECK(Letters4::bin_of('{') == -1);
  CHECK(Letters4::bin_of('|') == -1);
  CHECK(Letters4::bin_of('`') == -1);
}

TEST_CASE("letters gives each lower-case letter its own bin and counts no other byte") {
  CHECK(Letters::bins == 26);
  check_letters<Letters>({{'a', 0},  {'b', 1},  {'c', 2},  {'d', 3},  {'e', 4},  {'f', 5},  {'g', 6},
                          {'h', 7},  {'i', 8},  {'j', 9},  {'k', 10}, {'l', 11}, {'m', 12}, {'n', 13},
                          {'o', 14}, {'p', 15}, {'q', 16}, {'r', 17}, {'s', 18}, {'t', 19}, {'u', 20},
                          {'v', 21}, {'w', 22}, {'x', 23}, {'y', 24}, {'z', 25}});
}

TEST_CASE("bytes counts every byte in the bin of its value") {
  CHECK(Bytes::bins == 256);
  for (int byte = 0; byte < 256; ++byte) CHECK(Bytes::bin_of(static_cast<unsigned char>(byte)) == byte);
}

TEST_CASE("the binnings are listed with the fewest bins first, and found by name") {
  const auto& all = histogram::binnings();
  REQUIRE(all.size() == 3);
  CHECK(all[0].name == "letters4");
  CHECK(all[1].name == "letters");
  CHECK(all[2].name == "bytes");
  for (const histogram::BinningInfo& binning : all) {
    CAPTURE(binning.bins);
    const auto found = histogram::find_binning(binning.name);
    REQUIRE(found.has_value());
    CHECK(found->name == binning.name);
    CHECK(found->bins == binning.bins);
    CHECK(found->bin_of('q') == binning.bin_of('q'));
  }
  CHECK(all[0].bins == 7);
  CHECK(all[0].bin_of('e') == 1);
  CHECK(all[1].bins == 26);
  CHECK(all[1].bin_of('e') == 4);
  CHECK(all[2].bins == 256);
  CHECK(all[2].bin_of('e') == 'e');
}

TEST_CASE("an unknown binning is nothing") {
  CHECK_FALSE(histogram::find_binning("words").has_value());
  CHECK_FALSE(histogram::find_binning("").has_value());
  CHECK_FALSE(histogram::find_binning("letter").has_value());
  CHECK_FALSE(histogram::find_binning("Letters").has_value());
}

TEST_CASE("a label is the bytes of its bin as a person writes them") {
  const auto label = [](const char* binning, int bin) {
    return histogram::find_binning(binning).value().label(bin);
  };
  SUBCASE("letters4: the first and the last letter") {
    const char* const expected[] = {"a-d", "e-h", "i-l", "m-p", "q-t", "u-x", "y-z"};
    for (int bin = 0; bin < 7; ++bin) CHECK(label("letters4", bin) == expected[bin]);
  }
  SUBCASE("letters: the letter") {
    CHECK(label("letters", 0) == "a");
    CHECK(label("letters", 25) == "z");
  }
  SUBCASE("bytes: the character, or its number where nothing would be seen") {
    CHECK(label("bytes", 0) == "0x00");
    CHECK(label("bytes", 0x0a) == "0x0a");
    CHECK(label("bytes", 0x20) == "0x20");
    CHECK(label("bytes", 0x21) == "!");
    CHECK(label("bytes", 0x41) == "A");
    CHECK(label("bytes", 0x7e) == "~");
    CHECK(label("bytes", 0x7f) == "0x7f");
    CHECK(label("bytes", 0xff) == "0xff");
  }
  SUBCASE("a bin that does not exist: a dash") {
    CHECK(label("letters4", 7) == "-");
    CHECK(label("bytes", 256) == "-");
  }
}
