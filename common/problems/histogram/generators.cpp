// SPDX-License-Identifier: MIT
// Random inputs are made in blocks, each from a random sequence of its own that starts from the seed and the
// block's number. So any stretch of an input can be made without what comes before it, and the bytes do not
// depend on the pieces in which they are read.
#include "problems/histogram/generators.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <string>

#include "problems/random.hpp"

namespace histogram {

namespace {

constexpr std::size_t block_bytes = std::size_t{64} * 1024;

using problems::Random;
using problems::split_mix;

using Block = std::array<unsigned char, block_bytes>;

// Fills a block with bytes that each depend on 16 random bits of their own.
template <class ByteOf>
void fill_from_16_bits(Random& random, Block& block, ByteOf byte_of) {
  for (std::size_t i = 0; i < block_bytes; i += 4) {
    std::uint64_t bits = random.next();
    for (std::size_t k = 0; k < 4; ++k, bits >>= 16)
      block[i + k] = byte_of(static_cast<std::uint32_t>(bits & 0xffff));
  }
}

// A number below `bound` from 16 random bits; no value is more than bound / 65536 likelier than another.
constexpr std::uint32_t scaled(std::uint32_t bits, std::uint32_t bound) { return (bits * bound) >> 16; }

unsigned char letter(std::uint32_t index) { return static_cast<unsigned char>('a' + index); }

void fill_letters(Random& random, Block& block) {
  fill_from_16_bits(random, block, [](std::uint32_t bits) { return letter(scaled(bits, 26)); });
}

void fill_bytes(Random& random, Block& block) {
  for (std::size_t i = 0; i < block_bytes; i += 8) {
    const std::uint64_t bits = random.next();
    std::memcpy(&block[i], &bits, 8);
  }
}

// Occurrences in 4096 characters of English prose, space and punctuation among them (rounded from the
// frequencies that textbooks on cryptography print; capitals stand for the letters that open sentences).
struct Frequency {
  unsigned char byte;
  int of_4096;
};
constexpr std::array<Frequency, 34> english{
    {{' ', 704}, {'e', 408}, {'t', 290}, {'a', 262}, {'o', 241}, {'i', 224}, {'n', 224},
     {'s', 203}, {'h', 196}, {'r', 192}, {'d', 137}, {'l', 129}, {'c', 90},  {'u', 89},
     {'m', 77},  {'w', 76},  {'f', 72},  {'g', 65},  {'y', 64},  {'p', 62},  {'b', 48},
     {'v', 31},  {'k', 25},  {'j', 5},   {'x', 5},   {'q', 3},   {'z', 2},   {',', 48},
     {'.', 44},  {'\n', 32}, {'T', 20},  {'A', 14},  {'I', 10},  {'\'', 4}}};

constexpr std::array<unsigned char, 4096> english_table() {
  std::array<unsigned char, 4096> table{};
  std::size_t filled = 0;
  for (const Frequency& frequency : english) {
    for (int i = 0; i < frequency.of_4096; ++i) table[filled++] = frequency.byte;
  }
  while (filled < table.size()) table[filled++] = '-';
  return table;
}

void fill_text(Random& random, Block& block) {
  static constexpr std::array<unsigned char, 4096> table = english_table();
  fill_from_16_bits(random, block, [](std::uint32_t bits) { return table[bits >> 4]; });
}

// 90 % one letter, the rest any byte: of 65536 values the upper 6554 are stretched over 256.
void fill_skewed(Random& random, Block& block, unsigned char common) {
  constexpr std::uint32_t threshold = 65536 - 6554;
  fill_from_16_bits(random, block, [common](std::uint32_t bits) {
    return bits < threshold ? common : static_cast<unsigned char>(((bits - threshold) * 2560) >> 16);
  });
}

// Runs of 1 to 1024 equal letters.
void fill_runs(Random& random, Block& block) {
  for (std::size_t i = 0; i < block_bytes;) {
    const std::uint64_t bits = random.next();
    const std::size_t run = std::min<std::size_t>(1 + (bits & 1023), block_bytes - i);
    std::memset(&block[i], letter(scaled(bits >> 16 & 0xffff, 26)), run);
    i += run;
  }
}

// The letter that `same` and `skewed` prefer: another one for another seed.
unsigned char preferred_letter(std::uint64_t seed) {
  return letter(static_cast<std::uint32_t>(split_mix(seed) % 26));
}

template <class Fill>
class RandomInput final : public Input {
 public:
  RandomInput(std::uint64_t length, std::uint64_t seed, Fill fill)
      : length_(length), seed_(seed), fill_(fill) {}

