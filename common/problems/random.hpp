// SPDX-License-Identifier: MIT
// Random numbers of inputs: the same from the same seed on every machine.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace problems {

// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014): spreads a seed.
inline std::uint64_t split_mix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// xoshiro256++ (Blackman, Vigna: Scrambled linear pseudorandom number generators, 2021).
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t block) {
    std::uint64_t state = seed;
    state = split_mix(state) ^ block;
    for (std::uint64_t& word : state_) word = split_mix(state);
  }

  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace problems
