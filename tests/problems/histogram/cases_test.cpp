// SPDX-License-Identifier: MIT
// What a check goes through, and how an answer is compared.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "judge/case.hpp"
#include "problems/histogram/generators.hpp"
#include "problems/histogram/histogram_reference.hpp"

using facts::Verdict;

namespace {

using Counts = std::vector<std::uint64_t>;

histogram::BinningInfo binning_called(std::string_view name) { return histogram::find_binning(name).value(); }

std::vector<problems::Case> cases_of_length(std::uint64_t length, unsigned rotation) {
  return histogram::reference().cases(length, rotation);
}

Counts counted(std::span<const unsigned char> bytes, const histogram::BinningInfo& binning) {
  histogram::ByteCounts counts;
  counts.add(bytes);
  return counts.bins(binning);
}

// Zeros but for some stretches; reading anything else is an error, so that a hole that is read shows.
class HoledInput final : public problems::Input {
 public:
  HoledInput(std::uint64_t length, std::vector<problems::Extent> extents)
      : length_(length), extents_(std::move(extents)) {}
  std::uint64_t length() const override { return length_; }
  std::vector<problems::Extent> extents() const override { return extents_; }
  void read(std::uint64_t offset, std::span<unsigned char> out) const override {
    const bool inside = std::any_of(extents_.begin(), extents_.end(), [&](const problems::Extent& extent) {
      return offset >= extent.offset && offset + out.size() <= extent.offset + extent.length;
    });
    if (!inside) throw problems::InputError("a hole was read");
    std::fill(out.begin(), out.end(), 'q');
  }

 private:
  std::uint64_t length_;
  std::vector<problems::Extent> extents_;
};

// "binning/input binning/input ..."
std::string names(const std::vector<problems::Case>& cases) {
  std::string all;
  for (const problems::Case& one : cases) all += (all.empty() ? "" : " ") + one.variant + "/" + one.input;
  return all;
}

}  // namespace

TEST_CASE("short lengths are judged under every binning, each with its hardest inputs") {
  const std::string short_cases =
      "letters4/letters letters4/bytes letters4/same letters/letters letters/bytes letters/same "
      "bytes/letters bytes/bytes bytes/same";
  for (const std::uint64_t length : {0, 1, 1000, 1 << 13}) {
    CAPTURE(length);
    CHECK(names(cases_of_length(length, 0)) == short_cases);
  }
}

TEST_CASE("a medium length meets every input that is not sparse, under every binning") {
  const auto cases = cases_of_length((1 << 14) + 7, 0);
  CHECK(cases.size() == 3 * (histogram::named_inputs().size() - 1));
  CHECK(names(cases).find("sparse") == std::string::npos);
  CHECK(names(cases).find("bytes/skewed") != std::string::npos);
}

TEST_CASE("long lengths are few, and from 2^30 bytes on mostly holes") {
  CHECK(names(cases_of_length((1 << 20) + 3, 0)) == "letters4/letters letters4/same");
  CHECK(cases_of_length((1 << 20) + 3, 5).front().misalignment == 0);  // as the technique is judged
  CHECK(names(cases_of_length(std::uint64_t{1} << 30, 0)) == "letters4/sparse letters/sparse bytes/sparse");
  CHECK(names(cases_of_length((std::uint64_t{1} << 32) + 3, 0)) ==
        "letters4/sparse letters/sparse bytes/sparse");
}

TEST_CASE("long powers of two are judged where the input begins aligned, with one input each") {
  CHECK(names(cases_of_length(1 << 14, 3)) == "letters4/letters letters/letters bytes/letters");
  CHECK(names(cases_of_length(1 << 18, 3)) == "letters4/letters");
  for (const problems::Case& one : cases_of_length(1 << 14, 3)) CHECK(one.misalignment == 0);
}

TEST_CASE("cases keep their length, and over a check every misalignment from 0 to 15 occurs") {
  std::set<unsigned> misalignments;
  unsigned rotation = 0;
  for (const std::uint64_t length : judge::check_lengths(256, histogram::technique_length, false)) {
    for (const problems::Case& one : cases_of_length(length, rotation)) {
      CHECK(one.length == length);
      misalignments.insert(one.misalignment);
    }
    ++rotation;
  }
  CHECK(misalignments.size() == 16);
  CHECK(*misalignments.rbegin() == 15);
  CHECK(cases_of_length(1, 0)[0].misalignment == 0);
  CHECK(cases_of_length(1, 3)[1].misalignment == 10);
}