  std::uint64_t length() const override { return length_; }

  void read(std::uint64_t offset, std::span<unsigned char> out) const override {
    Block block;
    while (!out.empty()) {
      Random random(seed_, offset / block_bytes);
      fill_(random, block);
      const std::size_t skipped = offset % block_bytes;
      const std::size_t taken = std::min(out.size(), block_bytes - skipped);
      std::memcpy(out.data(), block.data() + skipped, taken);
      offset += taken;
      out = out.subspan(taken);
    }
  }

 private:
  std::uint64_t length_, seed_;
  Fill fill_;
};

template <class Fill>
std::unique_ptr<Input> random_input(std::uint64_t length, std::uint64_t seed, Fill fill) {
  return std::make_unique<RandomInput<Fill>>(length, seed, fill);
}

class SameInput final : public Input {
 public:
  SameInput(std::uint64_t length, unsigned char byte) : length_(length), byte_(byte) {}
  std::uint64_t length() const override { return length_; }
  void read(std::uint64_t, std::span<unsigned char> out) const override {
    std::fill(out.begin(), out.end(), byte_);
  }

 private:
  std::uint64_t length_;
  unsigned char byte_;
};

// Every byte value equally often, in ascending order.
class SortedInput final : public Input {
 public:
  explicit SortedInput(std::uint64_t length) : length_(length) {}
  std::uint64_t length() const override { return length_; }

  void read(std::uint64_t offset, std::span<unsigned char> out) const override {
    std::size_t done = 0;
    for (int byte = 0; byte < 256 && done < out.size(); ++byte) {
      const std::uint64_t end = first_of(byte + 1);
      if (end <= offset + done) continue;
      const std::size_t stop = static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), end - offset));
      std::memset(out.data() + done, byte, stop - done);
      done = stop;
    }
  }

 private:
  // Where the first byte of at least this value stands; in two parts, so that no product overflows.
  std::uint64_t first_of(int byte) const {
    const auto value = static_cast<std::uint64_t>(byte);
    return length_ / 256 * value + length_ % 256 * value / 256;
  }

  std::uint64_t length_;
};

// 0 everywhere but around the places where 32-bit arithmetic breaks (2^31, 2^32), at both ends, and once
// every 2^28 bytes, so that the byte 0 itself never occurs 2^32 times.
class SparseInput final : public Input {
 public:
  SparseInput(std::uint64_t length, std::uint64_t seed) : length_(length) {
    std::vector<std::uint64_t> centres{0, length};
    for (std::uint64_t centre = std::uint64_t{1} << 28; centre < length; centre += std::uint64_t{1} << 28) {
      centres.push_back(centre);
    }
    std::sort(centres.begin(), centres.end());
    for (const std::uint64_t centre : centres) {
      const std::uint64_t begin =
          std::max(centre < reach ? 0 : centre - reach, islands_.empty() ? 0 : end_of_last());
      const std::uint64_t end = std::min(centre + reach, length);
      if (begin < end) islands_.push_back({begin, end - begin});
    }
    letters_ = make_input("letters", length, seed);
  }

  std::uint64_t length() const override { return length_; }
  std::vector<Extent> extents() const override { return islands_; }

