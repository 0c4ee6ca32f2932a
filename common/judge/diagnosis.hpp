// SPDX-License-Identifier: MIT
// Why counts are wrong, told from evidence: what an exercise made of inputs that were chosen to tell one mistake from
// another (evidence.hpp gathers them). The first diagnosis that fits is the one; where the evidence allows none, none is
// given.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "histogram/binnings.hpp"

namespace judge {

// What one run gave.
struct Sample {
  std::string what;                  // "4099 bytes of `letters`"
  std::uint64_t length;
  std::vector<std::uint64_t> expected;
  std::vector<std::uint32_t> got;
  std::vector<unsigned char> bytes = {};  // the input, where positions in it matter
  std::vector<std::vector<std::uint32_t>> others = {};  // other results of the same run in the same process

  bool is_wrong() const;
  std::uint64_t countable() const;  // the sum of what was expected
  std::uint64_t counted() const;    // the sum of what came
};

// A position whose byte is not counted once, whatever the bytes are.
struct OddPosition {
  std::uint64_t length;    // of the input
  std::uint64_t position;  // the first such
  bool missed;             // not counted; else counted more than once
};

struct Evidence {
  histogram::BinningInfo binning;
  bool guarded = false;        // the bytes around the input are readable, and each counts as exercise::data_guard
  bool from_2_31_on = false;   // every shorter input came out right
  Sample failed;
  std::vector<std::vector<std::uint32_t>> fresh;  // the failed run as the first in processes of their own
  std::vector<Sample> random;                     // counted bytes only
  std::vector<Sample> repeated;                   // one counted byte, again and again; of random's lengths
  std::optional<Sample> repeated_less;            // the same byte fewer times than in the longest of these
  std::optional<Sample> uncounted;                // no byte of it is counted
  std::optional<OddPosition> odd;
};

struct Diagnosis {
  std::string name;     // empty: what can be said has no name of its own
  std::string message;  // one line, and a second one with its numbers
};

std::optional<Diagnosis> diagnose(const Evidence& evidence);

// The most fundamental of what the evidence under several binnings says.
std::optional<Diagnosis> diagnose(const std::vector<Evidence>& evidence);

// Whether as many bytes get lost (or are counted twice) whatever the bytes are, so that positions decide.
bool depends_on_position(const Evidence& evidence);

}  // namespace judge
