// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "problems/histogram/diagnoses.hpp"

namespace histogram {

namespace {

// Two results of one input, by the first bin that differs.
std::string difference(const Evidence& evidence, const Bins& one, const Bins& other, const char* where_one,
                       const char* where_other) {
  const std::size_t bin =
      static_cast<std::size_t>(std::mismatch(one.begin(), one.end(), other.begin()).first - one.begin());
  return fmt::format("{}: {} {}, {} {}", name_of_bin(evidence, bin), one[bin], where_one, other[bin],
                     where_other);
}

}  // namespace

std::optional<Diagnosis> not_deterministic(const Evidence& evidence) {
  const std::vector<Bins>& fresh = evidence.fresh;
  const auto other =
      std::find_if(fresh.begin(), fresh.end(), [&](const Bins& bins) { return bins != fresh.front(); });
  const std::string what = "two runs on the same input give different counts\n  ";
  if (other != fresh.end())
    return Diagnosis{"not_deterministic",
                     what + difference(evidence, fresh.front(), *other, "in one run", "in another")};
  // Where memory that earlier launches left behind decides, the first launch of a process is unlike later
  // ones.
  const Sample& failed = evidence.failed;
  if (fresh.empty() && !evidence.from_2_31_on) return std::nullopt;
  if (!fresh.empty() && (fresh.front() != failed.got || !failed.others.empty())) return std::nullopt;
  for (const Sample& sample : evidence.random) {
    if (sample.others.empty()) continue;
    return Diagnosis{"not_deterministic", what + difference(evidence, sample.got, sample.others.front(),
                                                            "in one run", "in another")};
  }
  if (failed.others.empty()) return std::nullopt;
  return Diagnosis{"not_deterministic", what + difference(evidence, failed.got, failed.others.front(),
                                                          "in one run", "in another")};
}

std::optional<Diagnosis> uncleared_counters(const Evidence& evidence) {
  if (evidence.fresh.empty()) return std::nullopt;
  const Bins& first = evidence.fresh.front();
  const Bins* other = first != evidence.failed.got ? &evidence.failed.got : nullptr;
  if (!other && !evidence.failed.others.empty()) other = &evidence.failed.others.front();
  if (!other) return std::nullopt;
  return Diagnosis{
      "uncleared_counters",
      "the counts depend on what memory held before the launch\n  the same input, " +
          difference(evidence, first, *other, "in the first launch of a process", "in a later one")};
}

}  // namespace histogram
