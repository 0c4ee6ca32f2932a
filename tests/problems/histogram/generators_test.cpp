// SPDX-License-Identifier: MIT
#include "problems/histogram/generators.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "counted.hpp"
#include "problems/histogram/histogram_reference.hpp"
#include "problems/histogram/problem.hpp"

namespace {

using ByteVector = std::vector<unsigned char>;
using histogram::make_input;
using problems::Extent;

constexpr std::size_t block = 64 * 1024;  // in which random inputs are made
constexpr std::size_t mebi = 1 << 20;

ByteVector read(const problems::Input& input, std::uint64_t offset, std::size_t length) {
  ByteVector bytes(length, 0xee);
  input.read(offset, bytes);
  return bytes;
}

ByteVector made(std::string_view name, std::size_t length, std::uint64_t seed) {
  return read(*make_input(name, length, seed), 0, length);
}

ByteVector in_pieces(const problems::Input& input, std::initializer_list<std::size_t> pieces) {
  ByteVector all;
  for (auto piece = pieces.begin(); all.size() < input.length();
       piece = piece + 1 == pieces.end() ? pieces.begin() : piece + 1) {
    const ByteVector part =
        read(input, all.size(), std::min<std::size_t>(*piece, input.length() - all.size()));
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

std::uint64_t fnv1a(const ByteVector& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
  return hash;
}

bool is_letter(unsigned char byte) { return byte >= 'a' && byte <= 'z'; }

std::vector<std::uint64_t> counts_of(const ByteVector& bytes) {
  return reference_histogram(bytes, histogram::find_binning("bytes").value());
}

}  // namespace

TEST_CASE("the named inputs, in the order of the help texts") {
  std::vector<std::string> names;
  for (const problems::NamedInput& input : histogram::named_inputs()) {
    names.emplace_back(input.name);
    CHECK(histogram::problem().has_input(input.name));
    CHECK_FALSE(input.description.empty());
  }
  CHECK(names == std::vector<std::string>{"phrase", "letters", "bytes", "text", "same", "skewed", "runs",
                                          "sorted", "sparse"});
  CHECK_FALSE(histogram::problem().has_input("words"));
  CHECK_FALSE(histogram::problem().has_input(""));
  CHECK_THROWS_WITH_AS(make_input("words", 1, 1), "no such input: words", std::invalid_argument);
}

TEST_CASE("name, length and seed decide every byte, on every machine") {
  struct Known {
    std::string name;
    std::uint64_t hash;
  };
  const Known inputs[] = {
      {"phrase", 0xaf5a82bc0c91f815u}, {"letters", 0xe65a687f38b48c50u}, {"bytes", 0x428c05052f21b497u},
      {"text", 0x7867f8247f70783du},   {"same", 0xf9d23181d9fda5u},      {"skewed", 0x2ef8b7f11850728cu},
      {"runs", 0x3a865884687c3bb9u},   {"sorted", 0xdf1fc5d05886007du},  {"sparse", 0x8e5b166e248a9a54u},
  };
  for (const Known& known : inputs) {
    CAPTURE(known.name);
    CHECK(fnv1a(made(known.name, block + 1000, 7)) == known.hash);
  }
}

TEST_CASE("another seed gives other bytes where chance is involved, and only there") {
  for (const std::string name : {"letters", "bytes", "text", "skewed", "runs", "sparse"}) {
    CAPTURE(name);
    CHECK(made(name, 1000, 1) != made(name, 1000, 2));
  }
  for (const std::string name : {"phrase", "sorted"}) {
    CAPTURE(name);
    CHECK(made(name, 1000, 1) == made(name, 1000, 2));
  }
  std::vector<unsigned char> letters;  // two seeds may agree on the one letter of `same`
  for (std::uint64_t seed = 0; seed < 20; ++seed) letters.push_back(made("same", 1, seed)[0]);
  std::sort(letters.begin(), letters.end());
  CHECK(std::unique(letters.begin(), letters.end()) - letters.begin() > 5);
}

TEST_CASE("the blocks of a random input differ from each other") {
  const ByteVector bytes = made("bytes", 2 * block, 1);
  CHECK_FALSE(std::equal(bytes.begin(), bytes.begin() + block, bytes.begin() + block));
}

TEST_CASE("an input read in odd pieces equals the input read at once") {
  for (const problems::NamedInput& named : histogram::named_inputs()) {
    const std::string name(named.name);
    CAPTURE(name);
    const auto input = make_input(name, 3 * block + 4099, 3);
    REQUIRE(input->length() == 3 * block + 4099);
    const ByteVector whole = read(*input, 0, 3 * block + 4099);
    CHECK(in_pieces(*input, {1, 7, block - 9, block + 1, 1000}) == whole);
    CHECK(read(*input, block - 3, 6) == ByteVector(whole.begin() + block - 3, whole.begin() + block + 3));
    CHECK(read(*input, 2 * block, 5) == ByteVector(whole.begin() + 2 * block, whole.begin() + 2 * block + 5));
  }
}

TEST_CASE("an input of no bytes can be made and read") {
  for (const problems::NamedInput& named : histogram::named_inputs()) {
    const std::string name(named.name);
    CAPTURE(name);
    const auto input = make_input(name, 0, 1);
    CHECK(input->length() == 0);
    CHECK_NOTHROW(input->read(0, {}));
    for (const Extent& extent : input->extents()) CHECK(extent.length == 0);
  }
}

TEST_CASE("phrase is the book's phrase, repeated") {
  const ByteVector bytes = made("phrase", 100, 1);
  CHECK(
      std::string(bytes.begin(), bytes.end()) ==
      "programming massively parallel processorsprogramming massively parallel processorsprogramming massiv");
  CHECK(histogram::phrase() == "programming massively parallel processors");
}

TEST_CASE("letters are a to z, each about equally often") {
  const auto counts = counts_of(made("letters", 260000, 1));
  for (int byte = 0; byte < 256; ++byte) {
    CAPTURE(byte);
    const auto count = counts[static_cast<std::size_t>(byte)];
    if (is_letter(static_cast<unsigned char>(byte))) {
      CHECK(count > 9500);  // five standard deviations of about 98
      CHECK(count < 10500);
    } else {
      CHECK(count == 0);
    }
  }
}

TEST_CASE("bytes are all 256 values, each about equally often") {
  for (const std::uint64_t count : counts_of(made("bytes", mebi, 1))) {
    CHECK(count > 4096 - 384);  // six standard deviations of about 64
    CHECK(count < 4096 + 384);
  }
}

TEST_CASE("text has spaces, capitals and punctuation as often as English") {
  const auto counts = counts_of(made("text", mebi, 1));
  CHECK(std::max_element(counts.begin(), counts.end()) - counts.begin() == ' ');
  CHECK(counts[' '] > mebi * 16 / 100);
  CHECK(counts[' '] < mebi * 18 / 100);
  CHECK(std::max_element(counts.begin() + '!', counts.end()) - counts.begin() == 'e');
  for (int letter = 'a'; letter <= 'z'; ++letter) CHECK(counts[static_cast<std::size_t>(letter)] > 0);
  for (const char byte : {'T', 'A', 'I', ',', '.', '\''}) CHECK(counts[static_cast<std::size_t>(byte)] > 0);
  for (int byte = 0x80; byte < 256; ++byte) CHECK(counts[static_cast<std::size_t>(byte)] == 0);
}

TEST_CASE("same is one letter") {
  const ByteVector bytes = made("same", 1000, 5);
  CHECK(is_letter(bytes[0]));
  CHECK(bytes == ByteVector(1000, bytes[0]));
}

TEST_CASE("skewed is 90 % one letter, the rest any byte") {
  const auto counts = counts_of(made("skewed", mebi, 1));
  const auto most = std::max_element(counts.begin(), counts.end());
  CHECK(is_letter(static_cast<unsigned char>(most - counts.begin())));
  CHECK(*most > mebi * 89 / 100);
  CHECK(*most < mebi * 91 / 100);
  for (const std::uint64_t count : counts) CHECK(count > 250);  // of 410 on average
}

TEST_CASE("runs are stretches of equal letters, 512 long on average") {
  const ByteVector bytes = made("runs", mebi, 1);
  CHECK(std::all_of(bytes.begin(), bytes.end(), is_letter));
  std::size_t runs = 1, length = 1, longest = 1;
  for (std::size_t i = 1; i < bytes.size(); ++i) {
    length = bytes[i] == bytes[i - 1] ? length + 1 : 1;
    runs += length == 1;
    longest = std::max(longest, length);
  }
  CHECK(longest >= 1000);
  CHECK(runs > mebi / 600);
  CHECK(runs < mebi / 450);
}

TEST_CASE("sorted ascends and has every value equally often") {
  const ByteVector bytes = made("sorted", 256 * 100, 1);
  CHECK(std::is_sorted(bytes.begin(), bytes.end()));
  CHECK(counts_of(bytes) == std::vector<std::uint64_t>(256, 100));
  const ByteVector odd = made("sorted", 256 * 100 + 77, 1);
  CHECK(std::is_sorted(odd.begin(), odd.end()));
  const auto counts = counts_of(odd);
  CHECK(std::count(counts.begin(), counts.end(), 100) == 256 - 77);
  CHECK(std::count(counts.begin(), counts.end(), 101) == 77);
}

TEST_CASE("sparse is letters within its extents and 0 outside them") {
  for (const std::size_t length : {1000, 1024, 1500, 2048, 100000}) {
    CAPTURE(length);
    const auto input = make_input("sparse", length, 1);
    const ByteVector bytes = read(*input, 0, length);
    ByteVector expected(length, 0);
    for (const Extent& extent : input->extents()) {
      for (std::uint64_t i = extent.offset; i < extent.offset + extent.length; ++i) {
        REQUIRE(i < length);
        expected[i] = bytes[i];
        CHECK(is_letter(bytes[i]));
      }
    }
    CHECK(bytes == expected);
    CHECK(is_letter(bytes.front()));
    CHECK(is_letter(bytes.back()));
  }
}

TEST_CASE("a sparse input beyond 2^32 bytes has islands around every 2^28th byte and at both ends") {
  constexpr std::uint64_t step = std::uint64_t{1} << 28, length = (std::uint64_t{1} << 32) + 3;
  const auto input = make_input("sparse", length, 1);
  const std::vector<Extent> extents = input->extents();
  REQUIRE(extents.size() == 17);
  for (std::size_t i = 0; i < extents.size(); ++i) {
    CAPTURE(i);
    const std::uint64_t begin = i == 0 ? 0 : i * step - 1024, end = std::min(i * step + 1024, length);
    CHECK(extents[i].offset == begin);
    CHECK(extents[i].length == end - begin);
    const ByteVector island = read(*input, begin, end - begin);
    CHECK(std::all_of(island.begin(), island.end(), is_letter));
    if (begin > 0) CHECK(read(*input, begin - 4096, 4096) == ByteVector(4096, 0));
    if (end < length) CHECK(read(*input, end, 4096) == ByteVector(4096, 0));
  }
  CHECK(extents[8].offset < std::uint64_t{1} << 31);
  CHECK(extents[16].offset + extents[16].length == length);
}

TEST_CASE(
    "bytes drawn uniformly from some values are these values, each about as often, the same for the same "
    "seed") {
  const auto drawn = [](std::uint64_t seed) {
    return read(*histogram::make_uniform({'a', 'x', 0xff}, mebi, seed), 0, mebi);
  };
  const ByteVector bytes = drawn(1);
  std::size_t others = bytes.size();
  for (const unsigned char value : {0x61, 0x78, 0xff}) {
    const auto count = static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), value));
    others -= count;
    CHECK(count > mebi / 3 - 3000);  // six standard deviations
    CHECK(count < mebi / 3 + 3000);
  }
  CHECK(others == 0);
  CHECK(bytes == drawn(1));
  CHECK(bytes != drawn(2));
  CHECK(read(*histogram::make_uniform({7}, 100, 1), 0, 100) == ByteVector(100, 7));
}