TEST_CASE("the expected bins of a stretch are those of its bytes") {
  const auto input = histogram::make_input("text", 3'000'000, 5);
  std::vector<unsigned char> bytes(2'100'000);
  input->read(17, bytes);
  for (const std::string_view name : {"letters4", "letters", "bytes"}) {
    CAPTURE(name);
    CHECK(histogram::expected_bins(*input, binning_called(name), 17, bytes.size()) ==
          counted(bytes, binning_called(name)));
  }
  CHECK(histogram::expected_bins(*input, binning_called("letters4"), 0, 0) == Counts(7));
}

TEST_CASE("holes are counted as zeros without being read") {
  const std::uint64_t length = std::uint64_t{1} << 33;
  const HoledInput input(length, {{5, 10}, {length - 3, 3}});
  Counts expected(256);
  expected[0] = length - 13;
  expected['q'] = 13;
  CHECK(histogram::expected_bins(input, binning_called("bytes"), 0, length) == expected);
  CHECK(histogram::expected_bins(input, binning_called("letters4"), 0, length) ==
        Counts{0, 0, 0, 0, 13, 0, 0});
  // A stretch that begins in one extent, at its third byte, and ends in the other, after its second.
  expected[0] = length - 18;
  expected['q'] = 10;
  CHECK(histogram::expected_bins(input, binning_called("bytes"), 7, length - 8) == expected);
  const HoledInput empty(1 << 20, {});
  CHECK(histogram::expected_bins(empty, binning_called("bytes"), 3, 1000)[0] == 1000);
}

TEST_CASE("equal bins are no finding") {
  CHECK_FALSE(
      histogram::compare_bins(binning_called("letters4"), {5, 5, 6, 10, 10, 1, 1}, {5, 5, 6, 10, 10, 1, 1}));
}

TEST_CASE("a wrong answer shows the bins that differ, what they hold, and both counts") {
  const auto finding =
      histogram::compare_bins(binning_called("letters4"), {5, 5, 6, 10, 10, 1, 1}, {5, 5, 6, 11, 10, 1, 0});
  REQUIRE(finding);
  CHECK(finding->verdict == Verdict::wrong_answer);
  CHECK(finding->message ==
        "2 of 7 bins differ\n"
        "  bin 3 (m-p): expected 10, got 11\n"
        "  bin 6 (y-z): expected 1, got 0");
}

TEST_CASE("of many wrong bins the first five are shown") {
  Counts expected(256);
  std::vector<std::uint32_t> got(256);
  for (const std::size_t bin : {0, 32, 65, 97, 126, 127, 255}) expected[bin] = 1;
  const auto finding = histogram::compare_bins(binning_called("bytes"), expected, got);
  REQUIRE(finding);
  CHECK(finding->message ==
        "7 of 256 bins differ\n"
        "  bin 0 (0x00): expected 1, got 0\n"
        "  bin 32 (0x20): expected 1, got 0\n"
        "  bin 65 (A): expected 1, got 0\n"
        "  bin 97 (a): expected 1, got 0\n"
        "  bin 126 (~): expected 1, got 0\n"
        "  and 2 more");
}

TEST_CASE("a counter that wrapped around at 2^32 is not equal") {
  const auto finding = histogram::compare_bins(binning_called("letters4"), {0x1'0000'0003u, 0, 0, 0, 0, 0, 0},
                                               {3, 0, 0, 0, 0, 0, 0});
  REQUIRE(finding);
  CHECK(finding->message == "1 of 7 bins differs\n  bin 0 (a-d): expected 4,294,967,299, got 3");
}

TEST_CASE("an answer with another number of bins breaks the protocol") {
  const auto finding =
      histogram::compare_bins(binning_called("letters4"), Counts(7), std::vector<std::uint32_t>(8));
  REQUIRE(finding);
  CHECK(finding->verdict == Verdict::protocol);
  CHECK(finding->message == "8 bins came back instead of 7");
}
