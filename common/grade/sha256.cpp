// SPDX-License-Identifier: MIT
#include "grade/sha256.hpp"

#include <fmt/core.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace grade {

namespace {

using Words = std::array<std::uint32_t, 8>;

constexpr std::size_t block_bytes = 64;
constexpr std::array<unsigned, 64> primes{2,   3,   5,   7,   11,  13,  17,  19,  23,  29,  31,  37,  41,
                                          43,  47,  53,  59,  61,  67,  71,  73,  79,  83,  89,  97,  101,
                                          103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
                                          173, 179, 181, 191, 193, 197, 199, 211, 223, 227, 229, 233, 239,
                                          241, 251, 257, 263, 269, 271, 277, 281, 283, 293, 307, 311};

// The first 32 bits of a root's fractional part, which is how the standard defines its constants.
std::uint32_t fraction_of(long double root) {
  return static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0L);
}

const std::array<std::uint32_t, 64>& round_constants() {
  static const auto constants = [] {
    std::array<std::uint32_t, 64> all{};
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = fraction_of(std::cbrt(static_cast<long double>(primes[i])));
    return all;
  }();
  return constants;
}

Words initial_state() {
  Words state{};
  for (std::size_t i = 0; i < state.size(); ++i)
    state[i] = fraction_of(std::sqrt(static_cast<long double>(primes[i])));
  return state;
}

void add_block(Words& state, const unsigned char* block) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t i = 0; i < 16; ++i)
    w[i] = std::uint32_t{block[4 * i]} << 24 | std::uint32_t{block[4 * i + 1]} << 16 |
           std::uint32_t{block[4 * i + 2]} << 8 | std::uint32_t{block[4 * i + 3]};
  for (std::size_t i = 16; i < w.size(); ++i) {
    const std::uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) + w[i - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const std::uint32_t choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
    const std::uint32_t first =
        h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + choice + round_constants()[i] + w[i];
    const std::uint32_t second = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + majority;
    h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
  }
  const Words added{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += added[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  Words state = initial_state();
  const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
  const std::size_t whole = bytes.size() / block_bytes * block_bytes;
  for (std::size_t at = 0; at < whole; at += block_bytes) add_block(state, data + at);
  // A single 1 bit, zeros, and the length in bits as 64 bits fill the last block, or two.
  std::string rest(bytes.substr(whole));
  rest += '\x80';
  while (rest.size() % block_bytes != block_bytes - 8) rest += '\0';
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) rest += static_cast<char>(bits >> shift);
  for (std::size_t at = 0; at < rest.size(); at += block_bytes)
    add_block(state, reinterpret_cast<const unsigned char*>(rest.data()) + at);
  std::string digits;
  for (const std::uint32_t word : state) digits += fmt::format("{:08x}", word);
  return digits;
}

}  // namespace grade
