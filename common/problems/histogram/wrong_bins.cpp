// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "problems/histogram/diagnoses.hpp"

namespace histogram {

namespace {

// The bin from which on all are wrong while all before it are right; nothing where there is none, or a bin is
// empty.
std::optional<std::size_t> first_wrong_bin(const Sample& sample) {
  if (std::count(sample.expected.begin(), sample.expected.end(), 0u) > 0) return std::nullopt;
  std::optional<std::size_t> first;
  for (std::size_t bin = 0; bin < sample.got.size(); ++bin) {
    const bool right = sample.got[bin] == sample.expected[bin];
    if (!right && !first) first = bin;
    if (right && first) return std::nullopt;
  }
  return first && *first > 0 ? first : std::nullopt;
}

}  // namespace

std::optional<Diagnosis> only_first_bins(const Evidence& evidence, std::size_t inputs) {
  Samples full = wrong_of(evidence.random);
  std::erase_if(full,
                [](const Sample* s) { return std::count(s->expected.begin(), s->expected.end(), 0u) > 0; });
  if (full.empty() || full.size() < inputs) return std::nullopt;
  const auto first = first_wrong_bin(*full.front());
  if (!first || !all(full, [&](const Sample& s) { return first_wrong_bin(s) == first; })) return std::nullopt;
  const Sample& shown = *full.front();
  const bool zero = std::all_of(shown.got.begin() + static_cast<std::ptrdiff_t>(*first), shown.got.end(),
                                [](auto count) { return count == 0; });
  const bool is_last = *first + 1 == shown.got.size();
  return Diagnosis{
      "only_first_bins",
      fmt::format("only the first {}of {} bins {} right\n  {}: {}{} {}",
                  *first == 1 ? "" : fmt::format("{} ", *first), shown.got.size(), *first == 1 ? "is" : "are",
                  shown.what, name_of_bin(evidence, *first), is_last ? "" : " and all behind it",
                  is_last ? zero ? "stays 0" : "is wrong"
                  : zero  ? "stay 0"
                          : "are wrong")};
}

std::optional<Diagnosis> misplaced(const Evidence& evidence) {
  const auto largest = [](const auto& bins) {
    return static_cast<std::size_t>(std::max_element(bins.begin(), bins.end()) - bins.begin());
  };
  Samples elsewhere = wrong_of(evidence.repeated);
  std::erase_if(elsewhere, [&](const Sample* s) {
    return s->got[largest(s->expected)] != 0 || s->got[largest(s->got)] != s->length ||
           s->counted() != s->length;
  });
  if (elsewhere.empty()) return std::nullopt;
  const Sample& shown = longest(elsewhere);
  return Diagnosis{
      "wrong_bins",
      fmt::format("bytes are counted in the wrong bin\n  {}: all are in {}, none in {}", shown.what,
                  name_of_bin(evidence, largest(shown.got)), name_of_bin(evidence, largest(shown.expected)))};
}

std::optional<std::string> other_binning(const Evidence& evidence) {
  const Sample* const shown = [&]() -> const Sample* {
    for (const Sample& sample : evidence.random) {
      if (sample.is_wrong() && sample.bytes.size() == sample.length) return &sample;
    }
    return nullptr;
  }();
  if (!shown || shown->counted() == 0) return std::nullopt;
  for (const BinningInfo& other : binnings()) {
    if (other.name == evidence.binning.name) continue;
    std::vector<std::uint32_t> bins(
        std::max<std::size_t>(shown->got.size(), static_cast<std::size_t>(other.bins)));
    for (const unsigned char byte : shown->bytes) {
      if (const int bin = other.bin_of(byte); bin >= 0) ++bins[static_cast<std::size_t>(bin)];
    }
    bins.resize(shown->got.size());
    if (bins == shown->got)
      return fmt::format(
          "bytes are counted as binning {0} does, though the binning is {1}\n  {2}: every bin holds what it "
          "would "
          "with binning {0}",
          other.name, evidence.binning.name, shown->what);
  }
  return std::nullopt;
}

}  // namespace histogram
