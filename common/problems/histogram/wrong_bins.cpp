// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>

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

namespace {

// What the input holds of each of the other binning's bins, as many as the result has.
Bins counted_by(const BinningInfo& other, const Sample& sample) {
  Bins bins(std::max<std::size_t>(sample.got.size(), static_cast<std::size_t>(other.bins)));
  for (const unsigned char byte : sample.bytes) {
    if (const int bin = other.bin_of(byte); bin >= 0) ++bins[static_cast<std::size_t>(bin)];
  }
  bins.resize(sample.got.size());
  return bins;
}

}  // namespace

// One or two bytes lie in a wrong bin by many mistakes: only that many different ones lie where the other
// binning has them shows that it is this one.
std::optional<std::string> other_binning(const Evidence& evidence) {
  constexpr std::size_t enough = 6;
  Samples wrong = wrong_of(evidence.random);
  std::erase_if(wrong, [](const Sample* s) { return s->bytes.size() != s->length || s->counted() == 0; });
  if (wrong.empty()) return std::nullopt;
  std::set<unsigned char> different;
  for (const Sample* const sample : wrong) different.insert(sample->bytes.begin(), sample->bytes.end());
  for (const BinningInfo& other : binnings()) {
    if (other.name == evidence.binning.name || different.size() < enough) continue;
    if (all(wrong, [&](const Sample& sample) { return counted_by(other, sample) == sample.got; }))
      return fmt::format(
          "bytes are counted as binning {0} does, though the binning is {1}\n  {2}: every bin holds what it "
          "would "
          "with binning {0}",
          other.name, evidence.binning.name, wrong.front()->what);
  }
  return std::nullopt;
}

}  // namespace histogram
