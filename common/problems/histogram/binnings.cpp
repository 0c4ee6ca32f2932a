// SPDX-License-Identifier: MIT
#include "problems/histogram/binnings.hpp"

#include <fmt/core.h>

#include <cstring>

#include "problems/histogram/unit/binning.hpp"

namespace histogram {

namespace {

template <class Binning>
constexpr BinningInfo info_of() {
  return {Binning::name, Binning::bins, &Binning::bin_of};
}

std::string byte_label(int byte) {
  return byte > ' ' && byte < 0x7f ? std::string(1, static_cast<char>(byte)) : fmt::format("0x{:02x}", byte);
}

}  // namespace

std::string BinningInfo::label(int bin) const {
  int first = -1, last = -1;
  for (int byte = 0; byte < 256; ++byte) {
    if (bin_of(static_cast<unsigned char>(byte)) != bin) continue;
    if (first < 0) first = byte;
    last = byte;
  }
  if (first < 0) return "-";
  return first == last ? byte_label(first) : byte_label(first) + "-" + byte_label(last);
}

std::vector<unsigned int> counts_of(std::span<const unsigned char> output) {
  std::vector<unsigned int> counts(output.size() / sizeof(unsigned int));
  std::memcpy(counts.data(), output.data(), counts.size() * sizeof(unsigned int));
  return counts;
}

const std::array<BinningInfo, 3>& binnings() {
  static constexpr std::array<BinningInfo, 3> all{info_of<Letters4>(), info_of<Letters>(), info_of<Bytes>()};
  return all;
}

std::optional<BinningInfo> find_binning(std::string_view name) {
  for (const BinningInfo& binning : binnings()) {
    if (binning.name == name) return binning;
  }
  return std::nullopt;
}

}  // namespace histogram