  void read(std::uint64_t offset, std::span<unsigned char> out) const override {
    std::fill(out.begin(), out.end(), 0);
    for (const Extent& island : islands_) {
      const std::uint64_t begin = std::max(offset, island.offset);
      const std::uint64_t end = std::min(offset + out.size(), island.offset + island.length);
      if (begin < end) letters_->read(begin, out.subspan(begin - offset, end - begin));
    }
  }

 private:
  static constexpr std::uint64_t reach = 1024;
  std::uint64_t end_of_last() const { return islands_.back().offset + islands_.back().length; }

  std::uint64_t length_;
  std::vector<Extent> islands_;
  std::unique_ptr<Input> letters_;
};

std::unique_ptr<Input> make_phrase(std::uint64_t length, std::uint64_t) {
  const std::string_view text = phrase();
  return problems::repeat(problems::hold({text.begin(), text.end()}), length);
}

std::unique_ptr<Input> make_skewed(std::uint64_t length, std::uint64_t seed) {
  const unsigned char common = preferred_letter(seed);
  return random_input(length, seed,
                      [common](Random& random, Block& block) { fill_skewed(random, block, common); });
}

std::unique_ptr<Input> make_same(std::uint64_t length, std::uint64_t seed) {
  return std::make_unique<SameInput>(length, preferred_letter(seed));
}

std::unique_ptr<Input> make_sorted(std::uint64_t length, std::uint64_t) {
  return std::make_unique<SortedInput>(length);
}

std::unique_ptr<Input> make_sparse(std::uint64_t length, std::uint64_t seed) {
  return std::make_unique<SparseInput>(length, seed);
}

template <void (*fill)(Random&, Block&)>
std::unique_ptr<Input> make_random(std::uint64_t length, std::uint64_t seed) {
  return random_input(length, seed, fill);
}

struct Generator {
  NamedInput input;
  std::unique_ptr<Input> (*make)(std::uint64_t length, std::uint64_t seed);
};

constexpr std::array<Generator, 9> all_generators{{
    {{"phrase", "\"programming massively parallel processors\", repeated"}, make_phrase},
    {{"letters", "uniformly random letters a-z"}, make_random<fill_letters>},
    {{"bytes", "uniformly random bytes"}, make_random<fill_bytes>},
    {{"text", "letters, spaces and punctuation as often as in English"}, make_random<fill_text>},
    {{"same", "one letter, repeated"}, make_same},
    {{"skewed", "90 % one letter, the rest any byte"}, make_skewed},
    {{"runs", "runs of up to 1024 equal letters"}, make_random<fill_runs>},
    {{"sorted", "every byte value equally often, in ascending order"}, make_sorted},
    {{"sparse", "0, with letters around every 2^28th byte and at both ends"}, make_sparse},
}};

}  // namespace

std::unique_ptr<Input> make_uniform(std::vector<unsigned char> values, std::uint64_t length,
                                    std::uint64_t seed) {
  const auto fill = [values = std::move(values)](Random& random, Block& block) {
    fill_from_16_bits(random, block, [&](std::uint32_t bits) {
      return values[scaled(bits, static_cast<std::uint32_t>(values.size()))];
    });
  };
  return random_input(length, seed, fill);
}

std::string_view phrase() { return "programming massively parallel processors"; }

std::span<const NamedInput> named_inputs() {
  static const std::vector<NamedInput> names = [] {
    std::vector<NamedInput> result;
    for (const Generator& generator : all_generators) result.push_back(generator.input);
    return result;
  }();
  return names;
}

std::unique_ptr<Input> make_input(std::string_view name, std::uint64_t length, std::uint64_t seed) {
  const auto named = [&](const Generator& generator) { return generator.input.name == name; };
  const auto found = std::ranges::find_if(all_generators, named);
  if (found == all_generators.end()) throw std::invalid_argument("no such input: " + std::string(name));
  return found->make(length, seed);
}

}  // namespace histogram
