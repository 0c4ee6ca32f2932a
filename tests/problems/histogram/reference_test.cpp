// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include "counted.hpp"
#include "problems/histogram/generators.hpp"
#include "problems/histogram/histogram_reference.hpp"
#include "problems/input.hpp"

namespace {

using Counts = std::vector<std::uint64_t>;

histogram::BinningInfo binning(const std::string& name) { return histogram::find_binning(name).value(); }

std::vector<unsigned char> bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

std::vector<unsigned char> random_bytes(std::size_t length) {
  std::vector<unsigned char> bytes(length);
  histogram::make_input("bytes", length, 11)->read(0, bytes);
  return bytes;
}

Counts naive(std::span<const unsigned char> bytes, const histogram::BinningInfo& binning) {
  Counts counts(static_cast<std::size_t>(binning.bins));
  for (const unsigned char byte : bytes) {
    if (binning.bin_of(byte) >= 0) ++counts[static_cast<std::size_t>(binning.bin_of(byte))];
  }
  return counts;
}

}  // namespace

TEST_CASE("the phrase has the book's histogram") {
  const auto bytes = bytes_of(histogram::phrase());
  CHECK(reference_histogram(bytes, binning("letters4")) == Counts{5, 5, 6, 10, 10, 1, 1});
  //                                      a  b  c  d  e  f  g  h  i  j  k  l  m  n  o  p
  CHECK(reference_histogram(bytes, binning("letters")) ==
        Counts{4, 0, 1, 0, 3, 0, 2, 0, 2, 0, 0, 4, 3, 1, 3, 3, 0, 5, 5, 0, 0, 1, 0, 0, 1, 0});
}

TEST_CASE("the reference equals a naive count, whatever remains after groups of four bytes") {
  for (const std::string name : {"letters4", "letters", "bytes"}) {
    CAPTURE(name);
    for (const std::size_t length : {0, 1, 2, 3, 4, 5, 7, 8, 4099}) {
      CAPTURE(length);
      const auto bytes = random_bytes(length);
      CHECK(reference_histogram(bytes, binning(name)) == naive(bytes, binning(name)));
    }
  }
}

TEST_CASE("no bytes give a histogram of zeros, one a bin") {
  CHECK(reference_histogram({}, binning("letters4")) == Counts(7));
  CHECK(reference_histogram({}, binning("letters")) == Counts(26));
  CHECK(reference_histogram({}, binning("bytes")) == Counts(256));
}

TEST_CASE("bytes that a binning does not count are in no bin") {
  const auto bytes = bytes_of("`{|AZ \xff");
  CHECK(reference_histogram(bytes, binning("letters4")) == Counts(7));
  CHECK(reference_histogram(bytes, binning("letters")) == Counts(26));
}

TEST_CASE("counts of several stretches add up to the count of the whole") {
  const auto bytes = random_bytes(10007);
  histogram::ByteCounts counts;
  const std::span<const unsigned char> all = bytes;
  counts.add(all.first(1));
  counts.add(all.subspan(1, 5000));
  counts.add(all.subspan(5001));
  CHECK(counts.bins(binning("bytes")) == naive(bytes, binning("bytes")));
}

TEST_CASE("counts are 64 bits wide") {
  histogram::ByteCounts counts;
  counts.add('a', 0xffffffffu);
  counts.add(bytes_of("aab"));
  CHECK(counts.of('a') == 0x1'0000'0001u);
  counts.add('d', std::uint64_t{1} << 40);
  CHECK(counts.of('d') == std::uint64_t{1} << 40);
  CHECK(counts.of('b') == 1);
  CHECK(counts.of('c') == 0);
  CHECK(counts.bins(binning("letters4"))[0] == (std::uint64_t{1} << 40) + 0x1'0000'0002u);
}
